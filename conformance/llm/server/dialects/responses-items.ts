/** Reads the items and parts of OpenAI Responses: LLM-S07. "OpenAI API reference: Responses, Streaming events". */
import { entryOf } from '../../../../src/kit/base/index.ts';
import type { Answer } from '../answer.ts';
import { shown } from '../words.ts';
import { at } from './reader.ts';
import { callIdentity, isCallText, responsesCall } from './responses-calls.ts';
import { outputFault } from './responses-output.ts';

/** An item or a part: it is added, grows by deltas, and is done. */
interface Growing {
  /** The id of an item. Undefined for a part, and for an item without id. */
  readonly id?: unknown;
  /** The item when it was done. */
  last?: unknown;
  /** The number of its parts, by the field of their index. */
  readonly parts?: Map<string, number>;
  /** The joined deltas, by kind of text. */
  readonly joined: Map<string, string>;
  done: boolean;
}

/** Events that add or end a part of an item. `field` contains the index of the part. */
const parts: { readonly [type: string]: readonly ['add' | 'done', string] } = {
  'response.content_part.added': ['add', 'content_index'],
  'response.content_part.done': ['done', 'content_index'],
  // Bedrock's servers name parts of thoughts so.
  'response.reasoning_part.added': ['add', 'content_index'],
  'response.reasoning_part.done': ['done', 'content_index'],
  'response.reasoning_summary_part.added': ['add', 'summary_index'],
  'response.reasoning_summary_part.done': ['done', 'summary_index'],
};

/**
 * Texts that come as deltas: the event without `.delta` and `.done`, the field of the part's index, the field of the
 * done value.
 */
const texts: { readonly [type: string]: readonly [index: string | undefined, value: string] } = {
  'response.output_text': ['content_index', 'text'],
  'response.refusal': ['content_index', 'refusal'],
  'response.reasoning_text': ['content_index', 'text'],
  'response.reasoning': ['content_index', 'text'],
  'response.reasoning_summary_text': ['summary_index', 'text'],
  'response.function_call_arguments': [undefined, 'arguments'],
  'response.custom_tool_call_input': [undefined, 'input'],
};

/** The events of thoughts in Open Responses. */
const openThoughts: ReadonlySet<string> = new Set(['response.reasoning.delta', 'response.reasoning.done']);

/** The most items and parts of one answer, and characters of their deltas, that are kept. */
const most = { things: 10_000, characters: 16 << 20 } as const;

