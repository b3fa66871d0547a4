/**
 * LM Studio's chat history, both ways: messages of parts, with a role for the results of tools. It has no place for
 * thoughts, and no place for an error of a tool.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, LlmRequest } from '../../messages.ts';
import { isJsonObject, mostArgumentDepth, nestedDeeper } from '../shared/arguments.ts';
import type { BodyReader } from '../shared/body-reader.ts';

/** The part of a request that is in its history. */
export type History = Pick<LlmRequest, 'system' | 'messages'>;

/** Writes the messages of a request, its system text first. */
export function writeHistory(request: Pick<LlmRequest, 'system' | 'messages'>): JsonObject {
  const names = new Map<string, string>();
  const messages: Json[] = request.system === undefined ? [] : [writeText('system', request.system)];
  for (const message of request.messages) {
    for (const { id, name } of message.toolCalls ?? []) names.set(id, name);
    messages.push(...writeMessage(message, names));
  }
  return { messages };
}

const textPart = (text: string): JsonObject => ({ type: 'text', text });

const writeText = (role: string, text: string): JsonObject => ({ role, content: [textPart(text)] });

function writeMessage(message: LlmMessage, names: ReadonlyMap<string, string>): Json[] {
  const { role, content, toolCalls = [], toolResults = [] } = message;
  if (role === 'assistant')
    return [{ role, content: [...(content === '' ? [] : [textPart(content)]), ...toolCalls.map(writeCall)] }];
  const results = toolResults.map((result) => writeResult(result, names.get(result.id)));
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool', content: results }]),
    ...(content === '' && results.length > 0 ? [] : [writeText(role, content)]),
  ];
}

const writeCall = ({ id, name, input }: ToolCall): JsonObject => ({
  type: 'toolCallRequest',
  toolCallRequest: {
    id,
    type: 'function',
    name,
    ...(isObject(input) ? { arguments: input } : {}),
  },
});

const writeResult = ({ id, content }: ToolOutcome, name: string | undefined): JsonObject => ({
  type: 'toolCallResult',
  content,
  toolCallId: id,
  ...(name === undefined ? {} : { name }),
});

/** The parts of the messages of each role, as the SDK has them. */
const partsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['system', ['text', 'file']],
  ['user', ['text', 'file']],
  ['assistant', ['text', 'file', 'toolCallRequest']],
  ['tool', ['toolCallResult']],
]);

const callShape = `a function call with a name, and arguments of at most ${mostArgumentDepth} levels`;

/** Reads a history. Parts that are not text, calls or results (such as files) are noted. */
export function readHistory(reader: BodyReader, history: Json | undefined, path: string): History {
  const messages = new HistoryReader(reader);
  const list = reader.array(isJsonObject(history) ? history['messages'] : undefined, `${path}.messages`);
  for (const [i, message] of list.entries()) messages.add(message, i, `${path}.messages[${i}]`);
  return messages.history();
}

/** The contents of a message's parts. */
interface Parts {
  readonly texts: string[];
  readonly toolCalls: ToolCall[];
  readonly toolResults: ToolOutcome[];
  files: boolean;
}

/** Reads messages in order: a call without an id gets one, and a result without one answers the first open call. */
class HistoryReader {
  readonly #reader: BodyReader;
  readonly #messages: LlmMessage[] = [];
  /** The ids of calls without a result. */
  readonly #waiting = new Set<string>();
  #system: string | undefined;
  #calls = 0;
  /** Whether the last message came from role `tool`, and takes the text of a user that follows. */
  #answering = false;

  constructor(reader: BodyReader) {
    this.#reader = reader;
  }

  history(): History {
    return { ...(this.#system === undefined ? {} : { system: this.#system }), messages: this.#messages };
  }

  add(value: Json, index: number, path: string): void {
    const { role, content } = this.#reader.object(value, path);
    const allowed = typeof role === 'string' ? partsOf.get(role) : undefined;
    if (typeof role !== 'string' || allowed === undefined)
      return this.#reader.expect(`${path}.role`, 'system, user, assistant or tool', role);
    const parts: Parts = { texts: [], toolCalls: [], toolResults: [], files: false };
    for (const [i, entry] of this.#reader.array(content, `${path}.content`).entries()) {
      const at = `${path}.content[${i}]`;
      const part = this.#reader.object(entry, at);
      if (allowed.some((type) => type === part['type'])) this.#part(part, at, parts);
      else this.#reader.expect(`${at}.type`, allowed.join(' or '), part['type']);
    }
    this.#message(role, parts, index);
  }

  #part(part: JsonObject, path: string, parts: Parts): void {
    const { texts, toolCalls, toolResults } = parts;
    if (part['type'] === 'text') texts.push(this.#reader.string(part['text'], `${path}.text`));
    else if (part['type'] === 'toolCallRequest')
      toolCalls.push(this.#call(part['toolCallRequest'], `${path}.toolCallRequest`));
    else if (part['type'] === 'toolCallResult')
      toolResults.push(
        this.#result(part['toolCallId'], this.#reader.string(part['content'], `${path}.content`)),
      );
    else {
      parts.files = true;
      this.#reader.ignore(`${path}.type`);
    }
  }

  #call(request: Json | undefined, path: string): ToolCall {
    const { type, id, name, arguments: input = {} }: JsonObject = isJsonObject(request) ? request : {};
    if (type !== 'function' || typeof name !== 'string' || nestedDeeper(input, mostArgumentDepth))
      this.#reader.expect(path, callShape, request);
    this.#calls += 1;
    const known = typeof id === 'string' ? id : `call_${this.#calls}`;
    this.#waiting.add(known);
    return {
      id: known,
      name: typeof name === 'string' ? name : '',
      input: isJsonObject(input) ? input : {},
    };
  }

  #result(toolCallId: Json | undefined, content: string): ToolOutcome {
    const [first] = this.#waiting;
    const id = typeof toolCallId === 'string' ? toolCallId : (first ?? '');
    this.#waiting.delete(id);
    return { id, content, isError: false };
  }

  #message(role: string, { texts, toolCalls, toolResults, files }: Parts, index: number): void {
    const others = files ? { otherParts: true as const } : {};
    const content = texts.join('');
    const last = this.#messages.at(-1);
    const joins = role === 'user' && this.#answering && last !== undefined;
    this.#answering = role === 'tool';
    if (role === 'system' && index === 0) this.#system = content;
    else if (joins) this.#messages[this.#messages.length - 1] = { ...last, content, ...others };
    else if (role === 'tool') this.#messages.push({ role: 'user', content: '', toolResults });
    else if (role === 'assistant')
      this.#messages.push({ role, content, ...(toolCalls.length === 0 ? {} : { toolCalls }) });
    else this.#messages.push({ role: role === 'system' ? 'system' : 'user', content, ...others });
  }
}
