/**
 * The rules about errors that a whole program must not take for a normal end. It tells its caller of one by another request,
 * by an exit code that is not 0, or by words of its output.
 */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { breakRow } from '../executions.ts';
import type { Exchange } from '../exchange.ts';
import { isJudged, keyOf, providerNote, streamOf } from '../view.ts';
import type { ClientView } from '../view.ts';
import { errorWordIn } from './error-words.ts';

const faults: { readonly [row: string]: string } = {
  'LLM-C06': 'its stream ended without its terminal',
  'LLM-C07': 'its stream ended with an error',
};

/** The last exchange of a program's conversation, if its answer broke off in the way of this row. */
function brokenExchange(row: string, { ask }: ClientView): Exchange | undefined {
  if (ask?.program !== true) return undefined;
  const last = ask.exchanges.findLast(({ judged }) => judged);
  const { answered } = last ?? {};
  if (answered === undefined || breakRow(answered) !== row) return undefined;
  return answered.outcome === 'complete' || answered.outcome === 'reset' ? last : undefined;
}

/** Whether an event is a further request of the conversation. */
function asksAgain(event: TraceEvent, { ask, bodies }: ClientView): boolean {
  const detail = providerNote(event);
  if (detail === undefined || ask === undefined || typeof detail['dialect'] !== 'string') return false;
  return isJudged(ask, detail, bodies.get(streamOf(keyOf(detail))));
}

/** Judges the end of the program. */
function judgeEnd(row: string, event: TraceEvent, { seq, outputAfter }: Exchange): Findings {
  const { exit, signal } = event.data;
  if (exit !== 0 || signal !== null || errorWordIn(outputAfter) !== undefined) return exercised(event);
  const printed = outputAfter.trim() === '' ? 'nothing' : JSON.stringify(outputAfter.trim().slice(-200));
  const message = `expected an error to the caller, because ${faults[row] ?? ''}; came exit code 0, no further request, and no word of an error on stdout or stderr (it printed ${printed})`;
  return violated(event, message, [seq]);
}

const noticedRule = (row: string): Rule<ClientView> =>
  rule({
    requirement: row,
    listens: ['told.request', 'process'],
    start: () => ({ exited: false }),
    step(state, event, view: ClientView) {
      if (event.kind === 'process') state.exited = true;
      const broken = brokenExchange(row, view);
      if (broken?.streamed !== true) return undefined;
      if (event.kind === 'process') return judgeEnd(row, event, broken);
      return asksAgain(event, view) ? exercised(event) : undefined;
    },
    end({ exited }, view: ClientView, last) {
      const broken = brokenExchange(row, view);
      if (broken?.streamed === true)
        return exited ? undefined : unknowable(last, 'the program did not end in its time after the error');
      const hidden = view.ask?.program === true && view.ask.exchanges.some((one) => isHidden(row, one));
      return hidden
        ? unknowable(last, 'the program does not stream, and its answers do not show this fault')
        : undefined;
    },
  });

/** Whether a whole body hides how the answer broke off: a program that does not stream gets all of it, or an error. */
const isHidden = (row: string, { judged, streamed, answered }: Exchange): boolean =>
  judged && !streamed && answered !== undefined && breakRow(answered) === row;

/** The rules of this theme. */
export const noticedRules: readonly Rule<ClientView>[] = Object.keys(faults).map(noticedRule);
