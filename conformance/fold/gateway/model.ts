/** The facts of a gateway's run that rules share: streams, operators' calls, requests and calls of pack tools. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { KnownStream, Moment, RunView, Streams } from '../../../src/kit/judge/index.ts';
import type { OperatorVerb, PackMessage, Request, Session, WireKind } from '../../../src/fold/index.ts';

/** Times that rules go by, in milliseconds; each an option of the run. */
export interface GatewayTimeouts {
  readonly handshake: number;
  readonly ack: number;
  readonly cancel: number;
  readonly step: number;
  readonly prompt: number;
  readonly approval: number;
  readonly pack: number;
  readonly silence: number;
  readonly shutdown: number;
  readonly late: number;
}

/** The numbers of a run that says none. */
export const defaultGatewayTimeouts: GatewayTimeouts = {
  handshake: 5000,
  ack: 5000,
  cancel: 10_000,
  step: 10_000,
  prompt: 5000,
  approval: 300_000,
  pack: 30_000,
  silence: 90_000,
  shutdown: 10_000,
  late: 300,
};

/** What a pack says of itself. */
export type Manifest = Extract<PackMessage, { manifest: unknown }>['manifest'];

/** A tool as a pack, or a Welcome, describes it. */
export type ToolDescription = NonNullable<Manifest['tools']>[number];

/** Something an agent did that a gateway has to put up with, and the row that says so. */
export interface Provocation extends Moment {
  readonly row: string;
  /** In words, for the message. */
  readonly what: string;
}

/** One stream that some peer of the kit opened to the target. */
export interface StreamView extends Moment, KnownStream {
  readonly conn: string;
  readonly kind: WireKind;
  readonly openedBy: string;
  /** What the kit presented; `unknown` when the trace does not say. */
  readonly credentials: string;
  headers: Moment | undefined;
  /** The peer's first and last message. */
  spoke: Moment | undefined;
  last: Moment;
  /** The first message from the target. */
  answered: Moment | undefined;
  halfClosed: Moment | undefined;
  ended: (Moment & { readonly by: 'target' | 'peer'; readonly code: number | undefined }) | undefined;
  /** Of an agent's stream. */
  readonly session: Session;
  readonly requests: Map<string, ForwardedRequest>;
  /** Calls of pack tools that are out, and the ids of those that had their result. */
  readonly packCalls: Map<string, PackCall>;
  readonly packDone: Set<string>;
  /** Names of the tools that its Welcome offers. */
  offers: ReadonlySet<string>;
  /** What the agent did last that a gateway must bear. */
  provoked: Provocation | undefined;
  /** A register after the first. */
  secondRegister: (Moment & { readonly agentId: string }) | undefined;
  /** Another stream tried to register this one's id while it was live. */
  rival: Moment | undefined;
  /** A cancel went unanswered beyond its time: the target may disconnect (FOLD-G40). */
  unresponsive: Moment | undefined;
  /** Approvals by tool id: how often the agent asked, operators decided, and the target said so. */
  readonly asks: Map<string, { asked: number; wanted: number; decided: number; readonly seq: number }>;
  /** Of a pack's Register stream. */
  pack: PackView | undefined;
  /** Of an operator's stream. */
  call: OperatorCall | undefined;
}

/** One event of an agent's that its requester is to see. */
export interface OwedEvent extends Moment {
  /** The operator's name of it. */
  readonly name: string;
  readonly data: unknown;
  /** Of text and thinking, which a face may merge or split: what has not been shown yet. */
  text: string | undefined;
}

/** A request: what an operator asked for, as the agent was sent it. */
export interface ForwardedRequest extends Moment {
  readonly stream: StreamView;
  readonly request: Request;
  readonly call: OperatorCall | undefined;
  /** Its id came twice on the stream, so that no event can be told whose it is. */
  ambiguous: boolean;
  /** What the requester has not been shown, in order. */
  pending: OwedEvent[];
  /** What was passed over: lost, or still to come out of order. */
  skipped: OwedEvent[];
  /** The most responses that came back to back; counted from `burstFrom` (ms). */
  burst: number;
  burstFrom: number;
  burstCount: number;
  /** Events its requester was shown. */
  shown: number;
  /** The last response was one without an event that the schema knows. */
  odd: Moment | undefined;
  /** Some text was empty. */
  emptyText: boolean;
  /** session_init or session_orphaned: the last, and whether it is the agent's last word so far. */
  sessionEvent: Moment | undefined;
  sessionLast: boolean;
  /** tool_state events were sent. */
  states: boolean;
  /** The operator asked to cancel it. */
  stopAsked: Moment | undefined;
}

/** What a call says, with every member any call has. */
export interface CallFields {
  readonly content?: string;
  readonly thread_id?: string;
  readonly agent_id?: string;
  readonly request_id?: string;
  readonly reason?: string;
  readonly priority?: string;
  readonly tool_id?: string;
  readonly approved?: boolean;
  readonly approve_all?: boolean;
}

