/** Executors that undo actions, and tell parts of outputs, in another way. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { inRunsWith, outcomes } from './extended.ts';
import { without } from './manifest-edits.ts';
import { actionsOf, emits, emitsEach, isOf, plays, readsBodies } from './mutant.ts';
import type { Event, ExecutorFaults } from './mutant.ts';

const undoing = inRunsWith('rollback');
const telling = inRunsWith('partial_results');

const isRollback = (event: Event): boolean => isOf('rollback', event);

/** A fault in the events of rollbacks, which come before the last event. */
const rollbacks = (
  edit: (events: readonly Event[], all: readonly Event[], request: JsonObject) => readonly Event[],
): AnswerFault =>
  emits((events, request) => {
    const others = events.filter((event) => !isRollback(event));
    return [...others.slice(0, -1), ...edit(events.filter(isRollback), events, request), ...others.slice(-1)];
  });

const isStart = ({ status }: Event): boolean => status === 'started';

/** The rollbacks of actions, in the other order. */
function backwards(events: readonly Event[]): readonly Event[] {
  const ids = [...new Set(events.map((event) => textIn(event, 'id')))].toReversed();
  return ids.flatMap((id) => events.filter((event) => event['id'] === id));
}

/** The actions with a rollback that were not undone, undone. */
const remaining = (
  events: readonly Event[],
  all: readonly Event[],
  request: JsonObject,
): readonly Event[] => [
  ...events,
  ...actionsOf(request)
    .filter(({ id, body }) => body['rollback'] !== undefined && !events.some((event) => event['id'] === id))
    .flatMap(({ id }) =>
      ['started', 'completed'].map((status) => ({
        type: 'rollback',
        id,
        status,
        at: all.at(-1)?.['at'] ?? 0,
      })),
    ),
];

const hasFailed = (events: readonly Event[]): boolean => events.at(-1)?.['reason'] === 'failed';

const rollbackFaults: ExecutorFaults = {
  'undoes-in-order': undoing(rollbacks(backwards)),
  'undoes-at-once': undoing(
    rollbacks((events) => [...events.filter(isStart), ...events.filter((event) => !isStart(event))]),
  ),
  'undoes-nothing': undoing(rollbacks(() => [])),
  'gives-up': undoing(
    rollbacks((events) => {
      const failed = events.findIndex(({ status }) => status === 'failed');
      return failed < 0 ? events : events.slice(0, failed + 1);
    }),
  ),
  'says-undone': undoing(
    emitsEach((event) =>
      isRollback(event) && event['status'] === 'failed' ? { ...event, status: 'completed' } : event,
    ),
  ),
  'no-timeout-of-rollbacks': undoing(
    readsBodies(({ body }) => {
      const { rollback } = body;
      return isObject(rollback) ? { ...body, rollback: without(rollback, 'timeout') } : body;
    }),
  ),
  'undoes-all': undoing(
    rollbacks((events, all, request) => (hasFailed(all) ? remaining(events, all, request) : events)),
  ),
  'undoes-at-each-end': undoing(
    rollbacks((events, all, request) => (hasFailed(all) ? events : remaining(events, all, request))),
  ),
};

const partsOf = ({ parts }: JsonObject): readonly JsonObject[] =>
  isArray(parts) ? parts.filter((one): one is JsonObject => isObject(one)) : [];

const isPart = (event: Event): boolean => isOf('partial', event);

/** The numbers of parts, of all attempts together. */
function countedOn(events: readonly Event[]): readonly Event[] {
  const counts = new Map<Json, number>();
  return events.map((event) => {
    if (!isPart(event)) return event;
    const n = counts.get(event['id'] ?? '') ?? 0;
    counts.set(event['id'] ?? '', n + 1);
    return { ...event, n };
  });
}

/** The shortest timeout of a request's actions (s). */
const timeoutOf = (request: JsonObject): number =>
  Math.min(...actionsOf(request).map(({ body: { timeout } }) => Number(timeout ?? Infinity)));

/** A part that would be late comes at once. */
const inTime = (outcome: JsonObject, request: JsonObject): JsonObject => {
  const end = Math.min(Number(outcome['after'] ?? 0), timeoutOf(request));
  const parts = partsOf(outcome).map((part) =>
    Number(part['after'] ?? 0) > end ? { ...part, after: 0 } : part,
  );
  return parts.length === 0 ? outcome : { ...outcome, parts };
};

/** The action that is fire_and_forget in tests of parts tells a part when it starts. */
const forgottenParts = emitsEach((event) =>
  isOf('started', event) && event['id'] === 'n'
    ? [event, { type: 'partial', id: 'n', n: 0, output: 1, at: event['at'] ?? 0 }]
    : event,
);

/** The parts of an output as they would come behind it. */
const partsLast = emits((events) => [
  ...events.filter((event) => !isPart(event)).slice(0, -1),
  ...events.filter(isPart),
  ...events.slice(-1),
]);

const partFaults: ExecutorFaults = {
  'parts-from-one': telling(
    emitsEach((event) => (isPart(event) ? { ...event, n: Number(event['n']) + 1 } : event)),
  ),
  'counts-on': telling(emits(countedOn)),
  'parts-last': telling(partsLast),
  'first-part-alone': telling(
    emits((events) => events.filter((event) => !isPart(event) || event['n'] === 0)),
  ),
  'part-as-value': telling(
    plays(
      outcomes((outcome) => {
        const part = partsOf(outcome).at(-1);
        return part === undefined || outcome['error'] !== undefined
          ? outcome
          : { ...outcome, output: part['output'] ?? null };
      }),
    ),
  ),
  'tells-late-parts': telling(plays(outcomes(inTime))),
  'tells-forgotten-parts': telling(forgottenParts),
};

/** The mutants of rollbacks and parts. */
export const effectFaults: ExecutorFaults = { ...rollbackFaults, ...partFaults };
