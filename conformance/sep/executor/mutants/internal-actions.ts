/** Executors that carry out internal actions in another way. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { textIn } from '../events.ts';
import { readsPolicy, without } from './manifest-edits.ts';
import { actionsOf, andThen, dependsOf, emits, isOf, plays, reads, readsBodies } from './mutant.ts';
import type { WrittenAction, ExecutorFaults } from './mutant.ts';

const nameOf = ({ body }: WrittenAction): string => textIn(body, 'name');

const parametersOf = ({ body: { parameters } }: WrittenAction): JsonObject =>
  isObject(parameters) ? parameters : {};

/** The earlier actions of a run that name the same feed. */
const earlier = (action: WrittenAction, request: JsonObject): readonly WrittenAction[] => {
  const all = actionsOf(request);
  const place = all.findIndex(({ id }) => id === action.id);
  const { id } = parametersOf(action);
  return all.slice(0, place).filter((one) => id !== undefined && parametersOf(one)['id'] === id);
};

/** Whether a feed is there: the last action that added or removed it has added it. */
const isThere = (action: WrittenAction, request: JsonObject): boolean =>
  earlier(action, request)
    .filter((one) => nameOf(one) === 'add_context_feed' || nameOf(one) === 'remove_context_feed')
    .map(nameOf)
    .at(-1) === 'add_context_feed';

/** An internal action that changes nothing, and is completed. */
const nothing: JsonObject = { name: 'list_context_feeds', parameters: {} };

/** A fault in internal actions of this name: it carries out another one. */
const carriesOut = (
  name: string,
  edit: (action: WrittenAction, request: JsonObject) => JsonObject | undefined,
): AnswerFault =>
  readsBodies((action, request) => {
    const other = nameOf(action) === name ? edit(action, request) : undefined;
    return other === undefined ? action.body : { ...action.body, ...other };
  });

/** A fault in the parameters of an update. */
export const updates = (edit: (parameters: JsonObject) => JsonObject): AnswerFault =>
  carriesOut('update_context_feed', (action, request) =>
    isThere(action, request) ? { parameters: edit(parametersOf(action)) } : undefined,
  );

const isSourceChange = ({ source }: JsonObject): boolean => isObject(source);

/** The params of a changed source, and null for each other one that tests have. */
const replaced = (source: Json | undefined): Json =>
  isObject(source) && isObject(source['params'])
    ? { ...source, params: { timezone: null, ...source['params'] } }
    : (source ?? null);

const isSound = ({ type, interval, source }: JsonObject): boolean =>
  isObject(source) && type !== undefined && (type !== 'periodic' || Number(interval) > 0);

/** The ids of the actions that the reference fails: those that a manifest denies. */
const deniedIn = (request: JsonObject): readonly string[] => {
  const { ok } = sepManifestTestee(request);
  const events = isObject(ok) && isArray(ok['events']) ? ok['events'] : [];
  return events.flatMap((event) => (isObject(event) && isOf('failed', event) ? [textIn(event, 'id')] : []));
};

const hasPolicy = (request: JsonObject): boolean => textIn(request, 'manifest').includes('internal_actions');

/** A run in which everything is allowed. Its denied actions are told to have failed. */
const changesAll = andThen(
  readsPolicy(() => ({})),
  (events, request) =>
    hasPolicy(request)
      ? events.map((event) =>
          isOf('completed', event) && deniedIn(request).includes(textIn(event, 'id'))
            ? { type: 'failed', id: textIn(event, 'id'), error: 'denied', attempts: 1, at: event['at'] ?? 0 }
            : event,
        )
      : events,
);

const isInternal = (request: JsonObject, id: string): boolean =>
  actionsOf(request).some((action) => action.id === id && /_context_feeds?$/.test(nameOf(action)));

