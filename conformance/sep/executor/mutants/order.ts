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
  outputsOf,
  reads,
} from './mutant.ts';
import type { Event, ExecutorFaults } from './mutant.ts';

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
export const orderFaults: ExecutorFaults = {
  'thoughts-wait': emits(heldThoughts),
  'sync-is-async': reads((output) => output.replaceAll('mode="sync"', 'mode="async"')),
  'async-is-sync': reads((output) => output.replaceAll('mode="async"', 'mode="sync"')),
  'tracks-forgotten': reads((output) => output.replaceAll('"fire_and_forget"', '"async"')),
  'waits-for-forgotten': andThen(
    reads((output) => output.replaceAll('"fire_and_forget"', '"async"')),
    (events, request) => events.filter((event) => !ends.has(event['type']) || !isForgotten(event, request)),
  ),
  'starts-last': emits(startedLast),
  'first-dependency': depends((ids) => ids.slice(0, 1)),
  'skips-forward': emits((events, request) => {
    const forward = forwardIds(request);
    return events.flatMap((event): readonly Event[] => {
      const id = textIn(event, 'id');
      if (!forward.has(id)) return [event];
      if (isOf('started', event))
        return [{ type: 'skipped', id, because: forward.get(id)?.[0] ?? '', at: 0 }];
      return isOf('completed', event) ? [] : [event];
    });
  }),
  'forward-blocks': depends((ids, { id }, request) => {
    const forward = forwardIds(request);
    const all = knownIds(request);
    const before = [...forward].filter(
      ([first, wanted]) => all.indexOf(first) < all.indexOf(id) && !wanted.includes(id) && first !== id,
    );
    return [...ids, ...before.map(([first]) => first)];
  }),
  'runs-orphans': depends((ids, _, request) => ids.filter((id) => knownIds(request).includes(id))),
  'fails-orphans': emitsEach((event, request) =>
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
  'orphans-wait': emitsEach((event, request) =>
    isOf('skipped', event) && !knownIds(request).includes(textIn(event, 'because')) ? [] : event,
  ),
  'cycles-wait': emitsEach((event) => (isCycle(event) ? [] : event)),
  'skips-cycles': emitsEach((event) =>
    isCycle(event)
      ? { type: 'skipped', id: event['id'] ?? '', because: 'a cycle', at: event['at'] ?? 0 }
      : event,
  ),
  'cycle-ends-turn': emits((events) =>
    events.some(isCycle) ? events.filter((event) => !isOf('completed', event)) : events,
  ),
  'drops-unnamed': reads((output) => output.replaceAll(/<action(?![^>]*id=)[^>]*>.*?<\/action>/gs, '')),
  'same-id': emitsEach((event) => {
    const { action } = event;
    if (isOf('action', event) && isObject(action) && action['generated'] === true)
      return { ...event, action: { ...action, id: 'unnamed' } };
    return textIn(event, 'id').startsWith('#') ? { ...event, id: 'unnamed' } : event;
  }),
  'usable-ids': reads((output) => {
    let made = 0;
    return output.replaceAll(/<action(?![^>]* id=)/g, () => `<action id="#${++made}"`);
  }),
  'twice-silently': emits((events) => events.filter((event) => event['code'] !== 'duplicate-id')),
  'runs-again': andThen(
    reads((output, i) => (i === 0 ? output : output.replaceAll(/ id="(\w+)"/g, ' id="$1~"'))),
    (events) =>
      events.map((event) => ({
        ...event,
        ...('id' in event ? { id: textIn(event, 'id').replace('~', '') } : {}),
      })),
  ),
  'completes-twice': emitsEach((event) => (isOf('completed', event) ? [event, event] : event)),
  'fails-twice': emitsEach((event) => (isOf('failed', event) ? [event, event] : event)),
};
