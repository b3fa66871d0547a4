/**
 * The input items of a Responses request and the neutral messages, both ways. The assistant's thoughts, texts and
 * calls are separate items; here they are one message, as are the outputs of its calls with the text of the user
 * after them.
 */
import type { Json, JsonObject, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, Thinking } from '../../messages.ts';
import { checkLength, otherPartsOf, readInput, readText, refuseRole, writeInput } from '../openai/body.ts';
import { isArray, present } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import { callWords } from './call-words.ts';
import { ItemIds } from './item-ids.ts';
import { checkParts } from './part-types.ts';

const textParts = new Set(['input_text', 'output_text', 'refusal']);
const summaryParts = new Set(['summary_text', 'reasoning_text']);
/** The longest id of a call. */
const mostCallId = 64;
const roles = ['assistant', 'system', 'developer', 'user'] as const;

/** A kind of call, in the words of the API's refusals. */
const kindOf = (custom: boolean): string => (custom ? 'custom tool' : 'function');

/** Reads `input`. `continued`: the server may have earlier items, with calls among them. */
export function readItems(reader: BodyReader, list: readonly Json[], continued: boolean): LlmMessage[] {
  const items = new ItemReader(reader, continued);
  for (const [i, entry] of list.entries()) items.add(reader.object(entry, `input[${i}]`), `input[${i}]`);
  return items.end();
}

/** The message of the assistant whose items are being read. */
interface Speaking {
  content: string | undefined;
  readonly thinking: Thinking[];
  readonly toolCalls: ToolCall[];
}

class ItemReader {
  readonly #reader: BodyReader;
  readonly #continued: boolean;
  readonly #ids: ItemIds;
  readonly #messages: LlmMessage[] = [];
  #speaking: Speaking | undefined;
  #results: ToolOutcome[] = [];
  /** The ids of calls so far, and those without an output, with their places. */
  readonly #called = new Set<string>();
  readonly #open = new Map<string, { readonly path: string; readonly kind: string }>();

  constructor(reader: BodyReader, continued: boolean) {
    this.#reader = reader;
    this.#continued = continued;
    this.#ids = new ItemIds(reader);
  }

  add(item: JsonObject, path: string): void {
    const type = item['type'] ?? 'message';
    this.#ids.add(item, path);
    if (type === 'message') this.#message(item, path);
    else if (type === 'function_call') this.#call(item, path);
    else if (type === 'custom_tool_call') this.#call(item, path, true);
    else if (type === 'function_call_output') this.#output(item, path);
    else if (type === 'custom_tool_call_output') this.#output(item, path, true);
    else if (type === 'reasoning') this.#reasoning(item, path);
    else this.#reader.ignore(`input[]:${this.#reader.string(type, `${path}.type`)}`);
  }

  end(): LlmMessage[] {
    this.#close();
    this.#ids.end();
    const [first] = this.#open;
    if (first !== undefined) {
      const [id, { path, kind }] = first;
      this.#reader.refuse(path, `No tool output found for ${kind} call ${id}.`);
    }
    return this.#messages;
  }

