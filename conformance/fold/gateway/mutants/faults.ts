/** Faults: what may be wrong between the reference gateway and the wire, in the words of its streams. */
import type { RoleInput, RoleOutput } from '../../../../src/kit/base/index.ts';
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

/** What the gateway is told, and what it puts out. */
export type Input = RoleInput<GatewayIn, GatewayCommand>;
export type Output = RoleOutput<GatewayOut>;

/** An agent's stream, as the gateway knows it. */
export type AgentLink = Extract<ReturnType<GatewayState['links']['get']>, { kind: 'agent' }>;

/** What a fault may look at and do while one input is handled. */
export interface FaultContext {
  /** The gateway as it is: before the input in `input`, after it in `output`. It may be changed. */
  readonly gateway: GatewayState;
  /** Milliseconds. */
  readonly now: number;
  /** What a stream is for. */
  kindOf(peer: string): WireKind | undefined;
  /** The stream of an agent that has been welcomed; undefined: there is none. */
  agentOn(peer: string): AgentLink | undefined;
  /** Tells the gateway this too, after what it is told already. */
  tell(input: Input): void;
  /** Puts this out too, before what comes of the input. */
  put(output: Output): void;
  /** Sends this on a stream. */
  send(peer: string, message: GatewayOut): void;
  /** Ends a stream; the gateway takes it for lost. */
  close(peer: string, code: number, message: string): void;
  /** Does something after so many ms. */
  later(ms: number, then: (hand: FaultContext) => void): void;
}

/** A fault at work, with what it remembers. */
export interface GatewayFault {
  /** What the gateway is told instead of an input. */
  readonly input?: (input: Input, hand: FaultContext) => readonly Input[];
  /** What is put out instead of an output. */
  readonly output?: (output: Output, hand: FaultContext) => readonly Output[];
  /** What time it takes it to be when an input comes. */
  readonly clock?: (input: Input, now: number) => number;
  /** A keepalive ping came on the connection of this stream. */
  readonly ping?: (peer: string, hand: FaultContext) => void;
}

/** What becomes of one message: those that take its place. */
export type MessageEdit<M> = (message: M, hand: FaultContext, peer: string) => readonly M[];

/** A fault in what it hears, and one in what it says. */
type Hears = Required<Pick<GatewayFault, 'input'>>;
type Says = Required<Pick<GatewayFault, 'output'>>;

const heard =
  <M extends GatewayIn>(kinds: readonly WireKind[]) =>
  (edit: MessageEdit<M>): Hears => ({
    input(input, hand) {
      const kind = input.type === 'message' ? hand.kindOf(input.peer) : undefined;
      if (input.type !== 'message' || kind === undefined || !kinds.includes(kind)) return [input];
      // On a stream of this kind only its messages cross.
      const edited = edit(input.message as M, hand, input.peer);
      return edited.map((message) => ({ ...input, message }));
    },
  });

const said =
  <M extends GatewayOut>(kind: WireKind) =>
  (edit: MessageEdit<M>): Says => ({
    output(output, hand) {
      if (output.type !== 'send' || hand.kindOf(output.peer) !== kind) return [output];
      const edited = edit(output.message as M, hand, output.peer);
      return edited.map((message) => ({ ...output, message }));
    },
  });

/** A fault in what it hears of agents: the messages it is told instead of one of theirs. */
export const agentsSay: (edit: MessageEdit<AgentMessage>) => Hears = heard<AgentMessage>(['agent']);
/** A fault in what it hears of packs. */
export const packsSay: (edit: MessageEdit<PackMessage>) => Hears = heard<PackMessage>([
  'pack',
  'pack_result',
]);
/** A fault in what it hears of operators. */
export const operatorsAsk: (edit: MessageEdit<OperatorRequest>) => Hears = heard<OperatorRequest>([
  'operator',
]);
/** A fault in what it says to agents: the messages that are sent instead of one of its own. */
export const toAgents: (edit: MessageEdit<ServerMessage>) => Says = said<ServerMessage>('agent');
/** A fault in what it says to operators. */
export const toOperators: (edit: MessageEdit<OperatorReply>) => Says = said<OperatorReply>('operator');

/** A fault in what it hears of agents' work: the responses it is told instead of one of theirs. */
export const answers = (edit: MessageEdit<MessageResponse>): Hears =>
  agentsSay((m, hand, peer) =>
    m.response === undefined ? [m] : edit(m.response, hand, peer).map((response) => ({ response })),
  );

/** A fault in how it ends streams of a kind. */
export const closes = (
  kind: WireKind,
  edit: (close: Extract<Output, { type: 'close' }>, hand: FaultContext) => readonly Output[],
): Says => ({
  output: (output, hand) =>
    output.type === 'close' && hand.kindOf(output.peer) === kind ? edit(output, hand) : [output],
});

/** Another status for the streams of agents that it ends with this one. */
export const withCode = (from: number, to: number, kind: WireKind = 'agent'): GatewayFault =>
  closes(kind, (close) => [
    close.status.code === from ? { ...close, status: { ...close.status, code: to } } : close,
  ]);

/** Two faults at once: what the first makes of something, the second is given. */
export const both = (first: GatewayFault, second: GatewayFault): GatewayFault => ({
  input: (input, hand) =>
    (first.input?.(input, hand) ?? [input]).flatMap((next) => second.input?.(next, hand) ?? [next]),
  output: (output, hand) =>
    (first.output?.(output, hand) ?? [output]).flatMap((next) => second.output?.(next, hand) ?? [next]),
});

/** No fault at all; for mutants whose fault is in their options. */
export const none = (): GatewayFault => ({});
