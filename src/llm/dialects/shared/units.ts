/**
 * The messages between a client and a provider, as traces show them: a client sends `{body}`, a provider sends one
 * unit at a time: an SSE event, a line, a message or a whole body.
 */
import { jsonOf, ok, refuse } from '../../../kit/base/index.ts';
import type { Codec, Json } from '../../../kit/base/index.ts';
import type { Unit } from '../../messages.ts';

/** The JSON of a request's body, or of a WebSocket's message. */
export interface RequestBody {
  readonly body: Json;
}

/** Bodies of requests. */
export const requestBodyCodec: Codec<RequestBody> = {
  name: 'llm request',
  encode: ({ body }) => Buffer.from(JSON.stringify(body)),
  decode(bytes) {
    try {
      return ok({ message: { body: jsonOf(Buffer.from(bytes).toString('utf8')) } });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable';
      return refuse({ code: 'not-json', path: '', message: `expected a JSON body; ${why}` });
    }
  },
};

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

  /** @param unit - the unit that these bytes complete, if any */
  constructor(bytes: Uint8Array, unit: Unit | undefined) {
    this.#bytes = bytes;
    if (unit === undefined) this.piece = bytes.length;
    else if (unit.comment === true) this.comment = unit.data;
    else this.data = unit.data;
    if (unit?.event !== undefined) this.event = unit.event;
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
