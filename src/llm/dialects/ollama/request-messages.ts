/**
 * The messages of a request to Ollama. Results come as messages of role `tool`, by id or, from older clients, by the
 * tool's name or by nothing at all: then they answer the calls before them in order.
 */
import type { Json, JsonObject, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage } from '../../messages.ts';
import { BodyReader, isArray, present } from '../shared/body-reader.ts';

/** Reads `messages`; results in a row become one message of the user. */
export function readMessages(reader: BodyReader, value: Json): readonly LlmMessage[] {
  const messages: LlmMessage[] = [];
  /** Calls without a result. */
  let pending: ToolCall[] = [];
  let results: ToolOutcome[] | undefined;
  for (const [i, entry] of reader.array(value, 'messages').entries()) {
    const path = `messages[${i}]`;
    const message = reader.object(entry, path);
    const role = reader.string(message['role'], `${path}.role`).toLowerCase();
    if (role === 'tool') {
      if (results === undefined) {
        results = [];
        messages.push({ role: 'user', content: '', toolResults: results });
      }
      results.push(readResult(reader, message, pending, path));
      continue;
    }
    results = undefined;
    const read = readMessage(reader, message, role, i);
    pending = [...(read.toolCalls ?? [])];
    messages.push(read);
  }
  return messages;
}

function readMessage(reader: BodyReader, message: JsonObject, role: string, i: number): LlmMessage {
  const path = `messages[${i}]`;
  const { thinking, tool_calls: calls, images } = message;
  if (present(images)) reader.ignore(`${path}.images`);
  const known = role === 'system' || role === 'assistant' || role === 'user';
  if (!known) reader.ignore(`${path}.role: ${role}`);
  return {
    role: known ? role : 'user',
    content: readContent(reader, message, path),
    ...(isArray(images) && images.length > 0 ? { otherParts: true } : {}),
    ...(present(thinking) && thinking !== ''
      ? { thinking: [{ text: reader.string(thinking, `${path}.thinking`) }] }
      : {}),
    ...(present(calls) ? readCalls(reader, calls, i) : {}),
  };
}

const readContent = (reader: BodyReader, { content }: JsonObject, path: string): string =>
  present(content) ? reader.string(content, `${path}.content`) : '';

/** A call without an id gets one from its place. */
function readCalls(reader: BodyReader, value: Json, i: number): { readonly toolCalls?: readonly ToolCall[] } {
  const path = `messages[${i}].tool_calls`;
  const toolCalls = reader.array(value, path).map((entry, n): ToolCall => {
    const call = reader.object(entry, `${path}[${n}]`);
    const made = reader.object(call['function'], `${path}[${n}].function`);
    const { id } = call;
    return {
      id: typeof id === 'string' && id !== '' ? id : `call_${i}_${n}`,
      name: reader.string(made['name'], `${path}[${n}].function.name`),
      input: reader.object(made['arguments'], `${path}[${n}].function.arguments`),
    };
  });
  return toolCalls.length === 0 ? {} : { toolCalls };
}

function readResult(reader: BodyReader, message: JsonObject, pending: ToolCall[], path: string): ToolOutcome {
  const { tool_call_id: id, tool_name: name } = message;
  const answered = pending.findIndex((call) =>
    typeof id === 'string' ? call.id === id : typeof name !== 'string' || call.name === name,
  );
  const [call] = answered < 0 ? [] : pending.splice(answered, 1);
  return {
    id: typeof id === 'string' ? id : (call?.id ?? ''),
    content: readContent(reader, message, path),
    isError: false,
  };
}
