/** KODA-50 and 81: the footer of a turn. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { Integer } from '../../../../src/koda/index.ts';
import { turnRule } from '../../shared/rules/session-rule.ts';
import { anyTime } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { orders } from './orders.ts';
import { stopsAtCap } from './pauses.ts';

const comesLast = turnRule({
  requirement: 'KODA-50',
  listens: ['event'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    const { footer } = turn;
    if (message.type === 'footer') {
      if (footer !== undefined)
        return violated(event, 'expected one footer in a turn; a second one came', [footer.seq]);
      // KODA-45 judges a footer after stop.
      if (stopsAtCap(turn)) return undefined;
      const isFinal = !turn.calledLast && turn.response.state !== 'none';
      return !isFinal
        ? violated(event, 'expected a final response without calls before the footer; none came', [
            turn.last.seq,
          ])
        : undefined;
    }
    if (footer === undefined) return undefined;
    if (message.type !== 'turn_end')
      return anyTime.has(message.type)
        ? undefined
        : violated(event, `expected turn_end right after the footer; ${message.type} came`, [footer.seq]);
    const { kind } = message.reason;
    if (kind === 'complete') return exercised(event);
    return turn.interrupted === undefined
      ? violated(event, `expected a footer only in a turn that is complete; the turn ended as ${kind}`, [
          footer.seq,
        ])
      : undefined;
  },
});

const counts = ['prompt_tokens', 'completion_tokens', 'cache_read_tokens', 'thinking_tokens'] as const;

const sumsTokens = turnRule({
  requirement: 'KODA-81',
  listens: ['event.footer'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    const usages = orders(turn, 'usage');
    if (message.type !== 'footer' || usages.length === 0) return undefined;
    for (const name of counts) {
      const expected = usages.reduce((sum, { usage }) => sum + valueOf(usage[name] ?? 0), 0n);
      if (valueOf(message[name]) !== expected)
        return violated(
          event,
          `expected ${name} ${expected}, the sum over ${usages.length} iterations; came ${String(message[name])}`,
        );
    }
    return exercised(event);
  },
});

/** A count of tokens as an exact number; a count that is no integer has no equal. */
const valueOf = (count: Integer): bigint => (/^-?\d+$/.test(String(count)) ? BigInt(count) : -1n);

export const footerRules: readonly Rule<KodaView>[] = [comesLast, sumsTokens];
