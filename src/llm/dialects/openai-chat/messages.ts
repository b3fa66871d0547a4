/**
 * The messages of a Chat Completions request and the neutral ones, both ways. Chat has one message of role `tool` for
 * each result; here one message of the user has all results, with the text of the user after them.
 */
import { entryOf } from '../../../kit/base/index.ts';
import type { Json, JsonObject, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, Thinking } from '../../messages.ts';
import {
  checkLength,
  checkName,
  otherPartsOf,
  readInput,
  readOptionalList,
  readText,
  refuseEmpty,
  refuseRole,
  writeInput,
} from '../openai/body.ts';
import { present } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import { callObject } from './call-object.ts';
import { detailsOf, readDetails } from './reasoning-details.ts';

const textParts = new Set(['text', 'refusal']);
const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer'] as const;
const common = ['role', 'content', 'name'];
const fieldsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  assistant: new Set([
    ...common,
    'tool_calls',
    'refusal',
    'reasoning_content',
    'reasoning',
    'reasoning_details',
  ]),
  tool: new Set([...common, 'tool_call_id']),
};
const otherFields = new Set(common);

/** Reads `messages`. Every call must be answered by the messages of role `tool` that follow, and no other may be. */
export function readMessages(reader: BodyReader, list: readonly Json[]): LlmMessage[] {
  const messages = new MessageReader(reader);
  for (const [i, entry] of list.entries())
    messages.add(reader.object(entry, `messages[${i}]`), `messages[${i}]`);
  return messages.end();
}

class MessageReader {
  readonly #reader: BodyReader;
  readonly #messages: LlmMessage[] = [];
  /** The ids of the last assistant message's calls, with whether each is custom, and the ids without a result. */
  #callIds: ReadonlyMap<string, boolean> = new Map();
  readonly #unanswered = new Set<string>();
  #callsAt = '';
  /** The results since the last other message. */
  #results: ToolOutcome[] | undefined;

  constructor(reader: BodyReader) {
    this.#reader = reader;
  }

  add(message: JsonObject, path: string): void {
    const role = this.#reader.string(message['role'], `${path}.role`);
    this.#reader.ignoreOthers(message, entryOf(fieldsOf, role) ?? otherFields, 'messages[].');
    if (role === 'tool') return this.#tool(message, path);
    this.#allAnswered();
    if (role === 'assistant') this.#assistant(message, path);
    else if (role === 'user')
      this.#user(this.#text(message, path), otherPartsOf(message['content'], textParts));
    else if (role === 'system' || role === 'developer')
      this.#push({ role: 'system', content: this.#text(message, path) });
    else if (role === 'function') this.#reader.ignore('messages[]:function');
    else refuseRole(this.#reader, role, `${path}.role`, roles);
  }

  end(): LlmMessage[] {
    this.#allAnswered();
    this.#close();
    return this.#messages;
  }

  #text(message: JsonObject, path: string): string {
    return readText(this.#reader, message['content'], `${path}.content`, textParts);
  }

  #push(message: LlmMessage): void {
    this.#close();
    this.#callIds = new Map();
    this.#messages.push(message);
  }

  /** Results without text of the user after them are a separate message. */
  #close(): void {
    if (this.#results !== undefined)
      this.#messages.push({ role: 'user', content: '', toolResults: this.#results });
    this.#results = undefined;
  }

