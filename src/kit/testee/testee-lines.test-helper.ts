/** Traces of testees, written a line at a time, and what the rules find in them. */
import type { EventKind, JsonObject, TraceEvent } from '../base/index.ts';
import type { Judge } from '../judge/index.ts';

export type Line = Pick<TraceEvent, 'from' | 'kind' | 'data' | 'note'>;

/** Something that happened. */
export const line = (from: string, kind: EventKind, data: JsonObject): Line => ({ from, kind, data });

/** What the kit notes. */
export const mark = (data: JsonObject): Line => line('kit', 'mark', data);

/** What the testee is asked. */
export const asks = (message: JsonObject): Line => line('tester', 'message', message);

/** What the testee says. */
export const says = (message: JsonObject): Line => line('target', 'message', message);

/** The testee is asked who it is, and says which operations it has. */
export const hello = (...offered: readonly string[]): readonly Line[] => [
  asks({ id: 'hello', op: 'hello' }),
  says({ id: 'hello', ok: { name: 'n', version: '1', ops: offered } }),
];

/** A test of one row with its request; `demanded` is what else the mark says. */
export const put = (
  id: string,
  row: string,
  request: JsonObject,
  demanded: JsonObject = {},
): readonly Line[] => [
  mark({ case: { id, vector: `${id}-vector`, requirements: [row], result: 'valid', ...demanded } }),
  asks({ id, ...request }),
];

/** The scenario was over. */
export const done: Line = mark({ scenario: 's', outcome: 'done' });

/** The scenario was over before its time. */
export const early = (reason: string): Line => mark({ scenario: 's', outcome: 'ended-early', reason });

/** The mark of a scenario that the user interrupted. */
export const interrupted: Line = mark({
  scenario: 's',
  outcome: 'ended-early',
  reason: 'stopped by the user',
  interrupted: true,
});

/** What the rules find; of violations, the first message of each row. */
export interface Verdict {
  readonly exercised: readonly string[];
  readonly violated: { readonly [row: string]: string };
  readonly unknowable: { readonly [row: string]: string };
}

/** Gives a judge a whole trace, a line a millisecond. */
export function judgeLines<V>(
  judge: Judge<V>,
  wire: string,
  lines: readonly (Line | readonly Line[])[],
): Verdict {
  lines.flat().forEach((each, seq) => {
    const to = each.from === 'target' ? 'tester' : 'target';
    judge.step({ seq, at: seq, wire, conn: 'c1', stream: 's1', to, ...each });
  });
  const found = [...judge.end()];
  return {
    exercised: found.flatMap(([id, f]) => (f.exercised > 0 ? [id] : [])),
    violated: Object.fromEntries(
      found.flatMap(([id, f]) => f.violations.slice(0, 1).map((v) => [id, v.message])),
    ),
    unknowable: Object.fromEntries(
      found.flatMap(([id, f]) => (f.unknowable === undefined ? [] : [[id, f.unknowable]])),
    ),
  };
}
