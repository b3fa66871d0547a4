/**
 * What crosses between a client and a provider, in the form in which traces show it: a client sends `{body}`, a
 * provider sends one unit at a time, an SSE event, a line, a message or a whole body.
 */
import { ok, refuse } from '../../../kit/base/index.ts';
import type { Codec, Json } from '../../../kit/base/index.ts';
import type { Unit } from '../../messages.ts';

/** What a client sent: the JSON of a request's body, or of a WebSocket's message. */
export interface Asked {
  readonly body: Json;
}

/** Bodies of requests. */
export const askedCodec: Codec<Asked> = {
  name: 'llm request',
  encode: ({ body }) => Buffer.from(JSON.stringify(body)),
  decode(bytes) {
    try {
      return ok({ message: { body: JSON.parse(Buffer.from(bytes).toString('utf8')) as Json } });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable';
      return refuse({ code: 'not-json', path: '', message: `expected a JSON body; ${why}` });
    }
  },
};

/**
 * What a provider sent in one write. A unit that was split shows only in the write that completes it; those before
 * it show as pieces.
 */
export class Sent {
  /** SSE's event name. */
  readonly event?: string;
  readonly data?: Json;
  /** The text of a comment of SSE. */
  readonly comment?: Json;
  /** How many bytes of a unit that is not complete yet. */
  readonly piece?: number;
  readonly #bytes: Uint8Array;

  /** A write of these bytes, which complete a unit, or none. */
  constructor(bytes: Uint8Array, unit: Unit | undefined) {
    this.#bytes = bytes;
    if (unit === undefined) this.piece = bytes.length;
    else if (unit.comment === true) this.comment = unit.data;
    else this.data = unit.data;
    if (unit?.event !== undefined) this.event = unit.event;
  }

  /** As it goes on the wire. */
  bytes(): Uint8Array {
    return this.#bytes;
  }
}

/** Writes of a provider; it never reads them. */
export const sentCodec: Codec<Sent> = {
  name: 'llm response',
  encode: (sent) => sent.bytes(),
  decode: (bytes) => ok({ message: new Sent(bytes, undefined) }),
};
