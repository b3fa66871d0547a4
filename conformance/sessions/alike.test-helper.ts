/** Changes of a whole session that change no verdict, and the delays of a busy machine. */
import type { TraceEvent } from '../../src/kit/base/index.ts';

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
