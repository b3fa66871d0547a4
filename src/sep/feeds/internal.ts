/** Internal actions: a model changes its feeds and its variables (SEP-70 to SEP-76). They change the store, and ask for the rest. */
import type { Json, JsonObject, Result, Validator, Violation } from '../../kit/base/index.ts';
import { clip, isObject, ok, refuse } from '../../kit/base/index.ts';
import {
  deleteVariable,
  feed as feedSchema,
  feedId,
  noParameters,
  setVariable,
} from '../generated/validators.ts';
import { extentOf, refusalOf } from '../values/extent.ts';
import { noGrants } from './grants.ts';
import type { Grants } from './grants.ts';
import { allowAll, denialOf, internalActionNames, isInternalAction } from './internal-actions.ts';
import type { InternalActionName, InternalActionPolicy } from './internal-actions.ts';
import type { FeedEntry } from './entry.ts';
import type { FeedSpec } from './feed.ts';
import { mostManifest } from './limits.ts';
import { merged } from './merge.ts';
import type { FeedStore } from './store.ts';
import { specOf, violationOf, withoutNulls, writtenOf } from './written.ts';
import type { WrittenFeed } from './written.ts';

/** What an internal action gives. */
export type InternalOutcome =
  | { readonly output: Json; readonly variable?: VariableChange }
  | { readonly error: string }
  /**
   * The output is the value of this feed, once it was fetched: begin a fetch, or wait for the one under way, and fail if it
   * fails.
   */
  | { readonly fetch: string };

/** A change of the variables that the caller gave. */
export type VariableChange = { readonly set: string; readonly value: Json } | { readonly delete: string };

/** A call of an internal action. */
export interface InternalCall {
  readonly name: string;
  /** With the values of their references. */
  readonly parameters: JsonObject;
}

/** Where an internal action happens. */
export interface InternalContext {
  readonly store: FeedStore;
  /** The present time of the store's clock (s). */
  readonly now: number;
  /** Default: all actions are allowed. */
  readonly policy?: InternalActionPolicy;
  /** What feeds may reach. Default: no variable, folder or server. */
  readonly grants?: Grants;
  /** Whether a variable has a value that can be deleted. Default: none has. */
  readonly hasVariable?: (name: string) => boolean;
}

type Act = (parameters: JsonObject, context: InternalContext) => InternalOutcome;

