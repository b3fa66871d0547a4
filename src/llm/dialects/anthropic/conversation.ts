/**
 * Anthropic's rules for a conversation (LLM-C08): every call is answered once, in the message right behind it.
 * Consecutive messages of one role count as one, as the API merges them. The assistant may begin (answered with 200).
 */
import type { LlmMessage } from '../../messages.ts';
import type { BodyReader } from '../shared/body-reader.ts';

/** Refuses the first message that breaks these rules, in the API's words. */
export function checkConversation(reader: BodyReader, messages: readonly LlmMessage[]): void {
  const turns = turnsOf(messages);
  checkUnique(reader, turns);
  for (const [i, turn] of turns.entries()) {
    if (turn.role === 'assistant') checkAnswered(reader, turn, turns[i + 1]);
    else checkAsked(reader, turn, turns[i - 1]);
  }
}

interface MessageTurn {
  readonly role: 'user' | 'assistant';
  /** Index of its first message. */
  readonly first: number;
  readonly calls: Set<string>;
  readonly repeated: string[];
  readonly results: string[];
}

function turnsOf(messages: readonly LlmMessage[]): readonly MessageTurn[] {
  const turns: MessageTurn[] = [];
  for (const [first, message] of messages.entries()) {
    const { role } = message;
    if (role === 'system') continue;
    let turn = turns.at(-1);
    if (turn?.role !== role) {
      turn = { role, first, calls: new Set(), repeated: [], results: [] };
      turns.push(turn);
    }
    for (const { id } of message.toolCalls ?? []) {
      if (turn.calls.has(id)) turn.repeated.push(id);
      turn.calls.add(id);
    }
    for (const { id } of message.toolResults ?? []) turn.results.push(id);
  }
  return turns;
}

function checkUnique(reader: BodyReader, turns: readonly MessageTurn[]): void {
  const seen = new Set<string>();
  for (const { calls, repeated, first } of turns) {
    for (const id of [...repeated, ...[...calls].filter((id) => seen.has(id))]) {
      reader.refuse(`messages[${first}]`, `\`tool_use\` ids must be unique: ${id}`);
    }
    for (const id of calls) seen.add(id);
  }
}

function checkAnswered(reader: BodyReader, turn: MessageTurn, next: MessageTurn | undefined): void {
  const answered = new Set(next?.results);
  const missing = [...turn.calls].filter((id) => !answered.has(id));
  if (missing.length === 0) return;
  reader.refuse(
    `messages[${turn.first}]`,
    `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. ` +
      'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
  );
}

function checkAsked(reader: BodyReader, turn: MessageTurn, before: MessageTurn | undefined): void {
  const seen = new Set<string>();
  for (const id of turn.results) {
    if (before?.calls.has(id) !== true) {
      reader.refuse(
        `messages[${turn.first}]`,
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      );
    }
    if (seen.has(id)) {
      reader.refuse(
        `messages[${turn.first}]`,
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    }
    seen.add(id);
  }
}
