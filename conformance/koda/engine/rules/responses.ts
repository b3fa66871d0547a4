/** KODA-30, 31, 33, 34 and 86: the thoughts and the text of a response. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { turnRule } from '../../shared/rules/session-rule.ts';
import type { Turn } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { endsWithCalls } from './orders.ts';
import { mayBeStopped } from './pauses.ts';

const doneAfterThought = turnRule({
  requirement: 'KODA-30',
  listens: ['event.thinking_done'],
  step: (event, { response }): Findings =>
    response.state === 'open' && response.thinkingDeltas > 0
      ? exercised(event)
      : violated(event, 'expected a thinking_delta of this response before thinking_done; none came'),
});

const startsThinkingOnce = turnRule({
  requirement: 'KODA-31',
  listens: ['event.thinking_start', 'event.text_done'],
  step(event, { response }): Findings {
    if (engineEvent(event).type === 'text_done')
      return response.state === 'open' && response.thinkingDeltas > 0 ? exercised(event) : undefined;
    return response.state === 'open' && response.thinkingStarts > 0
      ? violated(event, 'expected one thinking_start in a response; a second one came')
      : undefined;
  },
});

const thoughtEndsFirst = turnRule({
  requirement: 'KODA-86',
  listens: ['event.response_start'],
  step(event, { response }): Findings {
    if (response.state !== 'open' || response.thinkingDeltas === 0) return undefined;
    return response.thinks
      ? violated(event, 'expected thinking_done before response_start; the thought was open')
      : exercised(event);
  },
});

/** Whether a text or its end comes after the end of its response: nothing shows that the model was asked again. */
export function isStray(
  { response, assembled, retries, calledLast, interrupted }: Turn,
  type: string,
): boolean {
  if (type !== 'text_delta' && type !== 'text_done') return false;
  if (response.state === 'open' || assembled !== undefined || retries) return false;
  return (response.state === 'done' && !calledLast) || (interrupted !== undefined && type === 'text_done');
}

const startsResponse = turnRule({
  requirement: 'KODA-33',
  listens: ['event.response_start', 'event.text_delta'],
  step(event, turn): Findings {
    const { response } = turn;
    const message = engineEvent(event);
    // KODA-34 judges a text after the end of its response.
    if (isStray(turn, message.type)) return undefined;
    const started = response.state === 'open' && response.responseStarts > 0;
    if (message.type === 'response_start')
      return started
        ? violated(event, 'expected one response_start in a response; a second one came')
        : undefined;
    if (message.type !== 'text_delta' || message.text.trim() === '') return undefined;
    if (started) return exercised(event);
    return violated(
      event,
      'expected response_start before the first text_delta that is not blank; none came',
    );
  },
});

const endsText = turnRule({
  requirement: 'KODA-34',
  listens: ['event.text_delta', 'event.text_done', 'event.tool_call_start', 'event.turn_end'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    const { response, interrupted } = turn;
    const stray = isStray(turn, message.type);
    if (message.type === 'text_done' && interrupted !== undefined) {
      // A thought that stays open at its interrupt is not completed.
      const leavesThought = response.state === 'open' && !response.hasText && response.thinks;
      if (!leavesThought && !stray) return undefined;
      return violated(event, 'expected no text_done after the interrupt, because no text was open; it came', [
        interrupted.seq,
      ]);
    }
    if (stray)
      return violated(event, `expected nothing of a response after its text_done; ${message.type} came`);
    if (message.type === 'text_done') return exercised(event);
    if (interrupted !== undefined) return undefined;
    const isOpen = response.state === 'open';
    if (message.type === 'tool_call_start') {
      // A later call may belong to the same response as the one before it.
      return isOpen || turn.owesTextDone
        ? violated(event, 'expected text_done before the calls of a response; it did not come')
        : undefined;
    }
    if (message.type !== 'turn_end' || message.reason.kind !== 'complete') return undefined;
    // The guard against repeated calls ends a turn with a warn, and without a response.
    if (mayBeStopped(turn) || turn.warned !== undefined) return undefined;
    const unanswered = turn.calledLast && (turn.asksModel || endsWithCalls(turn));
    return isOpen || unanswered
      ? violated(event, 'expected text_done before turn_end; it did not come')
      : undefined;
  },
});

export const responseRules: readonly Rule<KodaView>[] = [
  doneAfterThought,
  startsThinkingOnce,
  thoughtEndsFirst,
  startsResponse,
  endsText,
];
