/** The types of a gateway's view: streams, operators' calls, requests and calls of pack tools. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { KnownStream, Moment, RunView, Streams } from '../../../src/kit/judge/index.ts';
import type { OperatorVerb, PackMessage, Request, Session, WireKind } from '../../../src/fold/index.ts';

/** The time limits of rules (ms). Each is an option of the run. */
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

/** The time limits of a run whose mark has none. */
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

/** The self-description of a pack. */
export type Manifest = Extract<PackMessage, { manifest: unknown }>['manifest'];

/** A tool, as a manifest or a Welcome describes it. */
export type ToolDescription = NonNullable<Manifest['tools']>[number];

/** An act of an agent that a gateway must tolerate, and the row that demands this. */
export interface Provocation extends Moment {
  readonly row: string;
  /** The act in words, for messages. */
  readonly what: string;
}

/** A stream that a peer of the kit opened to the target. */
export interface StreamView extends Moment, KnownStream {
  readonly conn: string;
  readonly kind: WireKind;
  readonly openedBy: string;
  /** The kind of the kit's credentials; `unknown` when the trace does not show it. */
  readonly credentials: string;
  headers: Moment | undefined;
  /** The peer's first message. */
  spoke: Moment | undefined;
  /** The peer's last message. */
  last: Moment;
  /** The target's first message. */
  answered: Moment | undefined;
  halfClosed: Moment | undefined;
  ended: (Moment & { readonly by: 'target' | 'peer'; readonly code: number | undefined }) | undefined;
  /** The session and the requests of an agent's stream. */
  readonly session: Session;
  readonly requests: Map<string, ForwardedRequest>;
  /** The pending calls of pack tools. */
  readonly packCalls: Map<string, PackCall>;
  /** The ids of pack tool calls that have their result. */
  readonly packDone: Set<string>;
  /** The names of the tools that its Welcome offers. */
  offers: ReadonlySet<string>;
  /** The agent's last act that a gateway must tolerate. */
  provoked: Provocation | undefined;
  /** A register after the first. */
  secondRegister: (Moment & { readonly agentId: string }) | undefined;
  /** When another stream tried to register the id of this live stream. */
  rival: Moment | undefined;
  /** When a cancel was overdue. From then on, the target may disconnect the agent (FOLD-G40). */
  unresponsive: Moment | undefined;
  /** Approvals by tool id: how often the agent asked, operators decided, and the target sent a decision. */
  readonly asks: Map<string, { asked: number; wanted: number; decided: number; readonly seq: number }>;
  /** The pack of a Register stream. */
  pack: PackView | undefined;
  /** The call of an operator's stream. */
  call: OperatorCall | undefined;
}

/** An event of an agent that its requester must receive. */
export interface OwedEvent extends Moment {
  /** The event's name on operators' streams. */
  readonly name: string;
  readonly data: unknown;
  /** The part of text or thinking that the requester has not received. An operator interface may merge or split them. */
  text: string | undefined;
}

/** A request of an operator that the gateway forwarded to an agent. */
export interface ForwardedRequest extends Moment {
  readonly stream: StreamView;
  readonly request: Request;
  readonly call: OperatorCall | undefined;
  /** Whether its id came twice on the stream. Then its events cannot be assigned. */
  ambiguous: boolean;
  /** The events that the requester has not received, in order. */
  pending: OwedEvent[];
  /** Skipped events: lost, or still to come out of order. */
  skipped: OwedEvent[];
  /** The most responses within a short time. */
  burst: number;
  /** The start (ms) and the count of the present burst. */
  burstFrom: number;
  burstCount: number;
  /** The number of events that its requester received. */
  shown: number;
  /** When its last response came, if that had no event that the schema knows. */
  odd: Moment | undefined;
  /** The last session_init or session_orphaned. */
  sessionEvent: Moment | undefined;
  /** Whether the session event is the agent's last response so far. */
  sessionLast: boolean;
  /** The number of skipped events that are no longer kept, by the row that demands them. */
  readonly evicted: Map<string, number>;
  /** Whether tool_state events were sent. */
  states: boolean;
  /** Whether one of them had a value that the schema does not define. */
  unknownState: boolean;
  /** Whether its agent sent a text that is not empty. */
  said: boolean;
  /** When the operator asked to cancel it. */
  stopAsked: Moment | undefined;
  /** The reasons of the operator's cancels; '' for a cancel without a reason. */
  readonly stopReasons: string[];
}

/** The fields of an operator's call, of any verb. */
export interface CallFields {
  readonly content?: string;
  readonly thread_id?: string;
  readonly agent_id?: string;
  readonly request_id?: string;
  readonly reason?: string;
  readonly priority?: string;
  readonly source?: string;
  readonly sender?: string;
  readonly attachments?: unknown;
  readonly tool_id?: string;
  readonly approved?: boolean;
  readonly approve_all?: boolean;
}

