/** Drops old turns until a conversation fits; what was recent, and what tools did, stays (TOK-27 to TOK-30). */
import type { ProviderMessage } from '../../kit/base/index.ts';
import { estimateMessage, estimateTokens } from './estimate.ts';
import { repair } from './repair.ts';
import { shortenResult } from './text.ts';
import { hasCalls, turnsOf } from './turns.ts';
import type { ConversationTurn } from './turns.ts';

/** What a {@link ConversationPruner} goes by. */
export interface ConversationPrunerOptions {
  /** Turns at the end that always stay; at least 1. Default: 2. */
  readonly keepTurns?: number;
}

/**
 * Prunes by dropping and by shortening; it never summarizes.
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
   * The conversation, valid for every provider; when its estimate is over the target, without old turns that have no
   * calls, and then with old results cut to three lines, oldest first, until it is not. It may still be over the target
   * when there is nothing old left to take from. Doing it again changes nothing.
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
    const old = dropTalk(turns.slice(0, oldTurns), excess).map((turn) => shorten(turn, excess));
    return [...system, ...old.flat(), ...turns.slice(oldTurns).flat()];
  }
}

/** Tokens that are still too many. */
interface Excess {
  tokens: number;
}

function dropTalk(turns: readonly ConversationTurn[], excess: Excess): readonly ConversationTurn[] {
  return turns.filter((turn) => {
    if (excess.tokens <= 0 || hasCalls(turn)) return true;
    excess.tokens -= estimateTokens(turn);
    return false;
  });
}

const shorten = (turn: ConversationTurn, excess: Excess): ConversationTurn =>
  turn.map((message) => {
    if (excess.tokens <= 0 || message.toolResults === undefined) return message;
    const shorter = { ...message, toolResults: message.toolResults.map(shortenResult) };
    const saved = estimateMessage(message) - estimateMessage(shorter);
    if (saved <= 0) return message;
    excess.tokens -= saved;
    return shorter;
  });