  #message(item: JsonObject, path: string): void {
    const role = this.#reader.string(item['role'], `${path}.role`);
    checkParts(this.#reader, item['content'], `${path}.content`, role === 'assistant' ? 'output' : 'input');
    const content = readText(this.#reader, item['content'], `${path}.content`, textParts);
    if (role === 'assistant') {
      const { content: before, toolCalls } = this.#speaking ?? {};
      this.#assistant(before !== undefined || (toolCalls?.length ?? 0) > 0).content = content;
    } else if (role === 'user') this.#user(content, otherPartsOf(item['content'], textParts));
    else if (role === 'system' || role === 'developer') {
      this.#close();
      this.#messages.push({ role: 'system', content });
    } else refuseRole(this.#reader, role, `${path}.role`, roles);
  }

  #user(content: string, others: Pick<LlmMessage, 'otherParts'>): void {
    const results = this.#results;
    this.#results = [];
    this.#close();
    const toolResults = results.length === 0 ? {} : { toolResults: results };
    this.#messages.push({ role: 'user', content, ...toolResults, ...others });
  }

  /** The message that an item of the assistant belongs to; a new one at the start of a turn. */
  #assistant(isNew: boolean): Speaking {
    if (isNew || this.#results.length > 0) this.#close();
    this.#speaking ??= { content: undefined, thinking: [], toolCalls: [] };
    return this.#speaking;
  }

  #call(item: JsonObject, path: string, custom = false): void {
    const { field } = callWords[custom ? 'custom' : 'function'];
    const id = this.#reader.string(item['call_id'], `${path}.call_id`);
    const text = this.#reader.string(item[field], `${path}.${field}`);
    const name = this.#reader.string(item['name'], `${path}.name`);
    checkLength(this.#reader, id, `${path}.call_id`, mostCallId);
    const input = custom ? text : readInput(text);
    const { namespace } = item;
    this.#assistant(false).toolCalls.push({
      id,
      name,
      input,
      ...(custom && { custom }),
      ...(present(namespace) && { namespace: this.#reader.string(namespace, `${path}.namespace`) }),
    });
    this.#called.add(id);
    this.#open.set(id, { path, kind: kindOf(custom) });
  }

  #output(item: JsonObject, path: string, custom = false): void {
    const id = this.#reader.string(item['call_id'], `${path}.call_id`);
    if (!this.#called.has(id) && !this.#continued)
      this.#reader.refuse(path, `No tool call found for ${kindOf(custom)} call output with call_id ${id}.`);
    this.#open.delete(id);
    if (this.#results.length === 0) this.#close();
    checkParts(this.#reader, item['output'], `${path}.output`, 'result');
    const content = readText(this.#reader, item['output'], `${path}.output`, textParts);
    this.#results.push({ id, content, isError: false, ...(custom && { custom }) });
  }

  #reasoning(item: JsonObject, path: string): void {
    const { summary = [], content = null, encrypted_content: signature = null } = item;
    const parts = [...this.#reader.array(summary, `${path}.summary`), ...(isArray(content) ? content : [])];
    const text = readText(this.#reader, parts, `${path}.summary`, summaryParts);
    const { content: before, toolCalls } = this.#speaking ?? {};
    const isNew = before !== undefined || (toolCalls?.length ?? 0) > 0;
    this.#assistant(isNew).thinking.push({
      text,
      ...(signature === null
        ? {}
        : { signature: this.#reader.string(signature, `${path}.encrypted_content`) }),
    });
  }

  /** Ends the message that is being read. */
  #close(): void {
    if (this.#results.length > 0)
      this.#messages.push({ role: 'user', content: '', toolResults: this.#results });
    this.#results = [];
    if (this.#speaking === undefined) return;
    const { content = '', thinking, toolCalls } = this.#speaking;
    this.#messages.push({
      role: 'assistant',
      content,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(thinking.length === 0 ? {} : { thinking }),
    });
    this.#speaking = undefined;
  }
}

/** Writes one neutral message as its items. */
export function writeItems(message: LlmMessage): JsonObject[] {
  const { role, content, thinking = [], toolCalls = [], toolResults = [], blocks } = message;
  if (blocks !== undefined) return [...blocks];
  const items: JsonObject[] = [
    // Unsigned thoughts cannot go back: the server would look for its own item.
    ...thinking.filter(({ signature }) => signature !== undefined).map(writeReasoning),
    ...toolResults.map(({ id, content: output, custom }) => ({
      type: custom === true ? 'custom_tool_call_output' : 'function_call_output',
      call_id: id,
      output,
    })),
  ];
  if (content !== '' || (toolCalls.length === 0 && toolResults.length === 0))
    items.push({ type: 'message', role, content });
  return [...items, ...toolCalls.map(writeCall)];
}

const writeReasoning = ({ text, signature = '' }: Thinking): JsonObject => ({
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
  encrypted_content: signature,
});

function writeCall({ id, name, input, custom, namespace }: ToolCall): JsonObject {
  const { type, field } = callWords[custom === true ? 'custom' : 'function'];
  const named = namespace === undefined ? { name } : { name, namespace };
  return { type, call_id: id, ...named, [field]: writeInput(input) };
}
