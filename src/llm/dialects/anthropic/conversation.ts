/**
 * Anthropic's rules for a conversation (LLM-C08): every call is answered once, at the beginning of the message right after
 * it ("tool_result blocks must come first in the content array; any text must come after all tool results").
 * Consecutive messages of one role count as one, as the API merges them. The assistant may begin (answered with 200).
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { LlmMessage } from '../../messages.ts';
import { isArray, textIn } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';

/**
 * Refuses the first message that breaks these rules, in the API's words.
 *
 * @param list - the messages as they came
 */
export function checkConversation(
  reader: BodyReader,
  messages: readonly LlmMessage[],
  list: readonly Json[],
): void {
  const turns = turnsOf(messages, list);
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
  /** The ids of its results. */
  readonly results: string[];
  /** The results at its beginning, before other content. */
  readonly leading: Set<string>;
  /** Whether other content has come. */
  isPastResults: boolean;
}

function turnsOf(messages: readonly LlmMessage[], list: readonly Json[]): readonly MessageTurn[] {
  const turns: MessageTurn[] = [];
  for (const [first, message] of messages.entries()) {
    const { role } = message;
    if (role === 'system') continue;
    let turn = turns.at(-1);
    if (turn?.role !== role) {
      turn = newTurn(role, first);
      turns.push(turn);
    }
    takeLeading(turn, list[first]);
    for (const { id } of message.toolCalls ?? []) {
      if (turn.calls.has(id)) turn.repeated.push(id);
      turn.calls.add(id);
    }
    for (const { id } of message.toolResults ?? []) turn.results.push(id);
  }
  return turns;
}

const newTurn = (role: MessageTurn['role'], first: number): MessageTurn => ({
  role,
  first,
  calls: new Set(),
  repeated: [],
  results: [],
  leading: new Set(),
  isPastResults: false,
});

/** Takes the results of a message that come before other content of its turn. */
function takeLeading(turn: MessageTurn, message: Json | undefined): void {
  const content = isObject(message) ? message['content'] : undefined;
  for (const block of isArray(content) ? content : [content]) {
    turn.isPastResults ||= !isObject(block) || block['type'] !== 'tool_result';
    if (!turn.isPastResults && isObject(block)) turn.leading.add(textIn(block['tool_use_id']));
  }
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
  const missing = [...turn.calls].filter((id) => next?.leading.has(id) !== true);
  if (missing.length === 0) return;
  const isLate = next !== undefined && missing.some((id) => next.results.includes(id));
  // The API names the message of the calls, also where the fault is in the next one.
  reader.refuse(`messages[${isLate ? next.first : turn.first}]`, '', {
    message:
      `messages.${turn.first}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
      `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  });
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
