/** Reads the events of a run. A test names an event by its kind and id, or by a text that has come by then. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { shown } from '../../../src/kit/testee/index.ts';
import type { Fact, Judgement } from '../../../src/kit/testee/index.ts';

/** The events of a run, in order. */
export type RunEvents = readonly JsonObject[];

/** The events of an answer's `ok`. @returns what is wrong with their form, as a text */
export function runEvents(ok: JsonObject): RunEvents | string {
  const { events } = ok;
  if (!isArray(events)) return `expected ok.events to be an array; came ${shown(events)}`;
  for (const [i, event] of events.entries()) {
    if (!isObject(event)) return `expected events[${i}] to be an object; came ${shown(event)}`;
    if (typeof event['type'] !== 'string')
      return `expected events[${i}].type to be a text; came ${shown(event['type'])}`;
  }
  return events as RunEvents;
}

/** A fact of the events. */
export const ofEvents =
  (judge: (wanted: Json, events: RunEvents, ok: JsonObject) => Judgement): Fact =>
  (wanted, ok) => {
    const events = runEvents(ok);
    return typeof events === 'string' ? { violated: events } : judge(wanted, events, ok);
  };

/** The text under a name; '' when there is none. */
export const textIn = (event: JsonObject, name: string): string => {
  const value = event[name];
  return typeof value === 'string' ? value : '';
};

/** All text of a kind. */
export const textOf = (events: RunEvents, kind: string): string =>
  events
    .filter(({ type }) => type === kind)
    .map((event) => textIn(event, 'text'))
    .join('');

/**
 * The places of the events with a name: `completed a` is the event completed of the action a; `response Done` is the one
 * with which the text of responses contains Done; `finished` is each event of that kind.
 */
export function placesOf(events: RunEvents, name: string): readonly number[] {
  const [kind = '', ...rest] = name.split(' ');
  const wanted = rest.join(' ');
  if (kind === 'thought' || kind === 'response') return textPlace(events, kind, wanted);
  return events.flatMap(({ type, id }, i) => (type === kind && (wanted === '' || id === wanted) ? [i] : []));
}

function textPlace(events: RunEvents, kind: string, wanted: string): readonly number[] {
  let text = '';
  for (const [i, event] of events.entries()) {
    if (event['type'] !== kind) continue;
    text += textIn(event, 'text');
    if (text.includes(wanted)) return [i];
  }
  return [];
}

/** The events of a kind, by the id of their action. The first of an action counts. */
export function byId(events: RunEvents, kind: string): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const event of events) {
    const id = textIn(event, 'id');
    if (event['type'] === kind && !found.has(id)) found.set(id, event);
  }
  return found;
}

/** Whether a diagnostic is advice, and reports no fault. */
export const isAdvice = ({ level }: JsonObject): boolean => level === 'info';

/** Whether an event tells a value that was fetched, and no tag of the model. */
export const isFetched = ({ type, runtime }: JsonObject): boolean =>
  type === 'context_feed' && runtime === true;

/** The texts in a list. */
export const textsIn = (value: Json | undefined): readonly string[] =>
  isArray(value) ? value.filter((one) => typeof one === 'string') : [];
