/** What the reference gateway remembers, and the pen it writes its outputs with. */
import type { Metadata, RoleOutput } from '../../kit/base/index.ts';
import { gatewayLimits } from './options.ts';
import type { Settings } from './options.ts';
import type { LedgerEffect } from './ledger.ts';
import type { ServerMessage, ToolDefinition } from '../messages.ts';
import type { AgentListing } from '../operator.ts';
import type { GatewayOut } from '../stream-codecs.ts';

interface AnyLink {
  readonly peer: string;
  /** Who its credentials say it is. */
  readonly principal: string;
  /** Its carrier takes no more for now. */
  full: boolean;
}

/** An agent's stream. */
export interface AgentLink extends AnyLink {
  readonly kind: 'agent';
  /** What operators see of it; undefined before it has registered. */
  listing: AgentListing | undefined;
  features: ReadonlySet<string>;
  /** For this connection only (G53). */
  token: string;
  /** Its running requests. */
  readonly requests: Set<string>;
  /** The tools it asked about and that are undecided, to their approvals. */
  readonly asked: Map<string, string>;
  /** Its pack calls that are out, to the gateway's own ids for them. */
  readonly calls: Map<string, string>;
  /** Its injections that have no ack. */
  readonly injections: Set<string>;
  /** The operators that cannot take more and so hold it back. */
  readonly heldBy: Set<string>;
  /** What it was sent since its carrier was full. */
  owed: number;
}

/** A pack's Register stream. */
export interface PackLink extends AnyLink {
  readonly kind: 'pack';
  /** Empty before its manifest. */
  id: string;
  tools: readonly string[];
  /** Calls that it has and has not answered. */
  readonly calls: Set<string>;
}

/** A pack's call with one result. */
export interface ResultLink extends AnyLink {
  readonly kind: 'pack_result';
}

/** An operator's call. */
export interface OperatorLink extends AnyLink {
  readonly kind: 'operator';
  /** It has said what it wants. */
  asked: boolean;
  /** The request whose events it hears; empty: none. */
  request: string;
  /** The agents it holds back. */
  readonly holds: Set<string>;
}

/** A stream to the gateway. */
export type Link = AgentLink | PackLink | ResultLink | OperatorLink;

/** A request that has no terminal. */
export interface ActiveRequest {
  readonly id: string;
  readonly thread_id: string;
  readonly agent_id: string;
  /** The stream it was sent on: no other may answer it (G23). */
  readonly agent: string;
  /** Who hears its events; empty: it has left. */
  operator: string;
  /** A CancelRequest was sent. */
  cancelling: boolean;
  /** Its undecided approvals. */
  readonly approvals: Set<string>;
}

/** A tool that an agent asked about, undecided. */
export interface Approval {
  readonly agent: string;
  readonly request_id: string;
  readonly tool_id: string;
}

/** A pack's tool. */
export interface PackTool {
  readonly pack: string;
  readonly definition: ToolDefinition;
}

/** An agent's call of a pack's tool. */
export interface PackCall {
  readonly agent: string;
  /** The agent's id for it. */
  readonly request_id: string;
  readonly pack: string;
  readonly pack_id: string;
  /** Who the pack is: only it may answer. */
  readonly principal: string;
}

/** What an operator wants of an agent, checked. */
export interface SendCall {
  readonly content: string;
  readonly sender: string;
  readonly thread_id: string;
  readonly agent_id: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly mime_type: string;
    readonly data: string;
  }[];
}

/** What the ledger was asked, and for whom. */
export type Question = { readonly operator: string } & (
  | { readonly about: 'thread'; readonly thread_id: string }
  | { readonly about: 'stats' }
  | { readonly about: 'budget'; readonly call: SendCall }
);

