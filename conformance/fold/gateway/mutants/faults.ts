/** Faults of a gateway, by the kind of stream. */
import { member, onOutput, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type * as kit from '../../../../src/kit/suite/index.ts';
import type { RoleInput, RoleOutput } from '../../../../src/kit/base/index.ts';
import { wireOf } from '../../../../src/fold/index.ts';
import type {
  AgentMessage,
  GatewayCommand,
  GatewayIn,
  GatewayOut,
  GatewayState,
  MessageResponse,
  OperatorReply,
  OperatorRequest,
  PackMessage,
  ServerMessage,
  WireKind,
} from '../../../../src/fold/index.ts';

export type Input = RoleInput<GatewayIn, GatewayCommand>;
export type Output = RoleOutput<GatewayOut>;

/** The state and the actions of a fault in a gateway. */
export type FaultContext = kit.FaultContext<GatewayState, GatewayIn, GatewayOut, GatewayCommand>;

/** A fault in a gateway, with its memory of one run. */
export interface GatewayFault extends kit.RoleFault<GatewayState, GatewayIn, GatewayOut, GatewayCommand> {
  /** Called at a keepalive ping on the connection of a stream. */
  readonly ping?: (peer: string, context: FaultContext) => void;
}

/** An agent's stream, as the gateway knows it. */
export type AgentLink = Extract<ReturnType<GatewayState['links']['get']>, { kind: 'agent' }>;

/** The kind of a stream; undefined before it opened. */
export function kindOf(context: FaultContext, peer: string): WireKind | undefined {
  const metadata = context.metadataOf(peer);
  return metadata && wireOf(metadata[':path']).kind;
}

/** The stream of a welcomed agent; undefined for every other stream. */
export function agentOn({ state }: FaultContext, peer: string): AgentLink | undefined {
  const link = state.links.get(peer);
  return link?.kind === 'agent' && link.listing !== undefined ? link : undefined;
}

/** The messages that replace a message. */
export type MessageEdit<M> = kit.MessageEdit<M, FaultContext>;

type Incoming = kit.InputFault<GatewayState, GatewayIn, GatewayOut, GatewayCommand>;
type Outgoing = kit.OutputFault<GatewayState, GatewayIn, GatewayOut, GatewayCommand>;

// A stream of a kind only carries messages of one type.
const incoming =
  <M extends GatewayIn>(...kinds: readonly (WireKind | undefined)[]) =>
  (edit: MessageEdit<M>): Incoming =>
    onReceive((message, context, peer) =>
      kinds.includes(kindOf(context, peer)) ? edit(message as M, context, peer) : undefined,
    );

const outgoing =
  <M extends GatewayOut>(kind: WireKind) =>
  (edit: MessageEdit<M>): Outgoing =>
    onSend((message, context, peer) =>
      kindOf(context, peer) === kind ? edit(message as M, context, peer) : undefined,
    );

/** A fault in the messages that come from agents. */
export const fromAgents: (edit: MessageEdit<AgentMessage>) => Incoming = incoming<AgentMessage>('agent');
/** A fault in the messages that come from packs. */
export const fromPacks: (edit: MessageEdit<PackMessage>) => Incoming = incoming<PackMessage>(
  'pack',
  'pack_result',
);
/** A fault in the calls that come from operators. */
export const fromOperators: (edit: MessageEdit<OperatorRequest>) => Incoming =
  incoming<OperatorRequest>('operator');
/** A fault in the messages that go to agents. */
export const toAgents: (edit: MessageEdit<ServerMessage>) => Outgoing = outgoing<ServerMessage>('agent');
/** A fault in the replies that go to operators. */
export const toOperators: (edit: MessageEdit<OperatorReply>) => Outgoing =
  outgoing<OperatorReply>('operator');

/** A fault in the responses that come from agents. */
export const onResponse = (edit: MessageEdit<MessageResponse>): Incoming =>
  fromAgents(member('response', edit));

/** A fault in the ends of streams of a kind. */
export const onClose = (
  kind: WireKind,
  edit: (close: Extract<Output, { type: 'close' }>, context: FaultContext) => kit.Replacement<Output>,
): Outgoing =>
  onOutput('close', (close, context) =>
    kindOf(context, close.peer) === kind ? edit(close, context) : undefined,
  );

/** Ends streams with the status `to` instead of `from`. */
export const withCode = (from: number, to: number, kind: WireKind = 'agent'): GatewayFault =>
  onClose(kind, (close) =>
    close.status.code === from ? [{ ...close, status: { ...close.status, code: to } }] : undefined,
  );

/** The fault of mutants that are wrong by their options. */
export const none = (): GatewayFault => ({});
