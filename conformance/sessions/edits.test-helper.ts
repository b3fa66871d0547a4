/** Changes a session in a few places: the other sessions of a row are written as edits of one that is written out. */
import type { Json, JsonObject, TraceEvent } from '../../src/kit/base/index.ts';

/** Where a value is in the data of an event; empty: the data itself. */
type DataPath = readonly (string | number)[];

/** An event that an edit adds. */
export interface InsertedEvent extends Partial<Omit<TraceEvent, 'seq' | 'at'>> {
  readonly from: string;
  readonly kind: TraceEvent['kind'];
  readonly data: JsonObject;
  /** How much later than the event before it (ms). Absent: at its time. */
  readonly ms?: number;
}

/** One change. Events have their numbers in the session as it is written. */
export type SessionEdit =
  | { readonly drop: number | readonly number[] }
  /** Keeps the first events. */
  | { readonly first: number }
  /** Repeats an event at once. */
  | { readonly twice: number }
  /** Repeats the events from one to another one after the last of them. In the copies, each text `id` and each opened stream ends in a number. */
  | { readonly repeat: readonly [number, number]; readonly times: number; readonly id: string }
  /** Moves an event after another one, to its time. */
  | { readonly move: number; readonly after: number }
  /**
   * Puts an event, or several, after an event. What they do not say of their stream is as in that event, or in the
   * event `beside`.
   */
  | {
      readonly insert: InsertedEvent | readonly InsertedEvent[];
      readonly after: number;
      readonly beside?: number;
    }
  /** An event and all after it come later by `ms`, which may be negative. */
  | { readonly late: number; readonly ms: number }
  /** Gives an event a size (bytes). */
  | { readonly size: number; readonly to: number }
  /** Repeats a text of an event's data until it has so many characters. */
  | { readonly lengthen: number; readonly path: DataPath; readonly to: number }
  /** Replaces a value of an event's data. `to` absent: removes it. */
  | { readonly set: number; readonly path: DataPath; readonly to?: Json };

/** The edit that has a member. */
type EditWith<K extends string> = Extract<SessionEdit, { readonly [key in K]: unknown }>;

/** An event with its number in the session as it is written; -1 for one that an edit made. */
interface Numbered {
  readonly event: TraceEvent;
  readonly i: number;
}

/**
 * The events of a session after its edits, numbered anew.
 *
 * @throws Error for an edit that changes nothing
 */
export function edited(events: readonly TraceEvent[], edits: readonly SessionEdit[]): readonly TraceEvent[] {
  let now: readonly Numbered[] = events.map((event, i) => ({ event, i }));
  for (const edit of edits) {
    const next = editedOnce(now, edit, events);
    if (isSame(now, next)) throw new Error(`the edit ${JSON.stringify(edit)} changes nothing`);
    now = next;
  }
  let last = 0;
  return now.map(({ event }, seq) => ({ ...event, seq, at: (last = Math.max(last, event.at)) }));
}

/** The order of members counts, too: a target may keep it. */
const isSame = (now: readonly Numbered[], next: readonly Numbered[]): boolean =>
  now.length === next.length &&
  now.every(
    ({ event }, k) => event === next[k]?.event || JSON.stringify(event) === JSON.stringify(next[k]?.event),
  );

function editedOnce(
  now: readonly Numbered[],
  edit: SessionEdit,
  events: readonly TraceEvent[],
): readonly Numbered[] {
  const changed = (at: number, change: (event: TraceEvent) => Partial<TraceEvent>): readonly Numbered[] =>
    now.map(({ event, i }) => ({ event: i === at ? { ...event, ...change(event) } : event, i }));
  if ('drop' in edit) return now.filter(({ i }) => ![edit.drop].flat().includes(i));
  if ('first' in edit) return now.filter(({ i }) => i < edit.first);
  if ('twice' in edit) return now.flatMap((one) => (one.i === edit.twice ? [one, one] : [one]));
  if ('repeat' in edit) return repeated(now, edit);
  if ('move' in edit) return moved(now, edit);
  if ('insert' in edit) return withInserted(now, edit, events);
  if ('size' in edit) return changed(edit.size, () => ({ size: edit.to }));
  if ('late' in edit) return delayed(now, edit);
  if ('lengthen' in edit) return changed(edit.lengthen, ({ data }) => ({ data: lengthened(data, edit) }));
  if ('set' in edit) return changed(edit.set, ({ data }) => ({ data: replaced(data, edit.path, edit.to) }));
  throw new Error(`${JSON.stringify(edit)} is no edit`);
}

