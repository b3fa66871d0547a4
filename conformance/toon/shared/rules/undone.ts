/** Undone asks: the shared end of the rules of TOON-48, 49 and 50. */
import { overdue, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Findings } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { broken, lostCount, pendingAsks } from '../view.ts';
import type { ToonView } from '../view.ts';

/** The violation of a target that ends the stream with an undone ask of a requirement. */
export function leftUndone(
  requirement: string,
  event: TraceEvent,
  view: ToonView,
  expected: string,
): Findings {
  const undone = view.meaning?.closes?.find((ask) => broken(ask).includes(requirement));
  return undone && violated(event, `expected ${expected}; the target ended the stream`, [undone.seq]);
}

/** The violations of overdue asks of a requirement at the end of a trace. */
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
      const but = error === undefined ? {} : { came: 'only an ERROR', also: [error] };
      return { seq, at: heard, within, expected, ...but };
    });
  const found = overdue(undone, last);
  return unsure === undefined ? found : [...found, unknowable(last, unsure)];
}
