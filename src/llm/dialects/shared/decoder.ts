/**
 * The common part of all decoders: from bytes to items to an assembly, with limits, ends, and responses that are not
 * streamed.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type {
  ClientError,
  Decoded,
  DecoderLimits,
  LlmResponse,
  ResponseDecoder,
  ResponseEvent,
} from '../../messages.ts';
import { excerpt, isJsonObject, parseJson } from './arguments.ts';
import { Assembly, defaultLimits, endedEarly } from './assembly.ts';
import type { HeaderFields } from './dialect.ts';
import { httpError } from './http-error.ts';
import type { ErrorText } from './http-error.ts';

/** Splits bytes into items: events, lines or messages. */
export interface ItemParser<Item> {
  /** The items that these bytes complete. */
  push(bytes: Uint8Array): readonly Item[];
  /** The items that the end of the body completes. */
  end?(): readonly Item[];
  /** Whether an item was larger than the limit; nothing is read from then on. */
  readonly overflowed: boolean;
}

/** A decoder of one response. A dialect adds the meaning of each item, and the terminal. */
export abstract class StreamDecoder<Item> implements ResponseDecoder {
  rawStop: string | undefined;
  protected readonly assembly: Assembly;
  /** Whether the terminal has come. */
  protected over = false;
  readonly #parser: ItemParser<Item>;
  readonly #largest: string;

  /**
   * @param parser - makes the parser for items of at most this size
   * @param unit - what the size of an item counts
   */
  constructor(
    limits: Partial<DecoderLimits>,
    parser: (limit: number) => ItemParser<Item>,
    unit: 'characters' | 'bytes' = 'characters',
  ) {
    const { event, response } = { ...defaultLimits, ...limits };
    this.#largest = `${event} ${unit}`;
    this.#parser = parser(event);
    this.assembly = new Assembly(response);
  }

  /** Whether the response is over, well or not. */
  get done(): boolean {
    return this.over || this.assembly.error !== undefined;
  }

  push(chunk: Uint8Array): readonly ResponseEvent[] {
    if (this.done) return [];
    for (const item of this.#parser.push(chunk)) {
      this.take(item);
      if (this.done) return this.assembly.drain();
    }
    if (this.#parser.overflowed)
      this.refuse(`expected events or messages of at most ${this.#largest}; came a larger one`);
    return this.assembly.drain();
  }

  end(how: 'clean' | 'reset'): Decoded {
    for (const item of this.#parser.end?.() ?? []) if (!this.done) this.takeLast(item);
    if (!this.done) this.fail(endedEarly(how, this.terminal));
    this.settle();
    const decoded = this.assembly.decoded();
    const blocks = this.kept?.(decoded.response);
    return blocks === undefined ? decoded : { ...decoded, response: { ...decoded.response, blocks } };
  }

  /** The blocks of the answer as they came, where some are the provider's own. Absent: the dialect has no such blocks. */
  protected kept?(response: LlmResponse): readonly JsonObject[] | undefined;

  /** Takes one item of a stream. */
  protected abstract take(item: Item): void;

  /** Takes an item that only the end of the body completes. */
  protected takeLast(item: Item): void {
    this.take(item);
  }

  /** The terminal that the stream lacks so far, in the dialect's words. */
  protected abstract get terminal(): string;

  /** Ends the response: decides about calls that are neither complete nor cut. */
  protected settle(): void {}

  /** Ends the response with an error. */
  protected fail(error: ClientError): void {
    this.assembly.fail(error);
  }

  /** Refuses bytes that are not a response of the dialect. */
  protected refuse(message: string): void {
    this.fail({ kind: 'protocol', message, retryable: false });
  }
}

/** A decoder of a dialect on HTTP, where a response may also come as one body. */
export abstract class HttpDecoder<Item> extends StreamDecoder<Item> {
  /** Decodes a response that is not streamed: an answer, or an error by its status. */
  readWhole(status: number, headers: HeaderFields, bytes: Uint8Array): Decoded {
    const text = new TextDecoder().decode(bytes);
    const body = parseJson(text);
    if (status >= 400) this.fail(httpError(status, headers, this.errorText(body, text, status, headers)));
    else if (isJsonObject(body)) this.takeWhole(body, text);
    else if (Array.isArray(body) && this.takeList !== undefined) this.takeList(body, text);
    else this.refuse(`expected a body that is a JSON object; came ${excerpt(text)}`);
    return this.end('clean');
  }

  /** Takes a whole response; `text` is its JSON. */
  protected abstract takeWhole(body: JsonObject, text: string): void;

  /** Takes a whole response that is a list. Absent: the dialect has none. */
  protected takeList?(list: readonly Json[], text: string): void;

  protected abstract errorText(body: unknown, text: string, status: number, headers: HeaderFields): ErrorText;
}