/** An operator's call. */
export interface OperatorCall extends Moment {
  readonly stream: StreamView;
  readonly verb: OperatorVerb;
  readonly text: CallFields;
  /** The stream of the named agent, or of the only agent, at the time of the call. */
  readonly target: StreamView | undefined;
  /** Whether an earlier send had the same content. Then their requests cannot be assigned. */
  readonly repeated: boolean;
  /** The requests that a cancel names. */
  readonly about: readonly ForwardedRequest[];
  /** The thread of a send, from the call or from `started`. */
  thread: string | undefined;
  /** The request_id of a send, from `started`. */
  requestId: string | undefined;
  asked: ForwardedRequest | undefined;
  /** When a cancel named the thread of a send, before the agent had the request. */
  stopAsked: Moment | undefined;
  replied: Moment | undefined;
  terminal: (Moment & { readonly name: string }) | undefined;
}

/** The operators' injections with one content. */
export interface InjectedContext {
  /** The calls, in order. */
  readonly calls: OperatorCall[];
  /** How often an agent received it. */
  delivered: number;
}

/** A pack and its calls. */
export interface PackView extends Moment {
  readonly manifest: Manifest;
  /** The reason why it must be refused; undefined: it must not. */
  readonly flaw: string | undefined;
  /** The calls that it received, by their internal id. */
  readonly orders: Map<string, { readonly call: PackCall | undefined; readonly seq: number }>;
}

/** An agent's call of a pack tool. */
export interface PackCall extends Moment {
  readonly id: string;
  readonly stream: StreamView;
  readonly name: string;
  readonly input: string;
  /** Its fault: an unknown tool, input that is not JSON, a missing capability, or the id of a pending call. */
  readonly flaw: 'unknown' | 'bad input' | 'lacking' | 'twice' | undefined;
  /** The timeout in the tool's description (ms); undefined: the run's default. */
  readonly timeout: number | undefined;
  /** The delays of the machine and the network until the call (ms). */
  readonly late: number;
  /** Whether the gateway surely knew the tool: Welcome offered it, or its pack had registered for a while. */
  readonly served: boolean;
  /** When the gateway sent it to a pack. */
  ordered: Moment | undefined;
  pack: StreamView | undefined;
  /** Whether another call was equal. Then the gateway's calls to packs cannot be assigned. */
  ambiguous: boolean;
  /** The answer of the pack. */
  response:
    (Moment & { readonly output: string | undefined; readonly error: string | undefined }) | undefined;
}

/** An agent's response that must not reach an operator, and the row that demands this. */
export interface StrayEvent extends Moment {
  readonly row: string | undefined;
  readonly name: string;
  readonly data: unknown;
  /** Its request_id. */
  readonly id: string;
}

/** Everything before the event at hand. */
export interface GatewayView extends RunView<GatewayTimeouts> {
  auth: string;
  /** When the target was asked to stop. */
  stop: Moment | undefined;
  readonly streams: Streams<StreamView>;
  /** The last credentials that the kit announced, by peer. */
  readonly credentials: Map<string, string>;
  /** Sends by their content. */
  readonly sends: Map<string, OperatorCall>;
  /** Operators' injections by their content. */
  readonly injects: Map<string, InjectedContext>;
  readonly strays: StrayEvent[];
  readonly pings: Map<string, Moment & { readonly tooClose: boolean }>;
  /** The stream of the event at hand, once it has opened. */
  stream: StreamView | undefined;
  /** The same stream, if it is an agent's. */
  agentStream: StreamView | undefined;
  /** The operator's call on that stream. */
  call: OperatorCall | undefined;
  /** The request that the response at hand names, on its own stream. */
  asked: ForwardedRequest | undefined;
  /** The meaning of the reply at hand, on the stream of a `send`. */
  heard: ReplyMeaning | undefined;
  /** The provocation by the agent's event at hand. */
  provocation: Provocation | undefined;
}

/** The meaning of a reply to a requester. */
export type ReplyMeaning =
  /** A pending event; `passed` are the pending events before it. */
  | { readonly is: 'due'; readonly index: number; readonly passed: readonly OwedEvent[] }
  /** A skipped event that came late. */
  | { readonly is: 'reordered'; readonly item: OwedEvent }
  /** A pending event with other content. */
  | { readonly is: 'changed'; readonly index: number; readonly item: OwedEvent; readonly row: string }
  /** An event that must not reach an operator. */
  | { readonly is: 'stray'; readonly row: string; readonly seq: number }
  /** A pending event of another request. */
  | {
      readonly is: 'misdirected';
      readonly owner: ForwardedRequest;
      readonly item: OwedEvent;
      readonly from: 'owed' | 'missed';
    }
  /** An end that the gateway made itself. */
  | { readonly is: 'own' }
  /** An event that no agent sent. */
  | { readonly is: 'unknown' };

/** The members of a JSON object; empty for any other value. */
export const membersOf = (data: unknown): JsonObject =>
  typeof data === 'object' && data !== null ? (data as JsonObject) : {};

/** The agent_id of a stream: of its Welcome, or else of its register; undefined before Welcome. */
export function agentIdOf({ session }: StreamView): string | undefined {
  const { welcome, register } = session;
  if (welcome === undefined) return undefined;
  return welcome.agentId === '' ? register?.message.agent_id : welcome.agentId;
}

/** A text; '' for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether operators may address a stream's agent by an id: that of its Welcome, or that of its register. */
export const isCalled = (stream: StreamView, id: string): boolean =>
  agentIdOf(stream) === id || stream.session.register?.message.agent_id === id;
