/** The note about a model that never makes two calls in one answer. Rows about several calls then rest on single calls. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import type { Rule } from '../../../src/kit/judge/index.ts';
import { factRule } from './rules/fact-rule.ts';
import { serverJudging } from './view.ts';
import type { ServerView } from './view.ts';

/** The calls of the answers to a prompt that wants two. */
interface Seen {
  answers: number;
  most: number;
}

const counting = (seen: Seen): Rule<ServerView> =>
  factRule('LLM-S20', (fact) => {
    if (fact.type !== 'terminal' || fact.answer.callsWanted < 2) return undefined;
    seen.answers++;
    seen.most = Math.max(seen.most, fact.answer.calls.size);
    return undefined;
  });

/**
 * A sentence about the calls, when no answer to a prompt for two calls had two. Undefined when one had, or when there
 * was no such answer. `traces`: the events of each scenario.
 */
export function parallelNote(traces: readonly (readonly TraceEvent[])[]): string | undefined {
  const seen: Seen = { answers: 0, most: 0 };
  for (const events of traces) {
    const judge = new Judge({ ...serverJudging, rules: [counting(seen)] });
    for (const event of events) judge.step(event);
  }
  if (seen.answers === 0 || seen.most > 1) return undefined;
  const answers = `${seen.answers} answer${seen.answers === 1 ? '' : 's'} to a prompt for two calls had ${seen.most} at most`;
  return `no answer with two calls was seen (${answers}): LLM-S06 and LLM-S20 did not see two calls side by side; a model that calls tools in parallel (--model) shows them`;
}
