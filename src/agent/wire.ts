/** The codecs of a whole agent's links: Fold above, bytes of a provider below. */
import type { Codec, Metadata } from '../kit/base/index.ts';
import { agentCodec, serverCodec } from '../fold/index.ts';
import type { AgentMessage, ServerMessage } from '../fold/index.ts';
import { chunkCodec } from '../llm/index.ts';
import type { Chunk, ClientMessage } from '../llm/index.ts';

/** Everything that a whole agent receives. */
export type AgentIn = ServerMessage | Chunk;
/** Everything that a whole agent sends. */
export type AgentOut = AgentMessage | Chunk;

/** The codecs of one link, from the agent's side. */
export interface AgentLinkCodecs {
  readonly receives: Codec<AgentIn>;
  readonly sends: Codec<AgentOut>;
}

/** Whether a message is bytes of a provider. */
export const isChunk = (message: AgentIn): message is Chunk =>
  'chunk' in message && message.chunk instanceof Uint8Array;

const chunks = chunkCodec as Codec<ClientMessage & Chunk>;
const provider: AgentLinkCodecs = { receives: chunks, sends: chunks };
const gateway: AgentLinkCodecs = { receives: serverCodec, sends: agentCodec };

/**
 * The codecs of a link by its metadata, for the agent's host: a link with `:url` goes to the provider, any other one to
 * the gateway.
 *
 * @example
 * wireOf({}).receives.name; // 'coven.ServerMessage'
 * wireOf({ ':url': 'http://127.0.0.1:1234/v1/messages' }).receives.name; // 'bytes'
 */
export const wireOf = (metadata: Metadata): AgentLinkCodecs =>
  metadata[':url'] === undefined ? gateway : provider;
