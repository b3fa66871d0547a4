/**
 * The requests of a client on a WebSocket of Responses, as they would be on HTTP: a request that continues a response has
 * the items of that response before its own.
 */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { forgetOldest } from '../../../src/kit/judge/index.ts';
import { KnownResponses, continuedInput, itemsOf } from '../../../src/llm/index.ts';

/** The most requests of a WebSocket that are kept. */
const requestsKept = 64;

/** A request as on HTTP, and its lane. */
interface Created {
  readonly lane: unknown;
  readonly body: JsonObject;
}

/** One WebSocket of a client. */
export class ClientSocket {
  #count = 0;
  /** The latest requests, by their position. */
  readonly #created = new Map<number, Created>();
  /** The items of the request of each lane whose answer comes. */
  readonly #asked = new Map<unknown, readonly Json[]>();
  readonly #known = new KnownResponses();

  /** Takes a message of the client. */
  create(message: JsonObject): void {
    const { type: _, stream_id: lane, generate: __, previous_response_id: previous, ...body } = message;
    const before = typeof previous === 'string' ? this.#known.get(previous)?.items : undefined;
    const whole =
      before === undefined ? body : { ...body, input: continuedInput(before, itemsOf(body['input'])) };
    this.#created.set(++this.#count, { lane, body: { ...whole, stream: true } });
    forgetOldest(this.#created, requestsKept);
  }

  /** The body of the request at a position. */
  bodyOf(position: number): JsonObject | undefined {
    return this.#created.get(position)?.body;
  }

  /** The provider begins to answer the request at a position. */
  begin(position: number): void {
    const created = this.#created.get(position);
    if (created !== undefined) this.#asked.set(created.lane, itemsOf(created.body['input']));
  }

  /** Takes a message of the provider. @returns the hints of an error for another attempt */
  event({ type, response, headers, stream_id: lane }: JsonObject): JsonObject | undefined {
    if (type === 'error') return isObject(headers) ? headers : undefined;
    const asked = this.#asked.get(lane);
    const { id, output } = isObject(response) ? response : {};
    const ends = type === 'response.completed' || type === 'response.incomplete';
    if (ends && asked !== undefined && typeof id === 'string' && isArray(output))
      this.#known.add({ id, items: [...asked, ...output] });
    return undefined;
  }
}

/** The most WebSockets that are kept. */
const socketsKept = 64;

/** Takes a request on the WebSocket of this stream. */
export function takeCreate(sockets: Map<string, ClientSocket>, stream: string, body: JsonObject): void {
  const socket = sockets.get(stream) ?? new ClientSocket();
  socket.create(body);
  sockets.set(stream, socket);
  forgetOldest(sockets, socketsKept);
}
