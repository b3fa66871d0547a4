/** Faults of a gateway, by the kind of stream. */
import { bothFaults } from '../../../../src/kit/suite/index.ts';
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

/** An input of a gateway. */
export type Input = RoleInput<GatewayIn, GatewayCommand>;
/** An output of a gateway. */
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

type Incoming = Required<Pick<GatewayFault, 'input'>>;
type Outgoing = Required<Pick<GatewayFault, 'output'>>;

const incoming =
  <M extends GatewayIn>(...kinds: readonly WireKind[]) =>
  (edit: MessageEdit<M>): Incoming => ({
    input(input, context) {
      const kind = input.type === 'message' ? kindOf(context, input.peer) : undefined;
      if (input.type !== 'message' || kind === undefined || !kinds.includes(kind)) return [input];
      // A stream of this kind only carries messages of this type.
      const edited = edit(input.message as M, context, input.peer);
      return edited.map((message) => ({ ...input, message }));
    },
  });

const outgoing =
  <M extends GatewayOut>(kind: WireKind) =>
  (edit: MessageEdit<M>): Outgoing => ({
    output(output, context) {
      if (output.type !== 'send' || kindOf(context, output.peer) !== kind) return [output];
      const edited = edit(output.message as M, context, output.peer);
      return edited.map((message) => ({ ...output, message }));
    },
  });

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
export const editResponses = (edit: MessageEdit<MessageResponse>): Incoming =>
  fromAgents((m, context, peer) =>
    m.response === undefined ? [m] : edit(m.response, context, peer).map((response) => ({ response })),
  );

/** A fault in the ends of streams of a kind. */
export const editCloses = (
  kind: WireKind,
  edit: (close: Extract<Output, { type: 'close' }>, context: FaultContext) => readonly Output[],
): Outgoing => ({
  output: (output, context) =>
    output.type === 'close' && kindOf(context, output.peer) === kind ? edit(output, context) : [output],
});

/** Ends streams with the status `to` instead of `from`. */
export const withCode = (from: number, to: number, kind: WireKind = 'agent'): GatewayFault =>
  editCloses(kind, (close) => [
    close.status.code === from ? { ...close, status: { ...close.status, code: to } } : close,
  ]);

/** Two faults together: the second edits the results of the first. */
export const both: (first: GatewayFault, second: GatewayFault) => Incoming & Outgoing = bothFaults;

/** The fault of mutants that are wrong by their options. */
export const none = (): GatewayFault => ({});
