/** Changes a hand-written session in one or two places: what a rule says must change with it, or must not. */
import type { Json, JsonObject, TraceEvent } from '../src/kit/base/index.ts';

/** One change. Events have their numbers in the session as it is written. */
export type SessionEdit =
  | { readonly drop: number }
  /** Keeps the first events. */
  | { readonly first: number }
  /** Repeats an event at once. */
  | { readonly twice: number }
  /** Repeats the events from one to another one behind the last of them. In the copies, each text `id` and each opened stream ends in a number. */
  | { readonly repeat: readonly [number, number]; readonly times: number; readonly id: string }
  /** Moves an event behind another one, to its time. */
  | { readonly move: number; readonly after: number }
  /** Puts an event of another session behind an event, at its time: on its stream, or on that of the event `beside`. */
  | {
      readonly insert: Pick<TraceEvent, 'from' | 'kind' | 'data'>;
      readonly after: number;
      readonly beside?: number;
    }
  /** An event and all after it come later by `ms`, which may be negative. */
  | { readonly late: number; readonly ms: number }
  /** Gives an event a size (bytes). */
  | { readonly size: number; readonly to: number }
  /** Repeats a text of an event's data until it has so many characters. */
  | { readonly lengthen: number; readonly path: readonly (string | number)[]; readonly to: number }
  /** Replaces a value of an event's data. `to` absent: removes it. */
  | { readonly set: number; readonly path: readonly (string | number)[]; readonly to?: Json };

/** The events of a session after its edits, numbered anew. */
export function edited(events: readonly TraceEvent[], edits: readonly SessionEdit[]): readonly TraceEvent[] {
  let now = events.map((event, i) => ({ event, i }));
  for (const edit of edits) {
    if ('drop' in edit) now = now.filter(({ i }) => i !== edit.drop);
    else if ('first' in edit) now = now.filter(({ i }) => i < edit.first);
    else if ('twice' in edit) now = now.flatMap((one) => (one.i === edit.twice ? [one, one] : [one]));
    else if ('repeat' in edit) now = repeated(now, edit);
    else if ('move' in edit) now = moved(now, edit);
    else if ('insert' in edit) {
      const place = events[edit.beside ?? edit.after];
      now = now.flatMap((one) =>
        one.i === edit.after && place !== undefined
          ? [one, { event: { ...inserted(edit.insert, place), at: one.event.at }, i: -1 }]
          : [one],
      );
    } else if ('size' in edit)
      now = now.map(({ event, i }) => ({ event: i === edit.size ? { ...event, size: edit.to } : event, i }));
    else if ('late' in edit)
      now = now.map(({ event, i }) => ({
        event: i < edit.late ? event : { ...event, at: Math.max(0, event.at + edit.ms) },
        i,
      }));
    else if ('lengthen' in edit)
      now = now.map(({ event, i }) => ({
        event: i === edit.lengthen ? { ...event, data: lengthened(event.data, edit) } : event,
        i,
      }));
    else
      now = now.map(({ event, i }) => ({
        event: i === edit.set ? { ...event, data: replaced(event.data, edit.path, edit.to) } : event,
        i,
      }));
  }
  let last = 0;
  return now.map(({ event }, seq) => ({ ...event, seq, at: (last = Math.max(last, event.at)) }));
}

interface Numbered {
  readonly event: TraceEvent;
  readonly i: number;
}

function repeated(
  now: readonly Numbered[],
  { repeat: [first, last], times, id }: Extract<SessionEdit, { repeat: object }>,
): Numbered[] {
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

function moved(
  now: readonly Numbered[],
  { move, after }: Extract<SessionEdit, { move: number }>,
): Numbered[] {
  const one = now.find(({ i }) => i === move);
  return now.flatMap((other) => {
    if (other.i === move) return after === move ? [other] : [];
    if (other.i !== after || one === undefined) return [other];
    return [other, { event: { ...one.event, at: other.event.at }, i: move }];
  });
}

/** An event beside another one: the kit's own, or between the target and the peer of that stream. */
function inserted(
  { from, kind, data }: Extract<SessionEdit, { insert: object }>['insert'],
  { at, seq, wire, conn, stream, ...beside }: TraceEvent,
): TraceEvent {
  const peer = beside.from === 'target' ? beside.to : beside.from;
  const others = from === 'target' ? { from, to: peer } : { from: peer, to: 'target' };
  const ends = from === 'kit' ? { from, to: from } : others;
  return { at, seq, wire, conn, stream, ...ends, kind, data };
}

function lengthened(data: JsonObject, { path, to }: Extract<SessionEdit, { lengthen: number }>): JsonObject {
  const text = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], data);
  return replaced(data, path, String(text).padEnd(to, String(text)));
}

function replaced(data: JsonObject, path: readonly (string | number)[], to: Json | undefined): JsonObject {
  const copy = structuredClone(data);
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], copy);
  const members = parent as Record<string | number, unknown>;
  const key = path.at(-1) ?? '';
  if (to === undefined) delete members[key];
  else members[key] = to;
  return copy;
}

/** An hour (ms). */
const hour = 3_600_000;

/** A mark that means nothing to any rule: a scenario may set one anywhere. */
const foreignMark = {
  conn: '',
  stream: '',
  from: 'kit',
  to: 'kit',
  kind: 'mark',
  data: { foreign: true },
} as const;

/** Changes of a whole session that change no verdict, by their names. */
export const unchanging: {
  readonly [name: string]: (events: readonly TraceEvent[]) => readonly TraceEvent[];
} = {
  'an hour later': (events) => events.map((event) => ({ ...event, at: event.at + hour })),
  'with foreign marks between its events': (events) =>
    events
      .flatMap((event) => [event, { ...foreignMark, seq: 0, at: event.at, wire: event.wire }])
      .map((event, seq) => ({ ...event, seq })),
};

/** How long a busy machine holds up each event (ms). */
const heldUp = 4000;

/** A delay that is over when a session begins (ms). */
const longAgo = 20_000;

/** Places of the delays of a busy machine in a session, by the name of the place. */
export const onBusyMachine: {
  readonly [name: string]: (events: readonly TraceEvent[]) => readonly TraceEvent[];
} = {
  /** Each event comes later, after a mark that says so. */
  'before each event': (events) =>
    delayed(events, (event, i) =>
      i === 0
        ? [event]
        : [busy(heldUp, event.wire, event.at + i * heldUp), { ...event, at: event.at + i * heldUp }],
    ),
  /** The events come as they would have come on an idle machine. */
  'long before': (events) =>
    delayed(events, (event, i) => (i === 0 ? [event, busy(longAgo, event.wire, event.at)] : [event])),
};

/** A session with marks between its events, numbered anew. The kit's own marks come first; they give the time limits. */
const delayed = (
  events: readonly TraceEvent[],
  marked: (event: TraceEvent, i: number) => readonly TraceEvent[],
): readonly TraceEvent[] => events.flatMap(marked).map((event, seq) => ({ ...event, seq }));

const busy = (ms: number, wire: string, at: number): TraceEvent => ({
  ...foreignMark,
  data: { busy: ms },
  seq: 0,
  at,
  wire,
});
