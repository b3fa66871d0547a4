/** Executors that undo actions, and tell parts of outputs, in another way. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { mutantOf, outcomes } from './extended.ts';
import { without } from './manifest-edits.ts';
import { actionsOf, emits, emitsEach, isOf, plays, readsBodies } from './mutant.ts';
import type { Event, ExecutorMutant } from './mutant.ts';

const undoing = mutantOf('rollback');
const telling = mutantOf('partial_results');

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

const rollbackMutants: readonly ExecutorMutant[] = [
  undoing(129, 'undoes-in-order', 'It undoes first what completed first.', rollbacks(backwards)),
  undoing(
    129,
    'undoes-at-once',
    'It undoes all actions at the same time.',
    rollbacks((events) => [...events.filter(isStart), ...events.filter((event) => !isStart(event))]),
  ),
  undoing(
    129,
    'undoes-nothing',
    'It undoes no action.',
    rollbacks(() => []),
  ),
  undoing(
    130,
    'gives-up',
    'It undoes no further action after a rollback that failed.',
    rollbacks((events) => {
      const failed = events.findIndex(({ status }) => status === 'failed');
      return failed < 0 ? events : events.slice(0, failed + 1);
    }),
  ),
  undoing(
    130,
    'says-undone',
    'It tells a rollback that failed as completed.',
    emitsEach((event) =>
      isRollback(event) && event['status'] === 'failed' ? { ...event, status: 'completed' } : event,
    ),
  ),
  undoing(
    130,
    'no-timeout-of-rollbacks',
    'It knows no timeout of a rollback.',
    readsBodies(({ body }) => {
      const { rollback } = body;
      return isObject(rollback) ? { ...body, rollback: without(rollback, 'timeout') } : body;
    }),
  ),
  undoing(
    131,
    'undoes-all',
    'It undoes what failed, was skipped or is fire_and_forget.',
    rollbacks((events, all, request) => (hasFailed(all) ? remaining(events, all, request) : events)),
  ),
  undoing(
    131,
    'undoes-at-each-end',
    'It undoes the actions of a run that no failure ends.',
    rollbacks((events, all, request) => (hasFailed(all) ? events : remaining(events, all, request))),
  ),
];

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

const partMutants: readonly ExecutorMutant[] = [
  telling(
    132,
    'parts-from-one',
    'It counts parts from 1.',
    emitsEach((event) => (isPart(event) ? { ...event, n: Number(event['n']) + 1 } : event)),
  ),
  telling(132, 'counts-on', 'It counts the parts of all attempts together.', emits(countedOn)),
  telling(132, 'parts-last', 'It tells the parts of an output when the run ends.', partsLast),
  telling(
    132,
    'first-part-alone',
    'It tells the first part of an attempt.',
    emits((events) => events.filter((event) => !isPart(event) || event['n'] === 0)),
  ),
  telling(
    133,
    'part-as-value',
    'The last part is the output.',
    plays(
      outcomes((outcome) => {
        const part = partsOf(outcome).at(-1);
        return part === undefined || outcome['error'] !== undefined
          ? outcome
          : { ...outcome, output: part['output'] ?? null };
      }),
    ),
  ),
  telling(134, 'tells-late-parts', 'It tells the parts of an attempt that is over.', plays(outcomes(inTime))),
  telling(
    134,
    'tells-forgotten-parts',
    'It tells a part of an action that is fire_and_forget.',
    forgottenParts,
  ),
];

/** The mutants of rollbacks and parts. */
export const effectMutants: readonly ExecutorMutant[] = [...rollbackMutants, ...partMutants];
