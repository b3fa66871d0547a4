/**
 * The codecs of the streams between a gateway and its agents, packs and operators. The method of a stream gives its
 * kind, and the kind gives the messages of both directions.
 */
import { ok } from '../kit/base/index.ts';
import type { Codec, Metadata } from '../kit/base/index.ts';
import { agentCodec, codecOf, serverCodec } from './codec.ts';
import type { MessageName, MessageOf } from './codec.ts';
import type {
  AgentMessage,
  Empty,
  ExecuteToolRequest,
  ExecuteToolResponse,
  PackManifest,
  ServerMessage,
} from './messages.ts';
import { operatorCallCodec, operatorPath, operatorReplyCodec } from './operator.ts';
import type { OperatorReply, OperatorRequest } from './operator.ts';

/** A message of a pack: a manifest on a Register stream, a result on a ToolResult call. */
export type PackMessage =
  { readonly manifest: PackManifest } | { readonly tool_response: ExecuteToolResponse };

/** A message to a pack: a call on its Register stream, an Empty on a ToolResult call. */
export type PackOrder = { readonly execute_tool: ExecuteToolRequest } | { readonly empty: Empty };

/** Every message that a gateway receives. */
export type GatewayIn = AgentMessage | PackMessage | OperatorRequest;

/** Every message that a gateway sends. */
export type GatewayOut = ServerMessage | PackOrder | OperatorReply;

/** The methods of agents' streams: of the published service, and of its older name. */
export const agentPaths: readonly string[] = [
  '/coven.CovenControl/AgentStream',
  '/fold.FoldControl/AgentStream',
];
/** The method of a pack's stream: the pack sends its manifest, the gateway sends calls. */
export const packRegisterPath = '/coven.PackService/Register';
/** The method of a pack's result: one call for each result. */
export const packResultPath = '/coven.PackService/ToolResult';

/** The kinds of stream. */
export type WireKind = 'agent' | 'pack' | 'pack_result' | 'operator';

/** The messages of one kind of stream, from the gateway's side. */
export interface StreamCodecs {
  readonly kind: WireKind;
  readonly receives: Codec<GatewayIn>;
  readonly sends: Codec<GatewayOut>;
}

/** The codec of a message as a member `{[key]: message}`, which tells the messages of all streams apart. */
function memberCodec<K extends string, N extends MessageName>(
  key: K,
  name: N,
): Codec<{ readonly [P in K]: MessageOf<N> }> {
  const inner = codecOf(name);
  return {
    name: inner.name,
    encode: (message) => inner.encode(message[key]),
    decode(bytes) {
      const decoded = inner.decode(bytes);
      if (!decoded.ok) return decoded;
      const message = { [key]: decoded.value.message } as { readonly [P in K]: MessageOf<N> };
      return ok({ ...decoded.value, message });
    },
  };
}

/** A stream's codecs. Each of them meets only the messages of its kind, because the sender knows the kind. */
const codecs = <In extends GatewayIn, Out extends GatewayOut>(
  kind: WireKind,
  receives: Codec<In>,
  sends: Codec<Out>,
): StreamCodecs => ({ kind, receives, sends });

const agentStream = codecs('agent', agentCodec, serverCodec);

const streams: { readonly [path: string]: StreamCodecs } = {
  [packRegisterPath]: codecs(
    'pack',
    memberCodec('manifest', 'PackManifest'),
    memberCodec('execute_tool', 'ExecuteToolRequest'),
  ),
  [packResultPath]: codecs(
    'pack_result',
    memberCodec('tool_response', 'ExecuteToolResponse'),
    memberCodec('empty', 'Empty'),
  ),
  [operatorPath]: codecs('operator', operatorCallCodec, operatorReplyCodec),
};

/**
 * The codecs of a stream by its `:path`. An unknown path is an agent's.
 *
 * @example
 * wireOf('/coven.PackService/Register').kind; // 'pack'
 */
export const wireOf = (path: string | undefined): StreamCodecs =>
  (path !== undefined && Object.hasOwn(streams, path) ? streams[path] : undefined) ?? agentStream;

/** The codecs of a stream by its metadata, for the gateway's host. */
export const gatewayCodecs = (metadata: Metadata): StreamCodecs => wireOf(metadata[':path']);
