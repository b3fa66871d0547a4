/** KODA-48 and 49: an interrupt ends the turn. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import { awaitedEvents } from '../../shared/awaited.ts';
import { anyTime } from '../../shared/turn.ts';
import { turnRule } from '../../shared/rules/session-rule.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { waitsForInterrupt } from './orders.ts';
import { isOfOtherCall } from './pauses.ts';

const endsPause = turnRule({
  requirement: 'KODA-48',
  listens: ['event'],
  step(event, turn, _, { timeouts }): Findings {
    const { interrupted } = turn;
    if (interrupted?.pause === undefined || interrupted.pause.doubtful) return undefined;
    const message = engineEvent(event);
    const also = [interrupted.seq];
    if (message.type === 'turn_end') {
      const { kind } = message.reason;
      if (kind === 'cancelled') return exercised(event);
      return violated(event, `expected turn_end cancelled after an interrupt in a pause; came ${kind}`, also);
    }
    if (anyTime.has(message.type)) return undefined;
    // An event of a call next to the one that waits may have crossed the interrupt on the wire.
    const isSoon = event.at - interrupted.at < timeouts.crossing;
    if (isSoon && isOfOtherCall(interrupted.pause, message, turn)) return undefined;
    return violated(
      event,
      `expected the turn to end after an interrupt in a pause; ${message.type} came`,
      also,
    );
  },
  pending(turn, session, view) {
    if (turn.interrupted?.pause === undefined) return [];
    return awaitedEvents(view, session);
  },
});

const cancelsWork = turnRule({
  requirement: 'KODA-49',
  listens: ['event.turn_end'],
  step(event, turn, _, { timeouts }): Findings {
    const { interrupted } = turn;
    if (interrupted?.certain !== true || interrupted.pause !== undefined) return undefined;
    const message = engineEvent(event);
    if (message.type !== 'turn_end') return undefined;
    const { kind } = message.reason;
    if (kind === 'cancelled') return exercised(event);
    // The inference failed, or the end of the turn crossed the interrupt on the wire.
    if (kind === 'error') return undefined;
    if (event.at - interrupted.at < timeouts.crossing && !waitsForInterrupt(turn)) return undefined;
    return violated(event, `expected turn_end cancelled after an interrupt; came ${kind}`, [interrupted.seq]);
  },
  pending(turn, session, view) {
    if (turn.interrupted?.certain !== true || turn.interrupted.pause !== undefined) return [];
    return awaitedEvents(view, session);
  },
});

export const interruptRules: readonly Rule<KodaView>[] = [endsPause, cancelsWork];
