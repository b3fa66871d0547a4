/** How much the model thinks: LLM-G66. No two tables of efforts agree, so only their order is judged. */
import type { Effort } from '../../../../src/llm/gateway/index.ts';
import { broken, kept } from '../facts.ts';
import type { GatewayFact } from '../facts.ts';
import { nameOfPair } from '../pairs.ts';
import type { Asked } from './asked.ts';

/** An effort above, and what it became below. */
interface Point {
  readonly above: Effort;
  readonly below: Effort;
}

/** The most points that are kept of a pair. */
const pointsKept = 16;

/** The efforts that came before, by pair. */
export class Efforts {
  readonly #points = new Map<string, readonly Point[]>();

  /** What a request shows, next to earlier ones of its pair. */
  take(asked: Asked): readonly GatewayFact[] {
    const { above, below } = asked;
    if (above.effort === undefined) return [];
    const fault = offFault(asked) ?? budgetFault(asked) ?? this.#orderFault(asked);
    if (below.effort !== undefined) this.#keep(asked, { above: above.effort, below: below.effort });
    return [fault === undefined ? kept('LLM-G66') : broken('LLM-G66', fault)];
  }

  #orderFault({ above: { effort: due }, below: { effort: came }, pair }: Asked): string | undefined {
    if (due === undefined || came === undefined) return undefined;
    for (const point of this.#points.get(nameOfPair(pair)) ?? []) {
      const [before, after] = [compared(due, point.above), compared(came, point.below)];
      if (before !== undefined && after !== undefined && before * after < 0)
        return `expected more for more: ${shown(point.above)} became ${shown(point.below)}, and ${shown(due)} became ${shown(came)}`;
    }
    return undefined;
  }

  #keep({ pair }: Asked, point: Point): void {
    const name = nameOfPair(pair);
    this.#points.set(name, [...(this.#points.get(name) ?? []), point].slice(-pointsKept));
  }
}

/** Off is off, or the least that the dialect has. */
function offFault({ above, below: { effort: came } }: Asked): string | undefined {
  if (above.effort !== 'off' || came === undefined) return undefined;
  const isLeast = typeof came === 'object' ? came.budget <= leastBudget : least.has(came);
  return isLeast ? undefined : `expected no effort, or the least; came ${shown(came)}`;
}

const least = new Set<Effort>(['off', 'minimal', 'low']);

/** "budget_tokens must be at least 1024 and less than max_tokens" (Anthropic API, Extended thinking). */
const leastBudget = 1024;

function budgetFault({ above, below, pair }: Asked): string | undefined {
  const { effort: came, limit = Infinity } = below;
  if (typeof came !== 'object' || pair.provider !== 'anthropic') return undefined;
  const isClients = typeof above.effort === 'object' && above.effort.budget === came.budget;
  if (isClients && above.limit === below.limit) return undefined;
  return came.budget >= leastBudget && came.budget < limit
    ? undefined
    : `expected a budget from ${leastBudget} to below the limit of ${limit}; came ${came.budget}`;
}

const levels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Which of two efforts is more; undefined where they have no order. */
function compared(a: Effort, b: Effort): number | undefined {
  if (typeof a === 'object' && typeof b === 'object') return Math.sign(a.budget - b.budget);
  if (typeof a === 'object') return b === 'off' ? 1 : undefined;
  if (typeof b === 'object') return a === 'off' ? -1 : undefined;
  const [first, second] = [levels.indexOf(a), levels.indexOf(b)];
  return first < 0 || second < 0 ? undefined : Math.sign(first - second);
}

const shown = (effort: Effort): string =>
  typeof effort === 'object' ? `a budget of ${effort.budget}` : effort;
