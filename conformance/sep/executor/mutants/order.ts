/** Executors that start actions at another time, or show other states. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { textIn } from '../events.ts';
import {
  actionsOf,
  andThen,
  depends,
  dependsOf,
  emits,
  emitsEach,
  isOf,
  mutant,
  outputsOf,
  reads,
} from './mutant.ts';
import type { Event, ExecutorMutant } from './mutant.ts';

const ends: ReadonlySet<unknown> = new Set(['completed', 'failed']);

/** Holds the text of thoughts while an action runs. */
function heldThoughts(events: readonly Event[]): readonly Event[] {
  const made: Event[] = [];
  let held: Event[] = [];
  let running = 0;
  for (const event of events) {
    if (isOf('started', event)) running++;
    if (isOf('thought', event) && running > 0) {
      held.push(event);
      continue;
    }
    made.push(event);
    if (!ends.has(event['type'])) continue;
    running--;
    made.push(...held);
    held = [];
  }
  return [...made, ...held];
}

/** Starts the first actions behind the last thought. */
function startedLast(events: readonly Event[]): readonly Event[] {
  const place = events.findLastIndex((event) => isOf('thought', event));
  const isEarly = (event: Event, i: number): boolean => i < place && isOf('started', event);
  return [
    ...events.slice(0, place + 1).filter((event, i) => !isEarly(event, i)),
    ...events.filter(isEarly),
    ...events.slice(place + 1),
  ];
}

/** The actions that depend on a later one, which itself depends on none. */
function forwardIds(request: JsonObject): ReadonlyMap<string, readonly string[]> {
  const actions = actionsOf(request);
  const laterFree = (from: number): ReadonlySet<string> =>
    new Set(actions.slice(from + 1).flatMap(({ id, body }) => (dependsOf(body).length === 0 ? [id] : [])));
  return new Map(
    actions.flatMap(({ id, body }, i) => {
      const forward = dependsOf(body).filter((one) => laterFree(i).has(one));
      return forward.length === 0 ? [] : [[id, forward] as const];
    }),
  );
}

const isForgotten = (event: Event, request: JsonObject): boolean =>
  outputsOf(request).some((output) => output.includes(`mode="fire_and_forget" id="${textIn(event, 'id')}"`));

const knownIds = (request: JsonObject): readonly string[] => actionsOf(request).map(({ id }) => id);

/** The failure of an action that never started. */
const isCycle = (event: Event): boolean => isOf('failed', event) && event['attempts'] === 0;