const delayed = (now: readonly Numbered[], { late, ms }: EditWith<'late'>): readonly Numbered[] =>
  now.map(({ event, i }) => ({
    event: i < late ? event : { ...event, at: Math.max(0, event.at + ms) },
    i,
  }));

function repeated(
  now: readonly Numbered[],
  { repeat: [first, last], times, id }: EditWith<'repeat'>,
): readonly Numbered[] {
  const block = now.filter(({ i }) => i >= first && i <= last);
  const renamed = (value: Json, k: number): Json =>
    JSON.parse(JSON.stringify(value), (_, text: unknown) => (text === id ? `${id}-${k}` : text)) as Json;
  const opened = new Set(block.flatMap(({ event }) => (event.kind === 'open' ? [event.stream] : [])));
  const copy = (event: TraceEvent, k: number): TraceEvent => ({
    ...event,
    stream: opened.has(event.stream) ? `${event.stream}-${k}` : event.stream,
    data: renamed(event.data, k) as JsonObject,
  });
  const copies = Array.from({ length: times }, (_, k) =>
    block.map(({ event }) => ({ event: copy(event, k + 1), i: -1 })),
  ).flat();
  return now.flatMap((one) => (one.i === last ? [one, ...copies] : [one]));
}

function moved(now: readonly Numbered[], { move, after }: EditWith<'move'>): readonly Numbered[] {
  const one = now.find(({ i }) => i === move);
  return now.flatMap((other) => {
    if (other.i === move) return after === move ? [other] : [];
    if (other.i !== after || one === undefined) return [other];
    return [other, { event: { ...one.event, at: other.event.at }, i: move }];
  });
}

function withInserted(
  now: readonly Numbered[],
  { insert, after, beside = after }: EditWith<'insert'>,
  events: readonly TraceEvent[],
): readonly Numbered[] {
  const place = events[beside];
  if (place === undefined) return now;
  return now.flatMap((one) => {
    if (one.i !== after) return [one];
    let { at } = one.event;
    const added = [insert].flat().map(({ ms = 0, ...each }) => {
      at += ms;
      return { event: inserted(each, { ...place, at }), i: -1 };
    });
    return [one, ...added];
  });
}

/** An event at the time of another one: the kit's own, or between the target and the peer of that stream, or as its `to` says. */
function inserted(given: Omit<InsertedEvent, 'ms'>, place: TraceEvent): TraceEvent {
  const { seq, at, wire, conn, stream } = place;
  const { from } = given;
  const peer = place.from === 'target' ? place.to : place.from;
  const others = from === 'target' ? { from, to: peer } : { from: peer, to: 'target' };
  const ends = from === 'kit' ? { from, to: from } : others;
  return { seq, at, wire, conn, stream, ...ends, ...given, ...(given.to === undefined ? ends : {}) };
}

function lengthened(data: JsonObject, { path, to }: EditWith<'lengthen'>): JsonObject {
  const text = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], data);
  return replaced(data, path, String(text).padEnd(to, String(text)));
}

function replaced(data: JsonObject, path: DataPath, to: Json | undefined): JsonObject {
  const key = path.at(-1);
  if (key === undefined) return to as JsonObject;
  const copy = structuredClone(data);
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], copy);
  const members = parent as Record<string | number, unknown>;
  if (to === undefined) delete members[key];
  else members[key] = to;
  return copy;
}
