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

/** The items of a request whose answer comes, and whether the provider keeps the response for other connections. */
interface Asked {
  readonly items: readonly Json[];
  readonly stored: boolean;
}

/** One WebSocket of a client. */
export class ClientSocket {
  /** Whether it is without a request so far. */
  get isNew(): boolean {
    return this.#count === 0;
  }

  #count = 0;
  /** The latest requests, by their position. */
  readonly #created = new Map<number, Created>();
  /** The request of each lane whose answer comes. */
  readonly #asked = new Map<unknown, Asked>();
  /** The ids of the responses that no other connection can continue. */
  readonly #own = new Set<string>();
  readonly #known = new KnownResponses();
  readonly #stored: KnownResponses;

  /** @param stored - the responses that any connection can continue */
  constructor(stored: KnownResponses) {
    this.#stored = stored;
  }

  /** Takes a message of the client. */
  create(message: JsonObject): void {
    const { type: _, stream_id: lane, generate: __, previous_response_id: previous, ...body } = message;
    const id = typeof previous === 'string' ? previous : undefined;
    const before = id === undefined ? undefined : (this.#known.get(id) ?? this.#stored.get(id))?.items;
    const whole =
      before === undefined
        ? { ...body, ...(id !== undefined && { previous_response_id: id }) }
        : { ...body, input: continuedInput(before, itemsOf(body['input'])) };
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
    if (created === undefined) return;
    const { input, store } = created.body;
    this.#asked.set(created.lane, { items: itemsOf(input), stored: store !== false });
  }

  /** Takes a message of the provider. @returns the hints of an error for another attempt */
  event({ type, response, headers, stream_id: lane }: JsonObject): JsonObject | undefined {
    if (type === 'error') return isObject(headers) ? headers : undefined;
    const asked = this.#asked.get(lane);
    const { id, output } = isObject(response) ? response : {};
    const ends = type === 'response.completed' || type === 'response.incomplete';
    if (ends && asked !== undefined && typeof id === 'string' && isArray(output)) {
      (asked.stored ? this.#stored : this.#known).add({ id, items: [...asked.items, ...output] });
      if (!asked.stored && this.#own.size < requestsKept) this.#own.add(id);
    }
    return undefined;
  }

  /** Whether a response came on this WebSocket, and was not stored. Without an id: whether any was so. */
  hasOwn(id?: string): boolean {
    return id === undefined ? this.#own.size > 0 : this.#own.has(id);
  }
}

/** The most WebSockets that are kept. */
const socketsKept = 64;

/** The WebSockets of Responses, by stream, and the responses that any of them can continue. */
export interface ClientSockets {
  readonly sockets: Map<string, ClientSocket>;
  readonly stored: KnownResponses;
}

/** Takes a request on the WebSocket of this stream. */
export function takeCreate({ sockets, stored }: ClientSockets, stream: string, body: JsonObject): void {
  const socket = sockets.get(stream) ?? new ClientSocket(stored);
  socket.create(body);
  sockets.set(stream, socket);
  forgetOldest(sockets, socketsKept);
}