/** The mutants of order and states. */
export const orderMutants: readonly ExecutorMutant[] = [
  mutant(15, 'thoughts-wait', 'The text of a thought waits for the actions that run.', emits(heldThoughts)),
  mutant(
    28,
    'sync-is-async',
    'Nothing waits for a sync action.',
    reads((output) => output.replaceAll('mode="sync"', 'mode="async"')),
  ),
  mutant(
    29,
    'async-is-sync',
    'Everything waits for an async action.',
    reads((output) => output.replaceAll('mode="async"', 'mode="sync"')),
  ),
  mutant(
    30,
    'tracks-forgotten',
    'It shows the result of a fire_and_forget action, and waits for it.',
    reads((output) => output.replaceAll('"fire_and_forget"', '"async"')),
  ),
  mutant(
    30,
    'waits-for-forgotten',
    'What depends on a fire_and_forget action waits for its result.',
    andThen(
      reads((output) => output.replaceAll('"fire_and_forget"', '"async"')),
      (events, request) => events.filter((event) => !ends.has(event['type']) || !isForgotten(event, request)),
    ),
  ),
  mutant(31, 'starts-last', 'It starts actions when the output has ended.', emits(startedLast)),
  mutant(
    31,
    'first-dependency',
    'It waits for the first of several dependencies.',
    depends((ids) => ids.slice(0, 1)),
  ),
  mutant(
    94,
    'skips-forward',
    'It skips an action that depends on a later one.',
    emits((events, request) => {
      const forward = forwardIds(request);
      return events.flatMap((event): readonly Event[] => {
        const id = textIn(event, 'id');
        if (!forward.has(id)) return [event];
        if (isOf('started', event))
          return [{ type: 'skipped', id, because: forward.get(id)?.[0] ?? '', at: 0 }];
        return isOf('completed', event) ? [] : [event];
      });
    }),
  ),
  mutant(
    94,
    'forward-blocks',
    'An action that depends on a later one delays the others.',
    depends((ids, { id }, request) => {
      const forward = forwardIds(request);
      const all = knownIds(request);
      const before = [...forward].filter(
        ([first, wanted]) => all.indexOf(first) < all.indexOf(id) && !wanted.includes(id) && first !== id,
      );
      return [...ids, ...before.map(([first]) => first)];
    }),
  ),
  mutant(
    32,
    'runs-orphans',
    'It starts an action although an id of its depends_on never came.',
    depends((ids, _, request) => ids.filter((id) => knownIds(request).includes(id))),
  ),
  mutant(
    32,
    'fails-orphans',
    'An action whose dependency never came fails.',
    emitsEach((event, request) =>
      isOf('skipped', event) && !knownIds(request).includes(textIn(event, 'because'))
        ? {
            type: 'failed',
            id: event['id'] ?? '',
            error: 'no such action',
            attempts: 1,
            at: event['at'] ?? 0,
          }
        : event,
    ),
  ),
  mutant(
    32,
    'orphans-wait',
    'It says nothing about an action whose dependency never came.',
    emitsEach((event, request) =>
      isOf('skipped', event) && !knownIds(request).includes(textIn(event, 'because')) ? [] : event,
    ),
  ),
  mutant(
    33,
    'cycles-wait',
    'It says nothing about a cycle.',
    emitsEach((event) => (isCycle(event) ? [] : event)),
  ),
  mutant(
    33,
    'skips-cycles',
    'The actions of a cycle are skipped.',
    emitsEach((event) =>
      isCycle(event)
        ? { type: 'skipped', id: event['id'] ?? '', because: 'a cycle', at: event['at'] ?? 0 }
        : event,
    ),
  ),
  mutant(
    33,
    'cycle-ends-turn',
    'A cycle ends the turn.',
    emits((events) => (events.some(isCycle) ? events.filter((event) => !isOf('completed', event)) : events)),
  ),
  mutant(
    25,
    'drops-unnamed',
    'It does not run an action without an id.',
    reads((output) => output.replaceAll(/<action(?![^>]*id=)[^>]*>.*?<\/action>/gs, '')),
  ),
  mutant(
    25,
    'same-id',
    'All actions without an id have the same one.',
    emitsEach((event) => {
      const { action } = event;
      if (isOf('action', event) && isObject(action) && action['generated'] === true)
        return { ...event, action: { ...action, id: 'unnamed' } };
      return textIn(event, 'id').startsWith('#') ? { ...event, id: 'unnamed' } : event;
    }),
  ),
  mutant(
    25,
    'usable-ids',
    'An action can depend on an id that it made.',
    reads((output) => {
      let made = 0;
      return output.replaceAll(/<action(?![^>]* id=)/g, () => `<action id="#${++made}"`);
    }),
  ),
  mutant(
    26,
    'twice-silently',
    'It reports no id that came before.',
    emits((events) => events.filter((event) => event['code'] !== 'duplicate-id')),
  ),
  mutant(
    26,
    'runs-again',
    'It runs an action with the id of an earlier iteration.',
    andThen(
      reads((output, i) => (i === 0 ? output : output.replaceAll(/ id="(\w+)"/g, ' id="$1~"'))),
      (events) =>
        events.map((event) => ({
          ...event,
          ...('id' in event ? { id: textIn(event, 'id').replace('~', '') } : {}),
        })),
    ),
  ),
  mutant(
    78,
    'completes-twice',
    'It tells twice that an action is completed.',
    emitsEach((event) => (isOf('completed', event) ? [event, event] : event)),
  ),
  mutant(
    78,
    'fails-twice',
    'It tells twice that an action has failed.',
    emitsEach((event) => (isOf('failed', event) ? [event, event] : event)),
  ),
];
