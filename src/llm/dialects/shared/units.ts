/**
 * The messages between a client and a provider, as traces show them: a client sends `{body}`, a provider sends one
 * unit at a time: an SSE event, a line, a message or a whole body.
 */
import { jsonOf, ok, refuse } from '../../../kit/base/index.ts';
import type { Codec, Json } from '../../../kit/base/index.ts';
import type { Framing, Unit } from '../../messages.ts';

/** The JSON of a request's body, or of a WebSocket's message. */
export interface RequestBody {
  readonly body: Json;
  /** Whether it has bytes that are no UTF-8: then `body` has U+FFFD in their place. */
  readonly badUtf8?: true;
}

/** The codec of request bodies. It refuses bytes that are not JSON with the code `not-json`. */
export const requestBodyCodec: Codec<RequestBody> = {
  name: 'llm request',
  encode: ({ body }) => Buffer.from(JSON.stringify(body)),
  decode(bytes) {
    try {
      const text = Buffer.from(bytes).toString('utf8');
      const body = jsonOf(text);
      const isUtf8 = !text.includes('\uFFFD') || Buffer.from(text).equals(bytes);
      return ok({ message: isUtf8 ? { body } : { body, badUtf8: true } });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable';
      return refuse({ code: 'not-json', path: '', message: `expected a JSON body; ${why}` });
    }
  },
};

/** Several units in one write. */
export interface Joined {
  readonly framing: Framing;
  readonly units: number;
}

/** One write of a provider. Of a unit that is split, only the last write shows the unit; the others show as pieces. */
export class ResponseWrite {
  /** SSE's event name. */
  readonly event?: string;
  readonly data?: Json;
  /** The text of a comment of SSE. */
  readonly comment?: Json;
  /** The length (bytes) of a piece that completes no unit. */
  readonly piece?: number;
  readonly #bytes: Uint8Array;
  readonly #joined: Joined | undefined;

  /**
   * @param unit - the unit that these bytes complete, if any
   * @param joined - whole units that are written together; they show as a piece
   */
  constructor(bytes: Uint8Array, unit: Unit | undefined, joined?: Joined) {
    this.#bytes = bytes;
    this.#joined = joined;
    if (unit === undefined) this.piece = bytes.length;
    else if (unit.comment === true) this.comment = unit.data;
    else this.data = unit.data;
    if (unit?.event !== undefined) this.event = unit.event;
  }

  /** The framing of units that are written together; undefined: no such units. */
  get framing(): Framing | undefined {
    return this.#joined?.framing;
  }

  /** The number of units that are written together. */
  get units(): number {
    return this.#joined?.units ?? 0;
  }

  /** The bytes as they go on the wire. */
  bytes(): Uint8Array {
    return this.#bytes;
  }
}

/** Writes of a provider; nobody decodes them. */
export const responseWriteCodec: Codec<ResponseWrite> = {
  name: 'llm response',
  encode: (write) => write.bytes(),
  decode: (bytes) => ok({ message: new ResponseWrite(bytes, undefined) }),
};