/** An action: the schema of its parameters, and what it does. */
interface InternalAction {
  /** Absent: the parameters are changes of a feed. */
  readonly schema?: Validator;
  readonly act: Act;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const actions: { readonly [N in InternalActionName]: InternalAction } = {
  add_context_feed: { schema: feedSchema, act: add },
  update_context_feed: { act: update },
  remove_context_feed: {
    schema: feedId,
    act: ({ id }, { store }) => outcomeOf(store.remove(text(id)), { removed: text(id) }),
  },
  list_context_feeds: { schema: noParameters, act: (_, { store }) => ({ output: listOf(store) }) },
  clear_context_feeds: {
    schema: noParameters,
    act: (_, { store }) => ({ output: { removed: store.clear() } }),
  },
  get_context_feed: { schema: feedId, act: ({ id }, context) => get(text(id), context) },
  set_variable: {
    schema: setVariable,
    act: ({ name, value = null }) => ({ output: value, variable: { set: text(name), value } }),
  },
  delete_variable: {
    schema: deleteVariable,
    act: ({ name }, { hasVariable = () => false }) =>
      hasVariable(text(name))
        ? { output: { deleted: text(name) }, variable: { delete: text(name) } }
        : { error: `expected the name of a variable; there is none with the name ${text(name)}` },
  },
};

/**
 * Carries out an internal action: it changes the feeds of the store at once. A denied action, and wrong parameters, are an
 * error, and change nothing. Never throws.
 *
 * @example
 * const store = new FeedStore();
 * const source = { type: 'relic', name: 'log_service', params: { filter: 'ERROR', since: '1h' } };
 * const parameters = { id: 'recent_errors', type: 'on_demand', source };
 * actInternally({ name: 'add_context_feed', parameters }, { store, now: 0 }); // { output: { added: 'recent_errors' } }
 * actInternally({ name: 'add_context_feed', parameters }, { store, now: 0 });
 * // { error: 'expected an id that no feed has; recent_errors is there already' }
 */
export function actInternally({ name, parameters }: InternalCall, context: InternalContext): InternalOutcome {
  if (!isInternalAction(name))
    return {
      error: `expected one of ${internalActionNames.join(', ')}; came ${JSON.stringify(clip(name, 60))}`,
    };
  const denial = denialOf(context.policy ?? allowAll, name);
  if (denial !== undefined) return { error: denial };
  const { schema, act } = actions[name];
  const given = schema === feedSchema ? (withoutNulls(parameters) as JsonObject) : parameters;
  const bad = schema === undefined ? undefined : violationOf(schema, given, 'bad-parameters');
  return bad === undefined ? act(given, context) : { error: wordsOf(bad) };
}

const wordsOf = ({ path, message }: Violation): string => (path === '' ? message : `${path}: ${message}`);

/** An output, or the error of the store. */
const outcomeOf = (error: string | undefined, output: Json): InternalOutcome =>
  error === undefined ? { output } : { error };

/** The spec of a feed that a model wrote, if it is no larger than a manifest, and reaches no server but those of the manifest. */
function specWithin(
  written: JsonObject,
  { grants = noGrants }: InternalContext,
): Result<FeedSpec, Violation> {
  const tooLarge = refusalOf(extentOf(written, mostManifest, new WeakMap()), 'a feed', mostManifest);
  if (tooLarge !== undefined) return refuse({ code: 'too-large', path: '', message: tooLarge });
  const bad = violationOf(feedSchema, written, 'bad-parameters');
  const spec = bad === undefined ? specOf(written as unknown as WrittenFeed) : refuse(bad);
  if (!spec.ok) return spec;
  const { url } = spec.value.source;
  if (url === undefined || grants.urls.includes(url)) return ok(spec.value);
  const message = 'expected a URL of the feeds in the manifest; came another one';
  return refuse({ code: 'not-granted', path: 'source.url', message });
}

function add(parameters: JsonObject, context: InternalContext): InternalOutcome {
  const spec = specWithin(parameters, context);
  if (!spec.ok) return { error: wordsOf(spec.error) };
  return outcomeOf(context.store.add(spec.value), { added: spec.value.id });
}

/** Merges the changes into a feed. The id says which one: it does not change (SEP-73). */
function update(changes: JsonObject, context: InternalContext): InternalOutcome {
  const { store } = context;
  const { id } = changes;
  const bad = violationOf(feedId, id === undefined ? {} : { id }, 'bad-parameters');
  if (bad !== undefined) return { error: wordsOf(bad) };
  const entry = store.entry(text(id));
  if (entry === undefined)
    return { error: `expected the id of a feed; there is none with the id ${text(id)}` };
  const spec = specWithin(merged(keptBy(changes, entry.spec), changes), context);
  if (!spec.ok) return { error: wordsOf(spec.error) };
  return outcomeOf(store.update(spec.value), { updated: text(id) });
}

/**
 * What changes are merged into. Another source takes no params of the old one: they may hold secrets of the environment,
 * and would get to another tool. A source of another type has no use for some members of the old one.
 */
function keptBy({ source: changed }: JsonObject, spec: FeedSpec): JsonObject {
  const written = writtenOf(spec);
  const { source } = written;
  if (!isObject(changed) || !isObject(source)) return written;
  const isOther = ['type', 'action', 'name', 'url'].some(
    (key) => changed[key] !== undefined && changed[key] !== (source[key] ?? null),
  );
  if (!isOther) return written;
  const { type = spec.source.type } = changed;
  const members = type === 'internal' ? ['action'] : type === 'remote' ? ['name', 'url'] : ['name'];
  const kept = Object.entries(source).filter(([key]) => key === 'type' || members.includes(key));
  return { ...written, source: Object.fromEntries(kept) };
}

/** The value of a feed: a cached one at once (SEP-63), or else that of a fetch. */
function get(id: string, { store, now }: InternalContext): InternalOutcome {
  const entry = store.entry(id);
  if (entry === undefined) return { error: `expected the id of a feed; there is none with the id ${id}` };
  if (!entry.spec.enabled) return { error: `expected a feed that is enabled; ${id} is not` };
  const value = store.isCached(id, now) ? store.valueOf(id) : undefined;
  return value === undefined ? { fetch: id } : { output: value };
}

/** The feeds as a model may see them: without params and transform, which may hold secrets of the environment. */
const listOf = (store: FeedStore): Json =>
  store.specs.flatMap(({ id }) => {
    const entry = store.entry(id);
    return entry === undefined ? [] : [rowOf(entry)];
  });

function rowOf({ spec, shown, error }: FeedEntry): JsonObject {
  const { type, name } = spec.source;
  const { transform: _, ...written } = writtenOf(spec);
  return {
    ...written,
    source: { type, [type === 'internal' ? 'action' : 'name']: name },
    has_value: shown !== undefined,
    ...(error !== undefined && { error }),
  };
}
