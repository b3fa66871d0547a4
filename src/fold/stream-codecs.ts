/**
 * The streams that meet at a gateway, by their method: agents', packs' and operators'. Each has two message types;
 * what a gateway receives on all of them together is {@link GatewayIn}, what it sends {@link GatewayOut}.
 */
import { ok } from '../kit/base/index.ts';
import type { Codec } from '../kit/base/index.ts';
import { agentCodec, codecOf, serverCodec } from './codec.ts';
import {
  readEmpty,
  readExecuteToolRequest,
  readExecuteToolResponse,
  readPackManifest,
  writeEmpty,
  writeExecuteToolRequest,
  writeExecuteToolResponse,
  writePackManifest,
} from './generated/codec.ts';
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

/** What packs send: a manifest on a Register stream, a result on a ToolResult call. */
export type PackMessage =
  { readonly manifest: PackManifest } | { readonly tool_response: ExecuteToolResponse };

/** What packs are sent: calls on their Register stream, nothing but an Empty on a ToolResult call. */
export type PackOrder = { readonly execute_tool: ExecuteToolRequest } | { readonly empty: Empty };

/** Everything a gateway receives. */
export type GatewayIn = AgentMessage | PackMessage | OperatorRequest;

/** Everything a gateway sends. */
export type GatewayOut = ServerMessage | PackOrder | OperatorReply;

/** The methods of agents' streams: the published service, and the name of the days before. */
export const agentPaths: readonly string[] = [
  '/coven.CovenControl/AgentStream',
  '/fold.FoldControl/AgentStream',
];
/** A pack's stream: its manifest, then the calls it is sent. */
export const packRegisterPath = '/coven.PackService/Register';
/** One call a result. */
export const packResultPath = '/coven.PackService/ToolResult';

/** What a method is for. */
export type WireKind = 'agent' | 'pack' | 'pack_result' | 'operator';

/** A codec of a bare message as one of `{[key]: message}`, so that messages of all streams can be told apart. */
function under<K extends string, M>(
  key: K,
  name: string,
  write: (message: M) => Uint8Array,
  read: (bytes: Uint8Array) => M,
): Codec<{ readonly [P in K]: M }> {
  const inner = codecOf(name, write, read);
  return {
    name,
    encode: (message) => inner.encode(message[key]),
    decode(bytes) {
      const decoded = inner.decode(bytes);
      if (!decoded.ok) return decoded;
      const message = { [key]: decoded.value.message } as { readonly [P in K]: M };
      return ok({ ...decoded.value, message });
    },
  };
}

/** The messages of one kind of stream, from its caller and from the gateway. */
export interface StreamCodecs {
  readonly kind: WireKind;
  /** Wire id in traces. */
  readonly id: 'fold' | 'operator';
  readonly calls: Codec<GatewayIn>;
  readonly answers: Codec<GatewayOut>;
}

const wire = <In extends GatewayIn, Out extends GatewayOut>(
  kind: WireKind,
  calls: Codec<In>,
  answers: Codec<Out>,
): StreamCodecs => ({
  kind,
  id: kind === 'operator' ? 'operator' : 'fold',
  // A stream's codec only ever meets the messages of its kind: who writes on it knows which it is.
  calls,
  answers,
});

const agentWire = wire('agent', agentCodec, serverCodec);
const executeCodec = under(
  'execute_tool',
  'coven.ExecuteToolRequest',
  writeExecuteToolRequest,
  readExecuteToolRequest,
);
const resultCodec = under(
  'tool_response',
  'coven.ExecuteToolResponse',
  writeExecuteToolResponse,
  readExecuteToolResponse,
);

const wires: { readonly [path: string]: StreamCodecs } = {
  [packRegisterPath]: wire(
    'pack',
    under('manifest', 'coven.PackManifest', writePackManifest, readPackManifest),
    executeCodec,
  ),
  [packResultPath]: wire('pack_result', resultCodec, under('empty', 'coven.Empty', writeEmpty, readEmpty)),
  [operatorPath]: wire('operator', operatorCallCodec, operatorReplyCodec),
};

/**
 * The wire of a stream by its `:path`; a path that is none of the others is an agent's.
 *
 * @example
 * wireOf('/coven.PackService/Register').kind; // 'pack'
 */
export const wireOf = (path: string | undefined): StreamCodecs =>
  (path !== undefined && Object.hasOwn(wires, path) ? wires[path] : undefined) ?? agentWire;
