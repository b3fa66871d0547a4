/** The state of one Fold stream: its registration, its requests with their tools, and its injections. */
import type { Violation } from '../../kit/base/index.ts';
import type { Step } from '../directive.ts';
import type { EventName, InjectContext, RegisterAgent, TokenUsage, ToolState } from '../messages.ts';

/** The position of an event in the trace. */
export interface Moment {
  readonly seq: number;
  /** Milliseconds. */
  readonly at: number;
}

/** A tool call; its moment is that of its tool_use. */
export interface Tool extends Moment {
  readonly id: string;
  readonly name: string;
  /** Its index among the tool calls of its request, from 0. */
  readonly n: number;
  state: ToolState | undefined;
  ended: (Moment & { readonly state: ToolState }) | undefined;
  result: (Moment & { readonly isError: boolean }) | undefined;
  asked: Moment | undefined;
  /** The first decision; a later one that approves counts if the agent asked again. */
  decided: (Moment & { readonly approved: boolean }) | undefined;
  /** How often the agent asked. */
  asks: number;
}

/** A request; its moment is that of its send_message. */
export interface Request extends Moment {
  readonly id: string;
  readonly thread: string;
  readonly attachments: number;
  /** The steps of its directive; undefined when its content is not a directive. */
  readonly steps: readonly Step[] | undefined;
  terminal: (Moment & { readonly event: EventName; readonly detail: string }) | undefined;
  cancel: (Moment & { readonly reason: string }) | undefined;
  /** The texts so far, joined. Undefined above 16 Mi characters, and after the end of a later request of the stream. */
  text: string | undefined;
  readonly usage: TokenUsage[];
  readonly tools: Map<string, Tool>;
  /** The first decision with approved and approve_all. */
  approveAll: Moment | undefined;
  /** The number of injections with the content `release` while it was active. */
  releases: number;
  /** The time of the last of them (ms); 0 without one. */
  releasedAt: number;
  orphaned: Moment | undefined;
  /** Whether a cancel, or a decision about one of its tools, came while it was active. */
  steered: boolean;
  /** The moment of its last event; before any event, of its send_message. */
  readonly last: { seq: number; at: number };
}

/** An injection and its acks. */
export interface Injection extends Moment {
  readonly id: string;
  readonly message: InjectContext;
  sends: number;
  acks: (Moment & { readonly accepted: boolean; readonly reason: string })[];
}

/** The state of one stream. */
export interface Session {
  phase: 'opened' | 'registered' | 'ready' | 'refused' | 'closed';
  register: (Moment & { readonly message: RegisterAgent }) | undefined;
  welcome: (Moment & { readonly agentId: string }) | undefined;
  shutdown: Moment | undefined;
  features: ReadonlySet<string>;
  readonly requests: Map<string, Request>;
  /** The `requests` without a terminal, in the order in which they were sent. */
  readonly active: Map<string, Request>;
  /** The request of the last response: the next response is mostly for the same one. */
  recent: Request | undefined;
  /** The request that ended last: the only finished one whose text is kept. */
  finished: Request | undefined;
  readonly injections: Map<string, Injection>;
  readonly packCalls: Map<string, Moment>;
  /** The number of forgotten requests and injections. */
  forgotten: number;
}

/** The most finished requests, and the most injections, that one stream remembers. */
export const remembered = 2048;

/** The state of a new stream. */
export const startSession = (): Session => ({
  phase: 'opened',
  register: undefined,
  welcome: undefined,
  shutdown: undefined,
  features: noFeatures,
  requests: new Map(),
  active: new Map(),
  recent: undefined,
  finished: undefined,
  injections: new Map(),
  packCalls: new Map(),
  forgotten: 0,
});

const noFeatures: ReadonlySet<string> = new Set();

/** The active or finished request with this id. */
export function requestNamed(session: Session, id: string): Request | undefined {
  return session.recent?.id === id ? session.recent : session.requests.get(id);
}

/** A copy of the moment alone, without the event that contains it. */
export const momentOf = ({ seq, at }: Moment): Moment => ({ seq, at });

export const noViolations: readonly Violation[] = [];

export const violation = (code: string, path: string, message: string): readonly Violation[] => [
  { code, path, message },
];
