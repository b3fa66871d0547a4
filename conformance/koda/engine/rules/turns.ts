/** KODA-23 to 28: the events of a turn, from its turn_start to its turn_end. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Moment, Rule } from '../../../../src/kit/judge/index.ts';
import { awaitedEvents } from '../../shared/awaited.ts';
import { anyTime, textKept } from '../../shared/turn.ts';
import type { Interruption, Turn } from '../../shared/turn.ts';
import { sessionRule, turnRule } from '../../shared/rules/session-rule.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { isUnsupported, orders, reachesFailure, waitsForInterrupt } from './orders.ts';
import { awaitsResult, mayBeStopped } from './pauses.ts';
import { isStray } from './responses.ts';

const opensAndCloses = sessionRule({
  requirement: 'KODA-23',
  listens: ['event', 'closing'],
  step(event, session): Findings {
    const { turn, before } = session;
    if (event.kind !== 'message') {
      if (turn === undefined || session.quit !== undefined || session.halfClosed) return undefined;
      return violated(event, 'expected a turn_end of the running turn; the engine ended the stream', [
        turn.seq,
      ]);
    }
    const message = engineEvent(event);
    // KODA-25 judges a second turn_start.
    if (message.type === 'turn_start') return undefined;
    if (turn === undefined) {
      if (anyTime.has(message.type)) return undefined;
      const also = before === undefined ? [] : [before.seq];
      return violated(event, `expected ${message.type} within a turn; no turn was running`, also);
    }
    if (message.type !== 'turn_end') return undefined;
    if (message.turn_id === turn.id) return exercised(event);
    return violated(event, `expected turn_end with the turn_id ${turn.id}; came ${message.turn_id}`, [
      turn.seq,
    ]);
  },
  // After an error, an interrupt, a decision to stop, or a blank answer, rows of their own judge the end.
  pending(session, view) {
    const { turn } = session;
    if (turn === undefined || mayBeStopped(turn) || awaitsResult(turn)) return [];
    const judgedElsewhere = turn.error ?? turn.interrupted;
    return judgedElsewhere === undefined ? awaitedEvents(view, session) : [];
  },
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const doNotOverlap = sessionRule({
  requirement: 'KODA-25',
  listens: ['event.turn_start', 'event.turn_end'],
  step(event, { turn, prompts }): Findings {
    // An engine may ignore the prompt that waits (KODA-54): no other turn began next to this one.
    if (engineEvent(event).type === 'turn_end')
      return turn !== undefined && prompts.length > 0 ? exercised(event) : undefined;
    if (turn !== undefined)
      return violated(event, 'expected the turn_end of the running turn first; a turn_start came', [
        turn.seq,
      ]);
    return undefined;
  },
});

const hasRightReason = turnRule({
  requirement: 'KODA-26',
  listens: ['event.turn_end'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    if (message.type !== 'turn_end') return undefined;
    const { kind } = message.reason;
    const { interrupted, prompt } = turn;
    // KODA-45 judges the end after stop.
    if (mayBeStopped(turn)) return undefined;
    const failed = reachesFailure(turn);
    if (kind === 'cancelled') {
      if (interrupted !== undefined) return exercised(event);
      return violated(event, 'expected cancelled only after an interrupt; none was sent in this turn', [
        turn.seq,
      ]);
    }
    if (kind === 'error') {
      if (prompt?.steps === undefined || isUnsupported(message.reason)) return undefined;
      if (failed) return exercised(event);
      // KODA-27 judges an error event that ended the turn.
      if (endsWithError(turn)) return undefined;
      return violated(
        event,
        'expected error only where the inference failed; the directive orders no failure',
        [turn.seq],
      );
    }
    if (interrupted !== undefined) return completeInSpite(event, turn, interrupted);
    if (failed)
      return violated(event, 'expected error, because the inference failed; came complete', [turn.seq]);
    return exercised(event);
  },
});

/** The end of a turn may have crossed its interrupt on the wire, unless it waited for it. KODA-48 judges pauses. */
function completeInSpite(event: Moment, turn: Turn, { seq, certain, pause }: Interruption): Findings {
  if (!certain || pause !== undefined || !waitsForInterrupt(turn)) return undefined;
  return violated(event, 'expected cancelled, because the turn waited for its interrupt; came complete', [
    seq,
  ]);
}

/** Whether a turn ended with its error event: none of the texts that its directive orders after an error came. */
function endsWithError(turn: Turn): boolean {
  const { prompt, text, warned, error } = turn;
  // The text is too long to be kept, or the cap, or the guard against repeated calls, ended the turn before these texts.
  if (error === undefined || text.length >= textKept || warned !== undefined || mayBeStopped(turn))
    return false;
  const steps = prompt?.steps ?? [];
  const ordered = steps.findIndex((step) => 'error' in step);
  // An error event of the engine's own: nothing says which texts come after it.
  if (ordered === -1) return false;
  const rest = steps.slice(ordered + 1);
  const said = rest.flatMap((step) => ('say' in step ? step.say : [])).filter((one) => one.trim() !== '');
  return said.length > 0 && !said.some((one) => text.includes(one));
}

const errorEndsNoTurn = turnRule({
  requirement: 'KODA-27',
  listens: ['event.turn_end'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    if (message.type !== 'turn_end' || turn.error === undefined || turn.interrupted !== undefined)
      return undefined;
    if (reachesFailure(turn) || isUnsupported(message.reason) || !endsWithError(turn))
      return exercised(event);
    return violated(
      event,
      'expected the turn to go on after an error event that is not fatal; it ended with it',
      [turn.error.seq],
    );
  },
  pending(turn, session, view) {
    if (turn.error === undefined || turn.interrupted !== undefined || mayBeStopped(turn)) return [];
    // KODA-73 judges what follows a blank answer.
    if (awaitsResult(turn)) return [];
    const { seq } = turn.error;
    return awaitedEvents(view, session).map((awaited) => ({ ...awaited, also: [seq] }));
  },
});

const responds: readonly string[] = [
  'event.thinking_start',
  'event.thinking_delta',
  'event.response_start',
  'event.text_delta',
  'event.text_done',
];

const assembles = turnRule({
  requirement: 'KODA-28',
  listens: [...responds, 'event.turn_end'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    if (message.type === 'turn_end') {
      if (message.reason.kind !== 'complete' || mayBeStopped(turn)) return undefined;
      const missing = orders(turn, 'compact').find((step) => !turn.used.has(String(step.compact.used)));
      return missing === undefined
        ? undefined
        : violated(
            event,
            `expected a context_usage with used ${missing.compact.used} after the compaction; it did not come`,
            [turn.seq],
          );
    }
    // Only the first event of a response shows it.
    if (turn.response.state === 'open') return undefined;
    if (turn.assembled !== undefined) return exercised(event);
    if (isStray(turn, message.type)) return undefined;
    // KODA-53: a response that was cut off may be asked for again with the same context.
    if (turn.retries) return undefined;
    return violated(event, `expected a context_usage before this response; ${message.type} came first`, [
      turn.seq,
    ]);
  },
});

export const turnRules: readonly Rule<KodaView>[] = [
  opensAndCloses,
  doNotOverlap,
  hasRightReason,
  errorEndsNoTurn,
  assembles,
];

/** Whether a text is a UUID of any version. */
export const isUuid = (text: string): boolean => uuid.test(text);
