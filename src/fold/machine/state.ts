/** What the machine of one Fold stream knows: who is registered, its requests, their tools, and its injections. */
import type { Violation } from '../../kit/base/index.ts';
import type { Step } from '../directive.ts';
import type { EventName, InjectContext, RegisterAgent, TokenUsage, ToolState } from '../messages.ts';

/** A moment on the wire. */
export interface Moment {
  readonly seq: number;
  /** Milliseconds. */
  readonly at: number;
}

/** A tool invocation, from its tool_use on. */
export interface Tool extends Moment {
  readonly id: string;
  readonly name: string;
  /** Which of its request's it is, from 0. */
  readonly n: number;
  state: ToolState | undefined;
  ended: (Moment & { readonly state: ToolState }) | undefined;
  result: (Moment & { readonly isError: boolean }) | undefined;
  asked: Moment | undefined;
  decided: (Moment & { readonly approved: boolean }) | undefined;
}

/** A request, from its send_message on. */
export interface Request extends Moment {
  readonly id: string;
  readonly thread: string;
  readonly attachments: number;
  /** What its content told the agent to do; undefined when it is no directive. */
  readonly steps: readonly Step[] | undefined;
  terminal: (Moment & { readonly event: EventName; readonly detail: string }) | undefined;
  cancel: (Moment & { readonly reason: string }) | undefined;
  /** The texts so far, joined; undefined above 16 Mi characters, and once a later request of the stream has ended. */
  text: string | undefined;
  readonly usage: TokenUsage[];
  readonly tools: Map<string, Tool>;
  /** When a decision with approved and approve_all came. */
  approveAll: Moment | undefined;
  /** Injections whose content is `release` that were sent while this was active. */
  releases: number;
  /** When the last of them was sent (ms); 0 before. */
  releasedAt: number;
  orphaned: Moment | undefined;
  /** Whether a cancel, or a decision about a tool of it, came while it was active. */
  steered: boolean;
  /** The last event of this request; that it was sent, before any. */
  readonly last: { seq: number; at: number };
}

/** An injection and its acks. */
export interface Injection extends Moment {
  readonly id: string;
  readonly message: InjectContext;
  sends: number;
  acks: (Moment & { readonly accepted: boolean; readonly reason: string })[];
}

/** One stream's facts. */
export interface Session {
  phase: 'opened' | 'registered' | 'ready' | 'refused' | 'closed';
  register: (Moment & { readonly message: RegisterAgent }) | undefined;
  welcome: (Moment & { readonly agentId: string }) | undefined;
  shutdown: Moment | undefined;
  features: ReadonlySet<string>;
  readonly requests: Map<string, Request>;
  /** Those of `requests` that have no terminal, in the order they were sent. */
  readonly active: Map<string, Request>;
  /** The one that last had a response: the next is mostly for the same. */
  recent: Request | undefined;
  /** The one that ended last; the only finished one whose text is kept. */
  finished: Request | undefined;
  readonly injections: Map<string, Injection>;
  readonly packCalls: Map<string, Moment>;
  /** How many finished requests, or injections, have been forgotten. */
  forgotten: number;
}

/** Finished requests, and injections, that one stream remembers. */
export const remembered = 2048;

/** A stream that has just been opened. */
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

/** The request of an id, whether it has ended or not. */
export function requestNamed(session: Session, id: string): Request | undefined {
  return session.recent?.id === id ? session.recent : session.requests.get(id);
}

/** What is kept of a moment: not the event that it may be. */
export const momentOf = ({ seq, at }: Moment): Moment => ({ seq, at });

/** Nothing was broken. */
export const none: readonly Violation[] = [];

/** One thing was. */
export const broken = (code: string, path: string, message: string): readonly Violation[] => [
  { code, path, message },
];