/** An operator's call. */
export interface OperatorCall extends Moment {
  readonly stream: StreamView;
  readonly verb: OperatorVerb;
  readonly text: CallFields;
  /** The agent's stream it names, or the only one there is, as it was when the call came. */
  readonly target: StreamView | undefined;
  /** Requests that a cancel is about. */
  readonly about: readonly ForwardedRequest[];
  /** Of a send: the thread the operator knows, given or told by `started`; and the request's id, if told. */
  thread: string | undefined;
  requestId: string | undefined;
  asked: ForwardedRequest | undefined;
  /** Of a send: its thread was to be stopped before its agent was seen to have the request. */
  stopAsked: Moment | undefined;
  replied: Moment | undefined;
  terminal: (Moment & { readonly name: string }) | undefined;
}

/** A pack and what it was asked. */
export interface PackView extends Moment {
  readonly manifest: Manifest;
  /** Why it has to be refused. */
  readonly flaw: string | undefined;
  /** Calls it was sent, by their internal id. */
  readonly orders: Map<string, { readonly call: PackCall | undefined; readonly seq: number }>;
}

/** An agent's call of a pack tool. */
export interface PackCall extends Moment {
  readonly id: string;
  readonly stream: StreamView;
  readonly name: string;
  readonly input: string;
  /** What is wrong with it: no such tool, no JSON, a capability that the agent lacks, an id still out. */
  readonly flaw: 'unknown' | 'bad input' | 'lacking' | 'twice' | undefined;
  /** What the tool's own description allows (ms); undefined: the run's default. */
  readonly timeout: number | undefined;
  /** It was handed to the pack, on this stream. */
  ordered: Moment | undefined;
  pack: StreamView | undefined;
  /** Another call was just like it, so that no order can be told whose it is. */
  ambiguous: boolean;
  /** The pack answered. */
  response: (Moment & { readonly output: string | undefined }) | undefined;
}

/** An agent's response that is to reach nobody, and the row that says so. */
export interface StrayEvent extends Moment {
  readonly row: string | undefined;
  readonly name: string;
  readonly data: unknown;
  /** The request_id it bore. */
  readonly id: string;
}

/** Everything before the event at hand. */
export interface GatewayView extends RunView<GatewayTimeouts> {
  auth: string;
  /** The target was asked to stop. */
  stop: Moment | undefined;
  readonly streams: Streams<StreamView>;
  /** The last credentials that the kit announced, by peer. */
  readonly credentials: Map<string, string>;
  /** Sends by their content. */
  readonly sends: Map<string, OperatorCall>;
  readonly strays: StrayEvent[];
  readonly pings: Map<string, Moment & { readonly tooClose: boolean }>;
  /** The stream of the event at hand, once it has opened; the same where it is an agent's; its call. */
  stream: StreamView | undefined;
  agentStream: StreamView | undefined;
  call: OperatorCall | undefined;
  /** The request that the response at hand names, on its own stream. */
  asked: ForwardedRequest | undefined;
  /** What the reply at hand turns out to be, on the stream of a `send`. */
  heard: ReplyMeaning | undefined;
  /** What the agent's event at hand provokes. */
  provocation: Provocation | undefined;
}

/** What a reply to a requester turned out to be. */
export type ReplyMeaning =
  /** Owed, and its turn; `passed` were passed over. */
  | { readonly is: 'due'; readonly index: number; readonly passed: readonly OwedEvent[] }
  /** Owed, and after what came behind it. */
  | { readonly is: 'reordered'; readonly item: OwedEvent }
  /** A known event whose content is not what the agent sent. */
  | { readonly is: 'changed'; readonly index: number; readonly item: OwedEvent; readonly row: string }
  /** To reach nobody. */
  | { readonly is: 'stray'; readonly row: string; readonly seq: number }
  /** Another requester's. */
  | {
      readonly is: 'misdirected';
      readonly owner: ForwardedRequest;
      readonly item: OwedEvent;
      readonly from: 'owed' | 'missed';
    }
  /** A terminal of the gateway's own, or one that is not the agent's. */
  | { readonly is: 'own' }
  /** Nothing an agent sent. */
  | { readonly is: 'unknown' };

/** Data with the members of a JSON object; nothing else has any. */
export const membersOf = (data: unknown): JsonObject =>
  typeof data === 'object' && data !== null ? (data as JsonObject) : {};

/** The id that a stream's agent goes by: as Welcome said, else as it asked; undefined before Welcome. */
export function agentIdOf({ session }: StreamView): string | undefined {
  const { welcome, register } = session;
  if (welcome === undefined) return undefined;
  return welcome.agentId === '' ? register?.message.agent_id : welcome.agentId;
}

/** A text; anything else is the empty one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