/** Reads the items of one answer. */
export class ItemReader {
  readonly #answer: Answer;
  readonly #items = new Map<unknown, Growing>();
  /** Parts, by the item's index, the field of the part's index, and the part's index. */
  readonly #parts = new Map<string, Growing>();
  #number: number | undefined;
  #characters = 0;
  /** Whether an index did not count the items or parts. */
  #misplaced = false;
  /** Whether more came than is kept. */
  #lost = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** Checks the number of an event. */
  numbered(data: unknown): void {
    const number = at(data, 'sequence_number');
    // Streams of 2025-04 have no numbers.
    if (number === undefined && this.#number === undefined) return;
    const expected = this.#number === undefined ? undefined : this.#number + 1;
    if (typeof number !== 'number' || (expected !== undefined && number !== expected))
      this.#broke(`expected sequence_number ${expected ?? '0 or more'}; came ${shown(number)}`);
    this.#number = typeof number === 'number' ? number : expected;
  }

  /** The number of items. */
  get count(): number {
    return this.#items.size;
  }

  #broke(message: string): void {
    if (!this.#lost) this.#answer.facts.violated('LLM-S07', message);
  }

  /** From now on the requirement cannot be judged. */
  lose(why: string): void {
    if (!this.#lost) this.#answer.facts.unknowable('LLM-S07', why);
    this.#lost = true;
  }

  /** Whether there is room for more. Without room, the requirement cannot be judged. */
  #room(characters: number): boolean {
    this.#characters += characters;
    const full = this.#items.size + this.#parts.size > most.things || this.#characters > most.characters;
    if (full)
      this.lose(`more than ${most.things} items and parts, or ${most.characters} characters, are not kept`);
    return !full;
  }

  /** Reads an event of an item or part. Other events are ignored. */
  take(type: string, data: unknown): void {
    if (type === 'response.output_item.added') return this.#added(data);
    if (type === 'response.output_item.done') return this.#itemDone(data);
    const part = entryOf(parts, type);
    if (part !== undefined) return this.#part(part, data);
    const end = /\.(delta|done)$/.exec(type)?.[1];
    const text = end === undefined ? undefined : entryOf(texts, type.slice(0, -end.length - 1));
    if (text === undefined) return;
    if (!this.#answer.followsOpenResponses && openThoughts.has(type)) return this.#openThought(data);
    if (end === 'delta') this.#delta(type, text, data);
    else this.#textDone(type, text, data);
  }

  /** Servers send this word of Open Responses without its part, too. Only the specification demands the part. */
  #openThought(data: unknown): void {
    this.#answer.addContent(at(data, 'delta'));
  }

  #added(data: unknown): void {
    const index = at(data, 'output_index');
    // LLM-S30 names an item without an index.
    if (typeof index !== 'number') return this.lose('an item has no output_index');
    this.#indexed(index);
    if (this.#items.has(index))
      this.#broke(
        `expected another output_index in each response.output_item.added; came ${index} a second time`,
      );
    if (this.#room(0))
      this.#items.set(index, {
        id: at(data, 'item', 'id'),
        joined: new Map(),
        done: false,
        parts: new Map(),
      });
    const call = responsesCall(at(data, 'item'));
    if (call !== undefined) this.#answer.beginCall(String(index), call.custom);
  }

  /** SDKs read `output_index` as the place in the list of the added items. Only the first wrong one is reported. */
  #indexed(index: number): void {
    const expected = this.#items.size;
    if (index === expected || this.#items.has(index) || this.#misplaced) return;
    this.#misplaced = true;
    this.#answer.facts.violated(
      'LLM-S21',
      `expected output_index ${expected} in the response.output_item.added of item ${expected + 1}; came ${index}`,
    );
  }

  /** The open item of an event. An event for another item is a violation. */
  #item(data: unknown, what: string): Growing | undefined {
    const index = at(data, 'output_index');
    const item = this.#items.get(index);
    if (item?.done === false) {
      const id = at(data, 'item_id');
      if (id !== undefined && item.id !== undefined && id !== item.id)
        this.#answer.facts.violated(
          'LLM-S21',
          `expected item_id ${shown(item.id)}, the id of the item with output_index ${shown(index)}; came ${shown(id)}`,
        );
      return item;
    }
    const state = item === undefined ? 'was never added' : 'is done';
    if (index !== undefined)
      this.#broke(`expected ${what} with the output_index of an open item; item ${shown(index)} ${state}`);
    return undefined;
  }

  #itemDone(data: unknown): void {
    const item = this.#item(data, 'response.output_item.done');
    if (item === undefined) return;
    const id = at(data, 'item', 'id');
    if (typeof id === 'string' && item.id !== undefined && id !== item.id)
      this.#answer.facts.violated(
        'LLM-S21',
        `expected item.id to be ${shown(item.id)}, as in its response.output_item.added; came ${shown(id)}`,
      );
    item.done = true;
    item.last = at(data, 'item');
    const call = responsesCall(at(data, 'item'));
    if (call === undefined) return;
    this.#answer.identifyCall(callIdentity(at(data, 'item'), 'item'));
    this.#same(item, call.event, call.text);
    const key = String(at(data, 'output_index'));
    if (call.complete) this.#answer.completeStreamedCall(key, typeof call.text === 'string' ? call.text : '');
  }

  #keyOf(data: unknown, field: string): string {
    return `output_index ${shown(at(data, 'output_index'))}, ${field} ${shown(at(data, field))}`;
  }

  #part([what, field]: readonly ['add' | 'done', string], data: unknown): void {
    const item = this.#item(data, `the event of a part`);
    if (item === undefined) return;
    const key = this.#keyOf(data, field);
    if (what === 'add') {
      if (this.#parts.has(key)) this.#broke(`expected one part with ${key} to be added; came another`);
      else this.#placed(item, field, at(data, field));
      if (this.#room(0)) this.#parts.set(key, { joined: new Map(), done: false });
      return;
    }
    const part = this.#open(key, 'the end');
    if (part === undefined) return;
    part.done = true;
    // The value of a part is its text, of any kind.
    const [name] = part.joined.keys();
    const value = at(data, 'part', 'text') ?? at(data, 'part', 'refusal');
    if (name !== undefined && value !== undefined) this.#same(part, name, value);
  }

  /** SDKs read the index of a part as its place among the added parts of its item. */
  #placed({ parts }: Growing, field: string, index: unknown): void {
    const expected = parts?.get(field) ?? 0;
    parts?.set(field, expected + 1);
    if (typeof index !== 'number' || index === expected || this.#misplaced) return;
    this.#misplaced = true;
    this.#answer.facts.violated(
      'LLM-S21',
      `expected ${field} ${expected} for part ${expected + 1} of the item; came ${index}`,
    );
  }

  #open(key: string, what: string): Growing | undefined {
    const part = this.#parts.get(key);
    if (part?.done === false) return part;
    const state = part === undefined ? 'was never added' : 'is done';
    this.#broke(`expected ${what} of an open part; the part with ${key} ${state}`);
    return undefined;
  }

  /** The part or the item whose text an event extends. */
  #growing(field: string | undefined, data: unknown, what: string): Growing | undefined {
    const item = this.#item(data, what);
    return item === undefined || field === undefined ? item : this.#open(this.#keyOf(data, field), what);
  }

  #delta(type: string, [field]: readonly [string | undefined, string], data: unknown): void {
    const name = type.replace(/\.delta$/, '');
    const delta = at(data, 'delta');
    const growing = this.#growing(field, data, type);
    if (typeof delta !== 'string') return;
    if (field === undefined) this.#answer.addArguments(String(at(data, 'output_index')), delta);
    else this.#answer.addContent(delta);
    if (this.#room(delta.length)) growing?.joined.set(name, (growing.joined.get(name) ?? '') + delta);
  }

  #textDone(type: string, [field, value]: readonly [string | undefined, string], data: unknown): void {
    const name = type.replace(/\.done$/, '');
    const growing = this.#growing(field, data, type);
    if (growing !== undefined) this.#same(growing, name, at(data, value));
  }

  #same({ joined }: Growing, name: string, value: unknown): void {
    // LM Studio sends the arguments of a call without deltas.
    if (!joined.has(name) && isCallText(name) && typeof value === 'string') {
      this.#answer.addSize(value);
      if (this.#room(value.length)) joined.set(name, value);
      return;
    }
    const all = joined.get(name) ?? '';
    // LLM-S30 names a value that is no text.
    if (typeof value === 'string' && value !== all)
      this.#broke(
        `expected the deltas of ${name} to join to its done value ${shown(value)}; they join to ${shown(all)}`,
      );
  }

  /** Judges the output of the final response: LLM-S21. */
  judgeOutput(type: string, output: unknown): void {
    if (this.#lost || this.#misplaced) return;
    const done = [...this.#items.values()].flatMap(({ last }) => (last === undefined ? [] : [last]));
    const fault = outputFault(type, done, output);
    if (fault !== undefined) this.#answer.facts.violated('LLM-S21', fault);
  }

  /** Ends the answer. Every item and part must be done. */
  over(): void {
    for (const [index, item] of this.#items)
      if (!item.done)
        this.#broke(`expected response.output_item.done with output_index ${shown(index)}; it is missing`);
    for (const [key, part] of this.#parts)
      if (!part.done) this.#broke(`expected the .done event of the part with ${key}; it is missing`);
  }
}
