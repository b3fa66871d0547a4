/** What a target leaves undone: TOON-48, 49 and 50 end in the same way. */
import { overdue, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { broken, lostCount, pendingAsks } from '../view.ts';
import type { ToonView } from '../view.ts';

/** The target ends the stream, and leaves something undone that is this requirement's. */
export function leftUndone(
  requirement: string,
  event: TraceEvent,
  view: ToonView,
  expected: string,
): Findings {
  const undone = view.meaning?.closes?.find((ask) => broken(ask).includes(requirement));
  return undone && violated(event, `expected ${expected}; the target ended the stream`, [undone.seq]);
}

/** The trace is over, and something is undone for which there was time. */
export function neverDone(
  requirement: string,
  view: ToonView,
  last: TraceEvent,
  expected: string,
): Finding[] {
  const unsure = lostCount(view);
  const undone = pendingAsks(view)
    .filter(({ ask }) => broken(ask).includes(requirement))
    .map(({ ask: { seq, heard, error }, within }) => {
      const but = error === undefined ? {} : { came: 'nothing but an ERROR', also: [error] };
      return { seq, at: heard, within, expected, ...but };
    });
  const found = overdue(undone, last);
  return unsure === undefined ? found : [...found, unknowable(last, unsure)];
}
