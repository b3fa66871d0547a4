/**
 * LM Studio's chat history, both ways: messages of parts, in which what tools gave has a role of its own. It has no
 * place for thoughts and none for an error of a tool.
 */
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, LlmRequest, Refused } from '../../messages.ts';
import { mostArgumentDepth } from '../shared/arguments.ts';
import { nestedDeeper } from './depth.ts';
import { refused } from './refused.ts';

/** What a history says about a request. */
export type History = Pick<LlmRequest, 'system' | 'messages' | 'unknown'>;

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

/** Reads a history. What is no text, call or result (files) is named in `unknown`. */
export function readHistory(history: Json | undefined, path: string): Result<History, Refused> {
  const list = isObject(history) ? history['messages'] : undefined;
  if (!Array.isArray(list)) return refuse(refused(`${path}.messages`, 'an array of messages', list));
  const reader = new HistoryReader(`${path}.messages`);
  for (const [index, message] of (list as readonly Json[]).entries()) {
    const fault = reader.read(message, index);
    if (fault !== undefined) return refuse(fault);
  }
  return ok(reader.history());
}

/** The parts that messages of each role are made of, as the SDK has them. */
const partsOf: ReadonlyMap<unknown, ReadonlySet<unknown>> = new Map([
  ['system', new Set(['text', 'file'])],
  ['user', new Set(['text', 'file'])],
  ['assistant', new Set(['text', 'file', 'toolCallRequest'])],
  ['tool', new Set(['toolCallResult'])],
]);

const callShape = `a function call with a name, and arguments of at most ${mostArgumentDepth} levels`;

/** What the parts of one message hold. */
interface Parts {
  readonly texts: string[];
  readonly calls: ToolCall[];
  readonly results: ToolOutcome[];
}

/** Reads messages in order: a call without an id gets one, and a result without one answers the first open call. */
class HistoryReader {
  readonly #path: string;
  readonly #messages: LlmMessage[] = [];
  readonly #unknown: string[] = [];
  readonly #waiting = new Set<string>();
  #system: string | undefined;
  #calls = 0;
  /** Whether the last message came from role `tool`, and takes the text of a user that follows. */
  #answering = false;

  constructor(path: string) {
    this.#path = path;
  }

  history(): History {
    return {
      ...(this.#system === undefined ? {} : { system: this.#system }),
      messages: this.#messages,
      ...(this.#unknown.length === 0 ? {} : { unknown: this.#unknown }),
    };
  }

  /** Takes one message; the reason when it is none. */
  read(message: Json, index: number): Refused | undefined {
    const at = `${this.#path}[${index}]`;
    if (!isObject(message)) return refused(at, 'an object', message);
    const { role, content } = message;
    const allowed = partsOf.get(role);
    if (allowed === undefined) return refused(`${at}.role`, 'system, user, assistant or tool', role);
    if (!Array.isArray(content)) return refused(`${at}.content`, 'an array of parts', content);
    const parts: Parts = { texts: [], calls: [], results: [] };
    for (const [number, part] of (content as readonly unknown[]).entries()) {
      const place = `${at}.content[${number}]`;
      if (!isObject(part) || !allowed.has(part['type'])) return wrongPart(part, place, allowed);
      const fault = this.#part(part, place, parts);
      if (fault !== undefined) return fault;
    }
    this.#add(role as string, parts, index);
    return undefined;
  }

  #part(part: Record<string, unknown>, at: string, parts: Parts): Refused | undefined {
    if (part['type'] === 'text') {
      if (typeof part['text'] !== 'string') return refused(`${at}.text`, 'a string', part['text']);
      parts.texts.push(part['text']);
    } else if (part['type'] === 'toolCallRequest') {
      const call = this.#call(part['toolCallRequest']);
      if (call === undefined) return refused(`${at}.toolCallRequest`, callShape, part['toolCallRequest']);
      parts.calls.push(call);
    } else if (part['type'] === 'toolCallResult') {
      if (typeof part['content'] !== 'string') return refused(`${at}.content`, 'a string', part['content']);
      parts.results.push(this.#result(part['toolCallId'], part['content']));
    } else this.#unknown.push(`${at}.type`);
    return undefined;
  }

  #call(request: unknown): ToolCall | undefined {
    if (!isObject(request) || request['type'] !== 'function') return undefined;
    const { id, name, arguments: input } = request;
    if (typeof name !== 'string' || nestedDeeper((input ?? null) as Json, mostArgumentDepth))
      return undefined;
    this.#calls += 1;
    const known = typeof id === 'string' ? id : `call_${this.#calls}`;
    this.#waiting.add(known);
    return { id: known, name, input: isObject(input) ? (input as JsonObject) : {} };
  }

  #result(toolCallId: unknown, content: string): ToolOutcome {
    const [first] = this.#waiting;
    const id = typeof toolCallId === 'string' ? toolCallId : (first ?? '');
    this.#waiting.delete(id);
    return { id, content, isError: false };
  }

  #add(role: string, { texts, calls, results }: Parts, index: number): void {
    const content = texts.join('');
    const last = this.#messages.at(-1);
    const joins = role === 'user' && this.#answering && last !== undefined;
    this.#answering = role === 'tool';
    if (role === 'system' && index === 0) this.#system = content;
    else if (joins) this.#messages[this.#messages.length - 1] = { ...last, content };
    else if (role === 'tool') this.#messages.push({ role: 'user', content: '', toolResults: results });
    else if (role === 'assistant')
      this.#messages.push({ role, content, ...(calls.length === 0 ? {} : { toolCalls: calls }) });
    else this.#messages.push({ role: role === 'system' ? 'system' : 'user', content });
  }
}

const wrongPart = (part: unknown, at: string, allowed: ReadonlySet<unknown>): Refused =>
  isObject(part)
    ? refused(`${at}.type`, [...allowed].join(' or '), part['type'])
    : refused(at, 'an object', part);
