/** The decoder of OpenAI's two dialects: server-sent events whose data is JSON, or the word `[DONE]`. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, ResponseDecoder, ResponseEvent } from '../../messages.ts';
import { excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import { defaultLimits } from '../shared/assembly.ts';
import { SseParser } from '../../../kit/base/index.ts';

/** What a dialect makes of the events of one response. */
export interface EventResponse {
  readonly done: boolean;
  readonly rawStop: string | undefined;
  event(data: JsonObject): void;
  /** `[DONE]` has come. */
  over(): void;
  /** The bytes are no response of the dialect. */
  refuse(message: string): void;
  warn(message: string): void;
  drain(): readonly ResponseEvent[];
  end(how: 'clean' | 'reset'): Decoded;
}

/** A decoder of one response; it takes the bytes of the body. */
export class EventDecoder implements ResponseDecoder {
  readonly #parser: SseParser;
  readonly #response: EventResponse;
  readonly #limits: DecoderLimits;

  /** @param open - begins a response of at most so many characters */
  constructor(limits: Partial<DecoderLimits>, open: (limit: number) => EventResponse) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#parser = new SseParser(this.#limits.event);
    this.#response = open(this.#limits.response);
  }

  get done(): boolean {
    return this.#response.done;
  }

  get rawStop(): string | undefined {
    return this.#response.rawStop;
  }

  push(chunk: Uint8Array): readonly ResponseEvent[] {
    const response = this.#response;
    if (response.done) return [];
    for (const { data } of this.#parser.push(chunk)) {
      this.#event(data);
      if (response.done) break;
    }
    if (this.#parser.overflowed && !response.done)
      response.refuse(`expected events of at most ${this.#limits.event} characters; a larger one came`);
    return response.drain();
  }

  #event(data: string): void {
    if (data === '[DONE]') return this.#response.over();
    const event = parseJson(data);
    if (event === undefined) this.#response.refuse(`expected events of JSON; came ${excerpt(data)}`);
    else if (isJsonObject(event)) this.#response.event(event);
    else this.#response.warn(`expected an event that is an object; came ${excerpt(data)}`);
  }

  end(how: 'clean' | 'reset'): Decoded {
    return this.#response.end(how);
  }
}
