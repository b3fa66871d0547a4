/** A block of an answer while it grows: the renderers of the dialects read it when they open and close it. */
import { isObject } from '../../../kit/base/index.ts';
import { parseJson } from '../../dialects/shared/arguments.ts';
import type { Citation, GeneratedBlock } from '../../messages.ts';
import type { GatewayDialect } from '../dialects.ts';

/** The kinds of content that one piece after another makes longer. */
export type TextKind = 'text' | 'refusal' | 'thought';

/** A block with the text that no renderer has got yet. */
export class GrowingBlock {
  readonly kind: TextKind | 'redacted' | 'call';
  readonly index: number;
  /** The position of a call among the calls of its answer. */
  readonly call: number | undefined;
  readonly #id: string;
  readonly #name: string;
  readonly #citations: Citation[] = [];
  #text = '';
  #unsent = '';
  #signature: string | undefined;
  /** What a renderer has of a thought that it opened. */
  #opened: { signature?: string } | undefined;
  /** Whether the provider said that it is over. */
  ended = false;
  opened = false;
  /** Whether the end of the answer cut it. */
  isCut = false;

  constructor(
    kind: GrowingBlock['kind'],
    index: number,
    {
      call,
      id = '',
      name = '',
    }: { readonly call?: number; readonly id?: string; readonly name?: string } = {},
  ) {
    this.kind = kind;
    this.index = index;
    this.call = call;
    this.#id = id;
    this.#name = name;
  }

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#text += text;
    this.#unsent += text;
  }

  sign(signature: string): void {
    this.#signature = signature;
    if (this.#opened !== undefined) this.#opened.signature = signature;
  }

  cite(citation: Citation): void {
    this.#citations.push(citation);
  }

  /** Whether it is a text with citations. They come behind it: a limit that follows did not cut it. */
  get isCited(): boolean {
    return this.#citations.length > 0;
  }

  /** The text since the last call. */
  unsent(): string {
    const text = this.#unsent;
    this.#unsent = '';
    return text;
  }

  /** Whether its arguments are a JSON object. No text at all is one without members. */
  get isJson(): boolean {
    return this.#text.trim() === '' ? this.ended : isObject(parseJson(this.#text));
  }

  /** Whether it is a call that is over. One without text may have been cut: the end of the answer tells. */
  get isClosedCall(): boolean {
    return this.kind === 'call' && this.ended && this.#text.trim() !== '';
  }

  /** Whether nothing more of it can come once another block has begun. */
  get isOver(): boolean {
    return this.ended || this.kind !== 'call' || this.isJson;
  }

  /** The block as it opens. An item of Responses reads its citations and its signature when it closes. */
  opening(dialect: GatewayDialect): GeneratedBlock {
    const block = this.generated('');
    if (dialect !== 'openai-responses') return block;
    if (block.kind === 'text') return { ...block, citations: this.#citations };
    if (block.kind !== 'thinking') return block;
    const opened = { ...block };
    this.#opened = opened;
    return opened;
  }

  /** The block as it is now, or with the text that it had before its latest piece. */
  generated(text: string = this.#shown()): GeneratedBlock {
    const base = { index: this.index, text, complete: !this.isCut };
    const signature = this.#signature === undefined ? {} : { signature: this.#signature };
    switch (this.kind) {
      case 'call':
        return { ...base, kind: 'tool_call', id: this.#id, name: this.#name };
      case 'thought':
        return { ...base, kind: 'thinking', ...signature };
      case 'redacted':
        return { ...base, text: '', kind: 'thinking', redacted: this.#text };
      default:
        return {
          ...base,
          kind: 'text',
          ...(this.kind === 'refusal' ? { refusal: true as const } : {}),
          ...(this.#citations.length === 0 ? {} : { citations: this.#citations }),
        };
    }
  }

  /** A call without arguments has the input `{}` (LLM-G06). */
  #shown(): string {
    return this.kind === 'call' && this.ended && !this.isCut && this.#text.trim() === '' ? '{}' : this.#text;
  }
}
