/** The codecs of a gateway's links: requests and answers above, bytes below. */
import { exactJsonOf, exactText, ok, refuse } from '../../kit/base/index.ts';
import type { Codec, Metadata } from '../../kit/base/index.ts';
import type { Chunk } from '../client/client.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { RequestBody } from '../dialects/shared/units.ts';

/** Everything that a gateway receives. */
export type GatewayIn = RequestBody | Chunk;
/** Everything that a gateway sends. */
export type GatewayOut = ResponseWrite | Chunk;

/** Whether a message is bytes of a provider. */
export const isChunk = (message: GatewayIn): message is Chunk => 'chunk' in message;

const bytesOf = (message: GatewayIn | GatewayOut): Uint8Array => {
  if ('chunk' in message) return message.chunk;
  return message instanceof ResponseWrite ? message.bytes() : Buffer.from(exactText(message.body));
};

/** Bodies of requests, whose integers keep all their digits. */
const bodies: Codec<GatewayIn> = {
  name: 'llm request',
  encode: bytesOf,
  decode(bytes) {
    try {
      return ok({ message: { body: exactJsonOf(Buffer.from(bytes).toString('utf8')) } });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable';
      return refuse({ code: 'not-json', path: '', message: `expected a JSON body; ${why}` });
    }
  },
};

const answers: Codec<GatewayOut> = {
  name: 'llm response',
  encode: bytesOf,
  decode: (bytes) => ok({ message: new ResponseWrite(bytes, undefined) }),
};

/** Bytes to and from a provider, as they are. */
const chunks = {
  name: 'bytes',
  encode: bytesOf,
  decode: (chunk: Uint8Array) => ok({ message: { chunk } }),
};

interface LinkCodecs {
  readonly receives: Codec<GatewayIn>;
  readonly sends: Codec<GatewayOut>;
}

const above: LinkCodecs = { receives: bodies, sends: answers };
const below: LinkCodecs = { receives: chunks, sends: chunks };

/** The codecs of a link by its metadata: a link with `:url` goes to a provider, any other one comes from a client. */
export const gatewayWire = (metadata: Metadata): LinkCodecs =>
  metadata[':url'] === undefined ? above : below;