  #user(content: string, others: Pick<LlmMessage, 'otherParts'>): void {
    const results = this.#results;
    this.#results = undefined;
    const toolResults = results === undefined ? {} : { toolResults: results };
    this.#push({ role: 'user', content, ...toolResults, ...others });
  }

  #tool(message: JsonObject, path: string): void {
    const id = this.#reader.string(message['tool_call_id'], `${path}.tool_call_id`);
    if (!this.#callIds.has(id))
      this.#reader.refuse(
        `${path}.role`,
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      );
    this.#unanswered.delete(id);
    this.#results ??= [];
    const custom = this.#callIds.get(id) === true;
    this.#results.push({
      id,
      content: this.#text(message, path),
      isError: false,
      ...(custom && { custom }),
    });
  }

  #assistant(message: JsonObject, path: string): void {
    const toolCalls = readCalls(this.#reader, message['tool_calls'], `${path}.tool_calls`);
    const thinking = thinkingOf(message);
    this.#push({
      role: 'assistant',
      content: this.#assistantText(message, path, toolCalls.length > 0),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(thinking === undefined ? {} : { thinking: [thinking] }),
    });
    this.#callIds = new Map(toolCalls.map(({ id, custom }) => [id, custom === true]));
    for (const id of this.#callIds.keys()) this.#unanswered.add(id);
    this.#callsAt = path;
  }

  /** The assistant's text. It may be null next to calls, and next to a refusal. */
  #assistantText(message: JsonObject, path: string, calls: boolean): string {
    const { content = null, refusal = null } = message;
    if (content !== null) return this.#text(message, path);
    if (typeof refusal === 'string') return refusal;
    if (!calls)
      this.#reader.refuse(`${path}.content`, "Invalid value for 'content': expected a string, got null.");
    return '';
  }

  #allAnswered(): void {
    if (this.#unanswered.size === 0) return;
    this.#reader.refuse(
      `${this.#callsAt}.tool_calls`,
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${[...this.#unanswered].join(', ')}`,
    );
    this.#unanswered.clear();
  }
}

/** The thoughts of a message, in one. */
function thinkingOf(message: JsonObject): Thinking | undefined {
  const thoughts = message['reasoning_content'] ?? message['reasoning'];
  const text = typeof thoughts === 'string' ? thoughts : '';
  const details = readDetails(message['reasoning_details']);
  if (details.length > 0) return { text, details };
  return text === '' ? undefined : { text };
}

/** The longest id of a call. */
const mostId = 40;

function readCalls(reader: BodyReader, value: Json | undefined, path: string): readonly ToolCall[] {
  const list = readOptionalList(reader, value, path);
  if (present(value) && list.length === 0) refuseEmpty(reader, path);
  return list.map((entry, i) => {
    const call = reader.object(entry, `${path}[${i}]`);
    const custom = call['type'] === 'custom';
    const [kind, field] = custom ? (['custom', 'input'] as const) : (['function', 'arguments'] as const);
    const made = reader.object(call[kind], `${path}[${i}].${kind}`);
    const id = reader.string(call['id'], `${path}[${i}].id`);
    const name = reader.string(made['name'], `${path}[${i}].${kind}.name`);
    checkLength(reader, id, `${path}[${i}].id`, mostId);
    checkName(reader, name, `${path}[${i}].${kind}.name`);
    const text = reader.string(made[field], `${path}[${i}].${kind}.${field}`);
    return custom ? { id, name, input: text, custom } : { id, name, input: readInput(text) };
  });
}

/** Writes one neutral message; one with results becomes several. */
export function writeMessage(message: LlmMessage): JsonObject[] {
  const { role, content, toolResults = [] } = message;
  if (role === 'assistant') return [writeAssistant(message)];
  const results = toolResults.map((result) => ({
    role: 'tool',
    tool_call_id: result.id,
    content: result.content,
  }));
  return results.length > 0 && content === '' ? results : [...results, { role, content }];
}

function writeAssistant({ content, toolCalls = [], thinking = [] }: LlmMessage): JsonObject {
  const thoughts = thinking.map(({ text }) => text).join('');
  const details = detailsOf(thinking);
  return {
    role: 'assistant',
    content: content === '' && toolCalls.length > 0 ? null : content,
    // OpenAI does not have these fields. Compatible servers read their thoughts under the first name, OpenRouter under the others.
    ...(thoughts === '' ? {} : { [details === undefined ? 'reasoning_content' : 'reasoning']: thoughts }),
    ...(details === undefined ? {} : { reasoning_details: details }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(writeCall) }),
  };
}

const writeCall = (call: ToolCall): JsonObject => callObject(call, writeInput(call.input));
