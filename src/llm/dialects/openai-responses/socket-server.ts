/**
 * The server's side of one WebSocket on `/v1/responses`, as a machine: lanes whose requests run one after another, and
 * the responses that requests continue. The streamer makes the answers.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { GivenWords } from '../shared/body-reader.ts';
import type { LlmRequest, ProviderError } from '../../messages.ts';
import { countPath, readRequest } from './request.ts';
import { continuedInput, itemsOf, KnownResponses } from './socket-memory.ts';
import type { KnownResponse } from './socket-memory.ts';
import { mostLanes, tooManyLanes, unknownResponse } from './socket-errors.ts';
import type { SocketRefusal } from './socket-errors.ts';
import { readMessage } from './socket-request.ts';
import type { SocketCreate } from './socket-request.ts';

/** A request whose turn has come. */
export interface SocketRequest {
  readonly create: SocketCreate;
  /** Its position among the requests of the connection, from 1. */
  readonly number: number;
  /** The whole request, with the items of the response that it continues. */
  readonly request: LlmRequest;
  /** Its items, with those before it. */
  readonly items: readonly Json[];
}

/** An output of the machine. */
export type SocketOutput =
  /** Answer with a response, or with one without output where it does not generate. Then call `ended`. */
  | ({ readonly do: 'respond' } & SocketRequest)
  /** The connection refuses a message. */
  | { readonly do: 'refuse'; readonly refusal: SocketRefusal; readonly lane: string | undefined }
  /** The dialect refuses a request. */
  | {
      readonly do: 'error';
      readonly error: ProviderError;
      readonly place: string | undefined;
      readonly create: SocketCreate;
      readonly number: number;
    }
  /** Take no more messages for now, or take them again. */
  | { readonly do: 'pause' | 'resume' };

/** A request that waits for its lane. */
interface Waiting {
  readonly create: SocketCreate;
  readonly number: number;
}

/** The most responses at once on a connection (OpenAI, WebSocket mode, limits). */
const mostAtOnce = 16;

/** With this many waiting requests, no more messages are read. */
const mostWaiting = 64;

/** The lane without a name. */
const unnamed = '';

/** One connection. */
export class ResponsesSocket {
  /** The responses of `store: false`: the latest of each lane, on this connection only. */
  readonly #own = new KnownResponses();
  /** The latest response of each lane. */
  readonly #latest = new Map<string, string>();
  readonly #stored: KnownResponses;
  readonly #lanes = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #waiting: Waiting[] = [];
  #count = 0;
  #paused = false;

  /** @param stored - the responses that the provider keeps for all connections */
  constructor(stored: KnownResponses) {
    this.#stored = stored;
  }

  /** Takes a message of the client, parsed. Never throws. */
  take(message: Json, given: GivenWords): readonly SocketOutput[] {
    if (isObject(message) && message['type'] === 'response.create') this.#count++;
    const number = this.#count;
    const read = readMessage(message);
    if (read === 'other') return [];
    if ('refusal' in read) return [{ do: 'refuse', refusal: read.refusal, lane: read.lane }];
    const { create } = read;
    if (create.lane !== undefined) {
      if (!this.#lanes.has(create.lane) && this.#lanes.size >= mostLanes)
        return [{ do: 'refuse', refusal: tooManyLanes, lane: create.lane }];
      this.#lanes.add(create.lane);
    }
    this.#waiting.push({ create, number });
    return this.next(given);
  }

  /** The outputs of the requests whose turn has come. */
  next(given: GivenWords): readonly SocketOutput[] {
    const outputs: SocketOutput[] = [];
    for (let at = this.#free(); at >= 0; at = this.#free()) {
      const [waiting] = this.#waiting.splice(at, 1);
      if (waiting !== undefined) outputs.push(this.#begin(waiting, given));
    }
    const full = this.#waiting.length >= mostWaiting;
    if (full !== this.#paused) outputs.push({ do: full ? 'pause' : 'resume' });
    this.#paused = full;
    return outputs;
  }

  /** The first waiting request whose lane is free. */
  #free(): number {
    if (this.#busy.size >= mostAtOnce) return -1;
    return this.#waiting.findIndex(({ create }) => !this.#busy.has(create.lane ?? unnamed));
  }

  #begin({ create, number }: Waiting, given: GivenWords): SocketOutput {
    const { previous, lane, body } = create;
    const before =
      previous === undefined ? undefined : (this.#own.get(previous) ?? this.#stored.get(previous));
    if (previous !== undefined && before === undefined)
      return { do: 'refuse', refusal: unknownResponse(previous), lane };
    const own = itemsOf(body['input']);
    const items = before === undefined ? own : continuedInput(before.items, own);
    // Without an answer, an input is not needed.
    const path = create.generates ? undefined : countPath;
    const read = readRequest(before === undefined ? body : { ...body, input: items }, {}, path, given);
    if (!read.ok) {
      this.#forget(previous);
      return { do: 'error', error: read.error.error, place: read.error.path, create, number };
    }
    this.#busy.add(lane ?? unnamed);
    return { do: 'respond', create, number, request: read.value, items };
  }

  /**
   * A response is over, and its lane is free.
   *
   * @param response - its id and its output; undefined: it failed, and the response that it continued is forgotten
   */
  ended({ create, items }: SocketRequest, response: KnownResponse | undefined): void {
    const lane = create.lane ?? unnamed;
    this.#busy.delete(lane);
    if (response === undefined) return this.#forget(create.previous);
    const known: KnownResponse = { id: response.id, items: [...items, ...response.items] };
    const latest = this.#latest.get(lane);
    if (latest !== undefined) this.#own.delete(latest);
    this.#latest.set(lane, known.id);
    (create.stored ? this.#stored : this.#own).add(known);
  }

  /** A response that a failed request continued is not kept by the connection (OpenAI, WebSocket mode). */
  #forget(previous: string | undefined): void {
    if (previous !== undefined) this.#own.delete(previous);
  }
}
