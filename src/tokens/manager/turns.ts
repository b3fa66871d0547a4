/** The turns of a conversation. It may be cut only between them, so that no call loses its result (TOK-28). */
import type { ProviderMessage } from '../../kit/base/index.ts';

/** A message of the user without results, and all messages up to the next such message. */
export type ConversationTurn = readonly ProviderMessage[];

/** A conversation, split into turns. */
export interface Turns {
  readonly system: readonly ProviderMessage[];
  readonly turns: readonly ConversationTurn[];
}

/**
 * Splits a valid conversation (see `repair`) into its turns.
 *
 * @example
 * const call = { id: 'c', name: 'read', input: {} };
 * const { turns } = turnsOf([
 *   { role: 'user', content: 'Read it.' },
 *   { role: 'assistant', content: '', toolCalls: [call] },
 *   { role: 'user', content: '', toolResults: [{ id: 'c', content: 'text', isError: false }] },
 *   { role: 'assistant', content: 'Done.' },
 *   { role: 'user', content: 'Thanks.' },
 * ]);
 * turns.map(({ length }) => length); // [4, 1]
 */
export function turnsOf(messages: readonly ProviderMessage[]): Turns {
  const system = messages.filter(({ role }) => role === 'system');
  const turns: ProviderMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const begins = message.role === 'user' && (message.toolResults ?? []).length === 0;
    const last = turns.at(-1);
    if (begins || last === undefined) turns.push([message]);
    else last.push(message);
  }
  return { system, turns };
}

/** Whether a turn has calls: it then survives pruning (TOK-27). */
export const hasCalls = (turn: ConversationTurn): boolean =>
  turn.some(({ toolCalls }) => toolCalls !== undefined && toolCalls.length > 0);
