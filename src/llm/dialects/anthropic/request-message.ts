/** One message of a request to Anthropic: text as a string or as blocks, thoughts, calls and their results. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage } from '../../messages.ts';
import { BodyReader, isArray, present } from '../shared/body-reader.ts';
import { messageOf, noParts } from '../shared/message-parts.ts';
import type { MessageParts } from '../shared/message-parts.ts';

type Role = LlmMessage['role'];

/** Reads `messages[i]`; only the last one may be empty, and only if it is the assistant's. */
export function readMessage(reader: BodyReader, value: Json, i: number, last: boolean): LlmMessage {
  const path = `messages[${i}]`;
  const message = reader.object(value, path);
  const role = readRole(reader, message['role'], `${path}.role`);
  const { content } = message;
  const empty = content === '' || (isArray(content) && content.length === 0);
  if (empty && !(last && role === 'assistant')) {
    const words = 'all messages must have non-empty content except for the optional final assistant message';
    reader.refuse(path, words);
  }
  if (typeof content === 'string') {
    if (content !== '') checkText(reader, content, `${path}.content`);
    return { role, content };
  }
  return readBlocks(reader, reader.array(content, `${path}.content`), role, `${path}.content`);
}

/** Text as a string or as text blocks, one a line. */
export function readText(reader: BodyReader, value: Json, path: string): string {
  if (typeof value === 'string') return value;
  const texts = reader.array(value, path).flatMap((entry, i) => {
    const block = reader.object(entry, `${path}[${i}]`);
    if (block['type'] === 'text') return [reader.string(block['text'], `${path}[${i}].text`)];
    reader.ignore(`${path}[${i}].type: ${reader.string(block['type'], `${path}[${i}].type`)}`);
    return [];
  });
  return texts.join('\n');
}

function readRole(reader: BodyReader, value: Json | undefined, path: string): Role {
  const role = reader.string(value, path);
  if (role === 'user' || role === 'assistant' || role === 'system') return role;
  reader.refuse(path, "Input should be 'user' or 'assistant'");
  return 'user';
}

function readBlocks(reader: BodyReader, blocks: readonly Json[], role: Role, path: string): LlmMessage {
  const parts = noParts();
  for (const [i, entry] of blocks.entries()) {
    const place = `${path}[${i}]`;
    readBlock(reader, reader.object(entry, place), parts, role, place);
  }
  return messageOf(role, parts);
}

function readBlock(
  reader: BodyReader,
  block: JsonObject,
  parts: MessageParts,
  role: Role,
  path: string,
): void {
  const type = reader.string(block['type'], `${path}.type`);
  if (type === 'text') {
    const text = reader.string(block['text'], `${path}.text`);
    checkText(reader, text, path);
    parts.text.push(text);
  } else if (type === 'tool_use' && role === 'assistant') parts.toolCalls.push(readCall(reader, block, path));
  else if (type === 'tool_result' && role === 'user') parts.toolResults.push(readResult(reader, block, path));
  else if (type === 'tool_use' || type === 'tool_result') {
    const owner = type === 'tool_use' ? 'assistant' : 'user';
    reader.refuse(path, `\`${type}\` blocks can only be in \`${owner}\` messages`);
  } else if (type === 'thinking') {
    parts.thinking.push({
      text: reader.string(block['thinking'], `${path}.thinking.thinking`),
      signature: reader.string(block['signature'], `${path}.thinking.signature`),
    });
  } else if (type === 'redacted_thinking') {
    parts.thinking.push({ text: '', redacted: reader.string(block['data'], `${path}.data`) });
  } else {
    parts.others = true;
    reader.ignore(`${path}.type: ${type}`);
  }
}

/** A text that is a string is one block. White space alone is no text. */
function checkText(reader: BodyReader, text: string, path: string): void {
  if (text.trim() !== '') return;
  const problem = text === '' ? 'must be non-empty' : 'must contain non-whitespace text';
  reader.refuse(path, '', { message: `messages: text content blocks ${problem}` });
}

const idPattern = '^[a-zA-Z0-9_-]+$';
const idForm = new RegExp(idPattern);

/** Reads a call. The API's places have the type of a block in them: `messages.1.content.0.tool_use.id`. */
function readCall(reader: BodyReader, block: JsonObject, at: string): ToolCall {
  const path = `${at}.tool_use`;
  const id = reader.string(block['id'], `${path}.id`);
  if (!idForm.test(id) && !reader.isGiven(id))
    reader.refuse(`${path}.id`, `String should match pattern '${idPattern}'`);
  return {
    id,
    name: reader.string(block['name'], `${path}.name`),
    input: reader.object(block['input'], `${path}.input`),
  };
}

function readResult(reader: BodyReader, block: JsonObject, at: string): ToolOutcome {
  const path = `${at}.tool_result`;
  const { content, is_error: wrong } = block;
  const text = present(content) ? readText(reader, content, `${path}.content`) : '';
  const isError = present(wrong) && reader.boolean(wrong, `${path}.is_error`);
  if (isError && isBlank(content, text)) reader.refuse(path, 'content cannot be empty if `is_error` is true');
  return { id: reader.string(block['tool_use_id'], `${path}.tool_use_id`), content: text, isError };
}

/** Whether a content says nothing: no text, and no other block such as an image. */
const isBlank = (content: Json | undefined, text: string): boolean =>
  text.trim() === '' &&
  !(isArray(content) && content.some((block) => isObject(block) && block['type'] !== 'text'));