/** The gateway's state; handed over at each step. Plain data: what refers to a link or request names it. */
export interface GatewayState {
  phase: 'running' | 'stopping' | 'stopped';
  /** Why it stops. */
  reason: string;
  /** Names given so far. */
  serial: number;
  readonly links: Map<string, Link>;
  /** Streams of the agents that are ready, by agent_id, the first to come first. */
  readonly agents: Map<string, string>;
  /** Agents that were ready once. */
  readonly known: Set<string>;
  readonly requests: Map<string, ActiveRequest>;
  readonly finished: Set<string>;
  /** The agent of each thread. */
  readonly threads: Map<string, string>;
  /** Operators that hear every event. */
  readonly watchers: Set<string>;
  readonly approvals: Map<string, Approval>;
  /** Injections that have no ack, to their agents' streams. */
  readonly injections: Map<string, string>;
  /** Register streams by pack_id. */
  readonly packs: Map<string, string>;
  /** By name. */
  readonly tools: Map<string, PackTool>;
  readonly calls: Map<string, PackCall>;
  /** Calls that timed out. */
  readonly late: Map<string, PackCall>;
  /** When each nonce that was used came, in Unix ms; the oldest first. */
  readonly nonces: Map<string, number>;
  readonly questions: Map<string, Question>;
}

/** The state of a gateway that nobody has met. */
export const newGateway = (): GatewayState => ({
  phase: 'running',
  reason: '',
  serial: 0,
  links: new Map(),
  agents: new Map(),
  known: new Set(),
  requests: new Map(),
  finished: new Set(),
  threads: new Map(),
  watchers: new Set(),
  approvals: new Map(),
  injections: new Map(),
  packs: new Map(),
  tools: new Map(),
  calls: new Map(),
  late: new Map(),
  nonces: new Map(),
  questions: new Map(),
});

/** Forgets the oldest of a map or set until it has at most so many. */
export function keepLast(
  kept: { readonly size: number; keys(): Iterable<string>; delete(key: string): boolean },
  most: number,
): void {
  if (kept.size <= most) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    if (kept.size <= most) return;
  }
}

/** The agent on this stream, if it is one and ready. */
export function agentOn(state: GatewayState, peer: string | undefined): AgentLink | undefined {
  const link = state.links.get(peer ?? '');
  return link?.kind === 'agent' && link.listing !== undefined ? link : undefined;
}

/** The longest a timer can be (ms): what a timer of 32 bits holds. */
const longest = 0x7fffffff;

/** One step's: the state, when it is, and what it puts out. */
export class StepOutputs {
  readonly outputs: RoleOutput<GatewayOut>[] = [];
  /** Agents that do not read what they are sent: their streams are closed after the step. */
  readonly overrun: AgentLink[] = [];
  readonly state: GatewayState;
  readonly now: number;
  readonly settings: Settings;

  constructor(state: GatewayState, now: number, settings: Settings) {
    this.state = state;
    this.now = now;
    this.settings = settings;
  }

  /** Unix milliseconds. */
  get unix(): number {
    return this.settings.epoch + this.now;
  }

  /** A name that nobody had. */
  fresh(): string {
    return this.settings.uuid?.() ?? `id-${++this.state.serial}`;
  }

  send(peer: string, message: GatewayOut): void {
    this.outputs.push({ type: 'send', peer, message });
  }

  /** Sends to an agent, and counts what it is sent while it does not read. */
  toAgent(agent: AgentLink, message: ServerMessage): void {
    this.send(agent.peer, message);
    if (agent.full && ++agent.owed === gatewayLimits.owed) this.overrun.push(agent);
  }

  headers(peer: string, metadata: Metadata): void {
    this.outputs.push({ type: 'headers', peer, metadata });
  }

  close(peer: string, status: number, message: string): void {
    this.outputs.push({ type: 'close', peer, status: { code: status, message } });
  }

  startTimer(id: string, ms: number): void {
    this.outputs.push({ type: 'start_timer', id, ms: Math.min(longest, Math.max(0, ms)) });
  }

  stopTimer(id: string): void {
    this.outputs.push({ type: 'stop_timer', id });
  }

  effect(id: string, effect: LedgerEffect): void {
    this.outputs.push({ type: 'effect', id, effect });
  }

  tell(what: string, detail: string): void {
    this.outputs.push({ type: 'tell', what, detail });
  }
}
