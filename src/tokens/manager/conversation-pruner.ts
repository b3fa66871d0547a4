/** Drops old turns until a conversation fits; recent turns and tool calls stay (TOK-27 to TOK-30). */
import type { ProviderMessage } from '../../kit/base/index.ts';
import { estimateMessage, estimateTokens } from './estimate.ts';
import { repair } from './repair.ts';
import { shortenResult } from './text.ts';
import { hasCalls, turnsOf } from './turns.ts';
import type { ConversationTurn } from './turns.ts';

/** The options of a {@link ConversationPruner}. */
export interface ConversationPrunerOptions {
  /** The number of turns at the end that always stay; at least 1. Default: 2. */
  readonly keepTurns?: number;
}

/**
 * Drops old turns, and shortens old results. It never summarizes.
 *
 * @example
 * const pruner = new ConversationPruner({ keepTurns: 1 });
 * const messages = [
 *   { role: 'user', content: 'Good morning!' },
 *   { role: 'assistant', content: 'Good morning!' },
 *   { role: 'user', content: 'What is 6 times 7?' },
 * ] as const;
 * pruner.pruneMessages(messages, 20); // [{ role: 'user', content: 'What is 6 times 7?' }]
 * pruner.pruneMessages(messages, 100).length; // 3
 */
export class ConversationPruner {
  readonly #keepTurns: number;

  constructor({ keepTurns = 2 }: ConversationPrunerOptions = {}) {
    this.#keepTurns = Math.max(1, keepTurns);
  }

  /**
   * The conversation, valid for every provider. While its estimate is over the target, old turns without calls are
   * dropped, oldest first; then old results are cut to three lines, oldest first. The recent turns alone may still be
   * over the target. Pruning the result again changes nothing.
   *
   * @param targetSize in tokens, as estimated
   */
  pruneMessages(messages: readonly ProviderMessage[], targetSize: number): readonly ProviderMessage[] {
    const valid = repair(messages);
    const before = estimateTokens(valid);
    const { system, turns } = turnsOf(valid);
    const oldTurns = Math.max(0, turns.length - this.#keepTurns);
    if (before <= targetSize || oldTurns === 0) return valid;
    const excess = { tokens: before - targetSize };
    const old = dropTurns(turns.slice(0, oldTurns), excess).map((turn) => shorten(turn, excess));
    return [...system, ...old.flat(), ...turns.slice(oldTurns).flat()];
  }
}

/** The tokens over the target. */
interface Excess {
  tokens: number;
}

/** Drops turns without calls. */
function dropTurns(turns: readonly ConversationTurn[], excess: Excess): readonly ConversationTurn[] {
  return turns.filter((turn) => {
    if (excess.tokens <= 0 || hasCalls(turn)) return true;
    excess.tokens -= estimateTokens(turn);
    return false;
  });
}

/** Cuts the results of a turn. */
const shorten = (turn: ConversationTurn, excess: Excess): ConversationTurn =>
  turn.map((message) => {
    if (excess.tokens <= 0 || message.toolResults === undefined) return message;
    const shorter = { ...message, toolResults: message.toolResults.map(shortenResult) };
    const saved = estimateMessage(message) - estimateMessage(shorter);
    if (saved <= 0) return message;
    excess.tokens -= saved;
    return shorter;
  });
