/** One message of a request to Bedrock, both ways: texts, thoughts, calls and their results, each in a block. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, Thinking } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { present } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import { messageOf, noParts } from '../shared/message-parts.ts';
import type { MessageParts } from '../shared/message-parts.ts';

/** A place as the API names it. */
const placeOf = (path: string): string => path.replaceAll(/\[(\d+)\]/g, '.$1');

/** Reads a message. */
export function readMessage(reader: BodyReader, value: Json, path: string): LlmMessage {
  const { role, content } = reader.object(value, path);
  if (role !== 'user' && role !== 'assistant') reader.refuse(`${path}.role`, 'user or assistant');
  const blocks = reader.array(content, `${path}.content`);
  if (blocks.length === 0)
    reader.refuse(path, '', {
      message: `The content field in the Message object at ${placeOf(path)} is empty. Add a ContentBlock object to the content field and try again.`,
    });
  const parts = noParts();
  for (const [i, block] of blocks.entries()) {
    const place = `${path}.content[${i}]`;
    readBlock(reader, reader.object(block, place), parts, place);
  }
  return messageOf(role === 'assistant' ? role : 'user', parts);
}

function readBlock(reader: BodyReader, block: JsonObject, parts: MessageParts, path: string): void {
  const { text, toolUse, toolResult, reasoningContent } = block;
  if (present(toolUse)) parts.toolCalls.push(readCall(reader, toolUse, `${path}.toolUse`));
  else if (present(toolResult)) parts.toolResults.push(readResult(reader, toolResult, `${path}.toolResult`));
  else if (present(reasoningContent))
    parts.thinking.push(readThought(reader, reasoningContent, `${path}.reasoningContent`));
  else if (present(text)) parts.text.push(readText(reader, text, path));
  else parts.others = true;
}

function readText(reader: BodyReader, value: Json, path: string): string {
  const text = reader.string(value, `${path}.text`);
  if (text.trim() === '')
    reader.refuse(path, '', {
      message: `The text field in the ContentBlock object at ${placeOf(path)} is blank. Add text to the text field, and try again.`,
    });
  return text;
}

/** "1-64 character string matching [a-zA-Z0-9_.:-]+" (ToolUseBlock). */
const idForm = /^[a-zA-Z0-9_.:-]{1,64}$/;

function readId(reader: BodyReader, value: Json | undefined, path: string): string {
  const id = reader.string(value, path);
  if (!idForm.test(id) && !reader.isGiven(id))
    reader.refuse(path, '', {
      message: `1 validation error detected: Value '${id}' at '${placeOf(path)}' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+`,
    });
  return id;
}

function readCall(reader: BodyReader, value: Json, path: string): ToolCall {
  const { toolUseId, name, input } = reader.object(value, path);
  return {
    id: readId(reader, toolUseId, `${path}.toolUseId`),
    name: reader.string(name, `${path}.name`),
    input: reader.object(input, `${path}.input`),
  };
}

function readResult(reader: BodyReader, value: Json, path: string): ToolOutcome {
  const { toolUseId, content, status } = reader.object(value, path);
  const parts = reader.array(content, `${path}.content`);
  const isError = status === 'error';
  if (isError && parts.length === 0)
    reader.refuse(path, '', {
      message: `The content field at ${placeOf(path)} cannot be empty when status value is error.`,
    });
  const texts = parts.flatMap((part, i) => resultText(reader, part, `${path}.content[${i}]`));
  return { id: readId(reader, toolUseId, `${path}.toolUseId`), content: texts.join('\n'), isError };
}

/** A result is a text, or a JSON object; other contents, such as images, are not kept. */
function resultText(reader: BodyReader, part: Json, path: string): readonly string[] {
  if (!isObject(part)) return [];
  if (typeof part['text'] === 'string') return [part['text']];
  return present(part['json']) ? [JSON.stringify(reader.object(part['json'], `${path}.json`))] : [];
}

function readThought(reader: BodyReader, value: Json, path: string): Thinking {
  const { reasoningText, redactedContent } = reader.object(value, path);
  if (typeof redactedContent === 'string') return { text: '', redacted: redactedContent };
  const { text, signature } = reader.object(reasoningText, `${path}.reasoningText`);
  return {
    text: reader.string(text, `${path}.reasoningText.text`),
    ...(typeof signature === 'string' && { signature }),
  };
}

/** Writes messages. Roles must alternate, so messages of one role in a row are one. */
export function writeMessages(messages: readonly LlmMessage[]): readonly JsonObject[] {
  const written: { readonly role: string; readonly content: JsonObject[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? message.role : 'user';
    const last = written.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(message));
    else written.push({ role, content: [...blocksOf(message)] });
  }
  return written.map(({ role, content }) => ({ role, content }));
}

/** Thoughts come before text, results before everything. Thoughts without a signature stay away, as Claude refuses them. */
const blocksOf = ({
  content,
  toolCalls = [],
  toolResults = [],
  thinking = [],
}: LlmMessage): readonly JsonObject[] => [
  ...toolResults.map(writeResult),
  ...thinking.flatMap(writeThought),
  ...(content.trim() === '' ? [] : [{ text: content }]),
  ...toolCalls.map(writeCall),
];

function writeThought({ text, signature, redacted }: Thinking): readonly JsonObject[] {
  if (redacted !== undefined) return [{ reasoningContent: { redactedContent: redacted } }];
  return signature === undefined ? [] : [{ reasoningContent: { reasoningText: { text, signature } } }];
}

const writeCall = ({ id, name, input }: ToolCall): JsonObject => ({
  toolUse: { toolUseId: id, name, input: isJsonObject(input) ? input : {} },
});

/** Texts of results may be empty; the member `status` is for errors, as some models do not know it. */
const writeResult = ({ id, content, isError }: ToolOutcome): JsonObject => ({
  toolResult: {
    toolUseId: id,
    content: [{ text: content }],
    ...(isError && { status: 'error' }),
  },
});
