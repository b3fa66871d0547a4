/**
 * The chunks of a Chat Completions stream. The JSON of a delta is written by hand around its text: JSON.stringify of the
 * whole chunk takes four times as long ("LLM streamer, events" of `npm run bench`).
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { RenderContext, Unit } from '../../messages.ts';
import { paddingOf } from '../openai/padding.ts';
import type { Padding } from '../openai/padding.ts';

/** Writes the chunks of one response. */
export class ChunkWriter {
  /** The members before `choices`, the same in all chunks. */
  readonly #head: JsonObject;
  /** The JSON before a delta. */
  readonly #before: string;
  /** The JSON behind a delta whose choice goes on, up to the padding. */
  readonly #behind: string;
  /** `usage: null`, where the request asks for usage. */
  readonly #usage: JsonObject;
  readonly #padding: Padding | undefined;

  constructor(context: RenderContext) {
    const { now, request, id } = context;
    this.#head = {
      id: id('chatcmpl-'),
      object: 'chat.completion.chunk',
      created: Math.floor(now / 1000),
      model: request.model,
      service_tier: 'default',
      system_fingerprint: id('fp_'),
    };
    this.#usage = request.includeUsage ? { usage: null } : {};
    this.#padding = paddingOf(context);
    this.#before = `${JSON.stringify(this.#head).slice(0, -1)},"choices":[{"index":0,"delta":`;
    this.#behind = `,"logprobs":null,"finish_reason":null}]${request.includeUsage ? ',"usage":null' : ''}`;
  }

  /** A chunk with any delta. */
  chunk(delta: JsonObject, finish: string | null = null): Unit {
    return { data: this.#data(delta, finish, this.#padding?.('')) };
  }

  /** The chunk with the usage, which has no choices. */
  usage(usage: JsonObject): Unit {
    return { data: { ...this.#head, choices: [], usage, ...padded(this.#padding?.('')) } };
  }

  /** A chunk with a piece of text under this key. */
  piece(key: string, text: string): Unit {
    return this.#piece({ [key]: text }, `{"${key}":${JSON.stringify(text)}}`, text);
  }

  /** A chunk with a piece of a call's arguments. */
  callPiece(index: number, text: string): Unit {
    const json = `{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(text)}}}]}`;
    return this.#piece({ tool_calls: [{ index, function: { arguments: text } }] }, json, text);
  }

  #piece(delta: JsonObject, json: string, text: string): Unit {
    const padding = this.#padding?.(text);
    const end = padding === undefined ? '}' : `,"obfuscation":"${padding}"}`;
    return { data: this.#data(delta, null, padding), json: this.#before + json + this.#behind + end };
  }

  #data(delta: JsonObject, finish: string | null, padding: string | undefined): JsonObject {
    const choice: Json = { index: 0, delta, logprobs: null, finish_reason: finish };
    return { ...this.#head, choices: [choice], ...this.#usage, ...padded(padding) };
  }
}

const padded = (padding: string | undefined): JsonObject =>
  padding === undefined ? {} : { obfuscation: padding };
