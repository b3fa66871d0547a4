/** Executors that carry out internal actions in another way. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { sepManifestTestee } from '../../../../src/sep/edge/index.ts';
import { textIn } from '../events.ts';
import { readsPolicy, without } from './manifest-edits.ts';
import { actionsOf, andThen, dependsOf, emits, isOf, mutant, plays, reads, readsBodies } from './mutant.ts';
import type { ExecutorMutant, WrittenAction } from './mutant.ts';

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
export const internalActionMutants: readonly ExecutorMutant[] = [
  mutant(
    70,
    'providers-first',
    'It asks a provider with the name of an internal action.',
    plays(({ iterations, providers }) =>
      isObject(providers) && providers['add_context_feed'] !== undefined
        ? { iterations: JSON.parse(JSON.stringify(iterations).replaceAll('internal', 'tool')) as Json }
        : {},
    ),
  ),
  mutant(
    70,
    'sync-alone-internal',
    'It knows no internal action that is async.',
    reads((output) => output.replaceAll('type="internal" mode="async"', 'type="unknown" mode="async"')),
  ),
  mutant(
    71,
    'adds-nothing',
    'It adds no feed.',
    carriesOut('add_context_feed', (action, request) =>
      // What may not be added is another row.
      isSound(parametersOf(action)) && !isThere(action, request) && !hasPolicy(request)
        ? { parameters: { ...parametersOf(action), enabled: false } }
        : undefined,
    ),
  ),
  mutant(
    71,
    'removes-nothing',
    'It removes no feed.',
    carriesOut('remove_context_feed', (action, request) =>
      isThere(action, request) && !actionsOf(request).some(({ id }) => id === 'again') ? nothing : undefined,
    ),
  ),
  mutant(
    71,
    'adds-the-old',
    'A feed that is added has the source of a removed one with its id.',
    carriesOut('add_context_feed', (action, request) => {
      const [first] = earlier(action, request);
      return first === undefined || isThere(action, request)
        ? undefined
        : { parameters: { ...parametersOf(action), source: parametersOf(first)['source'] ?? null } };
    }),
  ),
  mutant(
    72,
    'add-replaces',
    'A feed that is added takes the place of another one with its id.',
    carriesOut('add_context_feed', (action, request) =>
      isThere(action, request) ? { name: 'update_context_feed' } : undefined,
    ),
  ),
  ...['remove_context_feed', 'update_context_feed'].map((name) =>
    mutant(
      72,
      `${name.split('_')[0] ?? ''}s-unknown`,
      `${name} of a feed that is not there does nothing, and is completed.`,
      carriesOut(name, (action, request) =>
        isThere(action, request) || hasPolicy(request) ? undefined : nothing,
      ),
    ),
  ),
  mutant(
    72,
    'ids-for-ever',
    'The id of a feed that was removed cannot be used again.',
    carriesOut('add_context_feed', (action, request) =>
      earlier(action, request).length > 0 ? { parameters: {} } : undefined,
    ),
  ),
  mutant(
    109,
    'mends-intervals',
    'A periodic feed that is added without an interval has one of a minute.',
    carriesOut('add_context_feed', (action) => {
      const feed = parametersOf(action);
      return feed['type'] === 'periodic' && !isSound(feed)
        ? { parameters: { ...feed, interval: 60 } }
        : undefined;
    }),
  ),
  mutant(
    109,
    'adds-typeless',
    'It adds a feed without a type.',
    carriesOut('add_context_feed', (action) => {
      const feed = parametersOf(action);
      return feed['type'] === undefined ? { parameters: { ...feed, type: 'on_demand' } } : undefined;
    }),
  ),
  mutant(
    109,
    'adds-sourceless',
    'It adds a feed without a source, which has no value.',
    carriesOut('add_context_feed', (action) =>
      parametersOf(action)['source'] === undefined ? nothing : undefined,
    ),
  ),
  mutant(
    73,
    'updates-nothing',
    'It changes nothing but times of periodic feeds.',
    updates((changes) => ('interval' in changes ? changes : { id: changes['id'] ?? null })),
  ),
  mutant(
    73,
    'replaces-feeds',
    'An update must have all members of a feed.',
    carriesOut('update_context_feed', (action, request) =>
      isThere(action, request) &&
      !isSourceChange(parametersOf(action)) &&
      !('interval' in parametersOf(action))
        ? { name: 'add_context_feed' }
        : undefined,
    ),
  ),
  mutant(
    73,
    'replaces-params',
    'An update replaces all params.',
    updates((changes) =>
      isSourceChange(changes) ? { ...changes, source: replaced(changes['source']) } : changes,
    ),
  ),
  mutant(
    73,
    'null-is-nothing',
    'null in an update changes nothing.',
    updates((changes) => Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))),
  ),
  mutant(
    110,
    'old-interval',
    'An updated feed keeps its interval.',
    updates((changes) => without(changes, 'interval')),
  ),
  mutant(
    74,
    'allowed-first',
    'An action in both lists is allowed.',
    readsPolicy((policy) =>
      isArray(policy['allowed_actions']) ? without(policy, 'blocked_actions') : policy,
    ),
  ),
  mutant(
    74,
    'empty-is-all',
    'An empty list of allowed actions allows all.',
    readsPolicy((policy) => {
      const { allowed_actions: allowed } = policy;
      return isArray(allowed) && allowed.length === 0 ? without(policy, 'allowed_actions') : policy;
    }),
  ),
  mutant(
    74,
    'denied-by-default',
    'A manifest that does not enable internal actions denies them.',
    readsPolicy((policy) => ({ enabled: false, ...policy })),
  ),
  mutant(
    74,
    'lists-alone',
    'It ignores enabled where there is a list of allowed actions.',
    readsPolicy((policy) => (isArray(policy['allowed_actions']) ? without(policy, 'enabled') : policy)),
  ),
  mutant(
    75,
    'changes-all-the-same',
    'A denied action fails, and changes the feeds all the same.',
    changesAll,
  ),
  mutant(
    75,
    'runs-what-depends-on-denied',
    'It starts what depends on a denied action.',
    readsBodies(({ body }, request) =>
      hasPolicy(request) && dependsOf(body).some((id) => isInternal(request, id))
        ? without(body, 'depends_on')
        : body,
    ),
  ),
  mutant(
    75,
    'denies-silently',
    'A denied action has no outcome where nothing depends on it.',
    emits((events, request) =>
      hasPolicy(request) && deniedIn(request).includes('remove')
        ? events.filter((event) => textIn(event, 'id') !== 'remove')
        : events,
    ),
  ),
];
