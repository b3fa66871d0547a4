/**
 * The rules about errors that a whole program must not take for a normal end. It tells its caller of one by another request,
 * by an exit code that is not 0, or by words of its output.
 */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { breakRow } from '../executions.ts';
import type { Exchange } from '../exchange.ts';
import type { ClientView } from '../view.ts';
import { errorWordIn } from './error-words.ts';

const faults: { readonly [row: string]: string } = {
  'LLM-C06': 'its stream ended without its terminal',
  'LLM-C07': 'its stream ended with an error',
};

/** Whether the answer of an exchange broke off in the way of this row, on the side of the provider. */
const isBroken = (row: string, { answered }: Exchange): boolean =>
  answered !== undefined && ends.has(answered.outcome) && breakRow(answered) === row;

/** Answers that ended by themselves. An answer that the program let go has another outcome. */
const ends: ReadonlySet<string> = new Set(['complete', 'reset']);

/** The verdict at the end of a trace. `process`: the end of the program, if it ended in its time. */
function conclude(
  row: string,
  process: TraceEvent | undefined,
  { ask }: ClientView,
  last: TraceEvent,
): Findings {
  if (ask?.program !== true) return undefined;
  const judged = ask.exchanges.filter((one) => one.judged);
  const broken = judged.findLast((one) => isBroken(row, one));
  if (broken === undefined) return undefined;
  // A program that does not stream gets all of a body, or an error.
  if (!broken.streamed)
    return unknowable(last, 'the program does not stream, and its answers do not show this fault');
  if (broken !== judged.at(-1)) return exercised(last);
  if (process === undefined) return unknowable(last, 'the program did not end in its time after the error');
  return judgeEnd(row, process, broken);
}

/** Judges the end of a program whose last answer broke off. */
function judgeEnd(row: string, event: TraceEvent, { seq, outputAfter }: Exchange): Findings {
  // The exit code of a program that a signal ended is null.
  if (event.data['exit'] !== 0 || errorWordIn(outputAfter) !== undefined) return exercised(event);
  const printed = outputAfter.trim() === '' ? 'nothing' : JSON.stringify(outputAfter.trim().slice(-200));
  const message = `expected an error to the caller, because ${faults[row] ?? ''}; came exit code 0, no further request, and no word of an error on stdout or stderr (it printed ${printed})`;
  return violated(event, message, [seq]);
}

const noticedRule = (row: string): Rule<ClientView> =>
  rule({
    requirement: row,
    listens: ['process'],
    start: (): { process: TraceEvent | undefined } => ({ process: undefined }),
    step(state, event) {
      state.process = event;
      return undefined;
    },
    end: ({ process }, view: ClientView, last) => conclude(row, process, view, last),
  });

export const noticedRules: readonly Rule<ClientView>[] = Object.keys(faults).map(noticedRule);
