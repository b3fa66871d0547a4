/**
 * The blocks of an answer as the next request has them. A client keeps them where some of them are the provider's own, such
 * as calls of its tools: "sending the response back as-is" (Anthropic API: Handling stop reasons, pause_turn).
 */
import type { Json, JsonObject, ToolCall } from '../../../kit/base/index.ts';
import { isJsonObject, parseJson } from '../shared/arguments.ts';
import { isArray } from '../shared/body-reader.ts';

/** The blocks that the neutral words of a message can say. */
const neutral: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);

/** A block whose content is coming. */
export class KeptBlock {
  /** Its text, its thought, or the JSON of its input. */
  text = '';
  closed = false;
  readonly start: JsonObject;
  readonly #more: { [name: string]: Json } = {};
  readonly #citations: Json[] = [];

  constructor(start: JsonObject) {
    this.start = start;
  }

  get isOwn(): boolean {
    return !neutral.has(this.start['type']);
  }

  /** Takes a delta other than more of its text. Its members are final values; citations come one by one. */
  take(delta: JsonObject): void {
    const { type: _, citation, partial_json: input, ...values } = delta;
    if (typeof input === 'string') this.text += input;
    if (citation !== undefined) this.#citations.push(citation);
    Object.assign(this.#more, values);
  }

  /** The whole block; undefined for a block that no request may have: an empty text, a thought without a signature. */
  form(calls: readonly ToolCall[]): JsonObject | undefined {
    const { type } = this.start;
    if (type === 'text') return this.#text();
    if (type === 'thinking') return this.#thought();
    if (type !== 'tool_use') return { ...this.start, ...this.#input(), ...this.#more };
    const call = calls.find(({ id }) => id === this.start['id']);
    return call === undefined || !isJsonObject(call.input)
      ? undefined
      : { ...this.start, input: call.input, ...this.#more };
  }

  #text(): JsonObject | undefined {
    const { text, citations } = this.start;
    const whole = (typeof text === 'string' ? text : '') + this.text;
    if (whole.trim() === '') return undefined;
    const cited = [...(isArray(citations) ? citations : []), ...this.#citations];
    return { ...this.start, text: whole, ...(cited.length > 0 && { citations: cited }) };
  }

  #thought(): JsonObject | undefined {
    const { thinking } = this.start;
    const block = {
      ...this.start,
      thinking: (typeof thinking === 'string' ? thinking : '') + this.text,
      ...this.#more,
    };
    const { signature } = block as JsonObject;
    return typeof signature === 'string' && signature !== '' ? block : undefined;
  }

  #input(): JsonObject {
    const input = this.text === '' ? undefined : parseJson(this.text);
    return isJsonObject(input) ? { input } : {};
  }
}

/** The blocks to keep; undefined where the neutral words say them all. A block that is not closed was cut. */
export function keptForms(
  blocks: readonly KeptBlock[],
  calls: readonly ToolCall[],
): readonly JsonObject[] | undefined {
  if (!blocks.some(({ isOwn }) => isOwn)) return undefined;
  return blocks
    .filter(({ closed }) => closed)
    .map((block) => block.form(calls))
    .filter((form) => form !== undefined);
}
