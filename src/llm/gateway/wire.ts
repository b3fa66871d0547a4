/** The codecs of a gateway's links: requests and answers above, bytes below. */
import { exactJsonOf, exactText, ok, refuse } from '../../kit/base/index.ts';
import type { Codec, Metadata } from '../../kit/base/index.ts';
import { chunkCodec } from '../client/client.ts';
import type { Chunk, ClientMessage } from '../client/client.ts';
import { responseWriteCodec } from '../dialects/shared/units.ts';
import type { RequestBody, ResponseWrite } from '../dialects/shared/units.ts';

/** Everything that a gateway receives. */
export type GatewayIn = RequestBody | Chunk;
/** Everything that a gateway sends. */
export type GatewayOut = ResponseWrite | Chunk;

/** Whether a message is bytes of a provider. */
export const isChunk = (message: GatewayIn): message is Chunk => 'chunk' in message;

/** Bodies of requests, whose integers keep all their digits. */
const exactBodies: Codec<RequestBody> = {
  name: 'llm request',
  encode: ({ body }) => Buffer.from(exactText(body)),
  decode(bytes) {
    try {
      return ok({ message: { body: exactJsonOf(Buffer.from(bytes).toString('utf8')) } });
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable';
      return refuse({ code: 'not-json', path: '', message: `expected a JSON body; ${why}` });
    }
  },
};

interface LinkCodecs {
  readonly receives: Codec<GatewayIn>;
  readonly sends: Codec<GatewayOut>;
}

const chunks = chunkCodec as Codec<ClientMessage & Chunk>;
const above = { receives: exactBodies, sends: responseWriteCodec } as LinkCodecs;
const below: LinkCodecs = { receives: chunks, sends: chunks };

/** The codecs of a link by its metadata: a link with `:url` goes to a provider, any other one comes from a client. */
export const gatewayWire = (metadata: Metadata): LinkCodecs =>
  metadata[':url'] === undefined ? above : below;