/** The mutants of internal actions. */
export const internalActionFaults: ExecutorFaults = {
  'providers-first': plays(({ iterations, providers }) =>
    isObject(providers) && providers['add_context_feed'] !== undefined
      ? { iterations: JSON.parse(JSON.stringify(iterations).replaceAll('internal', 'tool')) as Json }
      : {},
  ),
  'sync-alone-internal': reads((output) =>
    output.replaceAll('type="internal" mode="async"', 'type="unknown" mode="async"'),
  ),
  'adds-nothing': carriesOut('add_context_feed', (action, request) =>
    // What may not be added is another row.
    isSound(parametersOf(action)) && !isThere(action, request) && !hasPolicy(request)
      ? { parameters: { ...parametersOf(action), enabled: false } }
      : undefined,
  ),
  'removes-nothing': carriesOut('remove_context_feed', (action, request) =>
    isThere(action, request) && !actionsOf(request).some(({ id }) => id === 'again') ? nothing : undefined,
  ),
  'adds-the-old': carriesOut('add_context_feed', (action, request) => {
    const [first] = earlier(action, request);
    return first === undefined || isThere(action, request)
      ? undefined
      : { parameters: { ...parametersOf(action), source: parametersOf(first)['source'] ?? null } };
  }),
  'add-replaces': carriesOut('add_context_feed', (action, request) =>
    isThere(action, request) ? { name: 'update_context_feed' } : undefined,
  ),
  ...faultsFor(['remove_context_feed', 'update_context_feed'], (name) => [
    `${name.split('_')[0] ?? ''}s-unknown`,
    carriesOut(name, (action, request) =>
      isThere(action, request) || hasPolicy(request) ? undefined : nothing,
    ),
  ]),
  'ids-for-ever': carriesOut('add_context_feed', (action, request) =>
    earlier(action, request).length > 0 ? { parameters: {} } : undefined,
  ),
  'mends-intervals': carriesOut('add_context_feed', (action) => {
    const feed = parametersOf(action);
    return feed['type'] === 'periodic' && !isSound(feed)
      ? { parameters: { ...feed, interval: 60 } }
      : undefined;
  }),
  'adds-typeless': carriesOut('add_context_feed', (action) => {
    const feed = parametersOf(action);
    return feed['type'] === undefined ? { parameters: { ...feed, type: 'on_demand' } } : undefined;
  }),
  'adds-sourceless': carriesOut('add_context_feed', (action) =>
    parametersOf(action)['source'] === undefined ? nothing : undefined,
  ),
  'updates-nothing': updates((changes) => ('interval' in changes ? changes : { id: changes['id'] ?? null })),
  'replaces-feeds': carriesOut('update_context_feed', (action, request) =>
    isThere(action, request) && !isSourceChange(parametersOf(action)) && !('interval' in parametersOf(action))
      ? { name: 'add_context_feed' }
      : undefined,
  ),
  'replaces-params': updates((changes) =>
    isSourceChange(changes) ? { ...changes, source: replaced(changes['source']) } : changes,
  ),
  'null-is-nothing': updates((changes) =>
    Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
  ),
  'old-interval': updates((changes) => without(changes, 'interval')),
  'allowed-first': readsPolicy((policy) =>
    isArray(policy['allowed_actions']) ? without(policy, 'blocked_actions') : policy,
  ),
  'empty-is-all': readsPolicy((policy) => {
    const { allowed_actions: allowed } = policy;
    return isArray(allowed) && allowed.length === 0 ? without(policy, 'allowed_actions') : policy;
  }),
  'denied-by-default': readsPolicy((policy) => ({ enabled: false, ...policy })),
  'lists-alone': readsPolicy((policy) =>
    isArray(policy['allowed_actions']) ? without(policy, 'enabled') : policy,
  ),
  'changes-all-the-same': changesAll,
  'runs-what-depends-on-denied': readsBodies(({ body }, request) =>
    hasPolicy(request) && dependsOf(body).some((id) => isInternal(request, id))
      ? without(body, 'depends_on')
      : body,
  ),
  'denies-silently': emits((events, request) =>
    hasPolicy(request) && deniedIn(request).includes('remove')
      ? events.filter((event) => textIn(event, 'id') !== 'remove')
      : events,
  ),
};
