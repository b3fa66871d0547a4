/** LLM-S15: a server stops generating when its client leaves, by what its witness counts. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Finding, Rule } from '../../../../src/kit/judge/index.ts';
import type { Fact } from '../answer.ts';
import type { ServerView } from '../view.ts';
import { factRuleWith } from './fact-rule.ts';

/** How long a server may need to see that its client has left (ms). A slow model makes a token first. */
const grace = 2000;

/** What was seen so far. */
interface Seen {
  /** The time of a whole answer to the long prompt (ms). */
  whole: number | undefined;
  /** The lowest and the highest count of the witness, before the client left. */
  idle: number;
  busy: number;
  /** When the client left, and how much longer the answer would have taken (ms). */
  left: { readonly at: number; readonly rest: number } | undefined;
  /** Whether another answer ended after that. Until then vLLM's count may be the old one (vllm-project/vllm#29928). */
  again: boolean;
}

/** A pass is earned only where the answer would have gone on for long, and the witness had counted it. */
function judgeCount(seen: Seen, running: number, event: TraceEvent): Finding | undefined {
  const { left, idle, busy } = seen;
  if (left === undefined) {
    seen.idle = Math.min(idle, running);
    seen.busy = Math.max(busy, running);
    return undefined;
  }
  const since = event.at - left.at;
  if (busy <= idle) return undefined;
  if (running <= idle) return since < left.rest / 2 ? exercised(event) : undefined;
  if (since < grace || !seen.again) return undefined;
  return violated(
    event,
    `expected the server to stop generating when its client left; ${Math.round(since)} ms later the witness counts ${running}, and ${idle} when it was idle`,
  );
}

function judge(fact: Fact, event: TraceEvent, seen: Seen): Finding | undefined {
  switch (fact.type) {
    // An error, too, ends generation.
    case 'over':
      seen.again = seen.left !== undefined;
      if (fact.since !== undefined) seen.whole = Math.max(seen.whole ?? 0, event.at - fact.since.at);
      return undefined;
    case 'left':
      if (seen.whole !== undefined)
        seen.left = { at: event.at, rest: seen.whole - (event.at - fact.since.at) };
      return undefined;
    case 'running':
      return judgeCount(seen, fact.running, event);
    default:
      return undefined;
  }
}

export const leavingRules: readonly Rule<ServerView>[] = [
  factRuleWith(
    'LLM-S15',
    (): Seen => ({ whole: undefined, idle: Infinity, busy: 0, left: undefined, again: false }),
    judge,
  ),
];
