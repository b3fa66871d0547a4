/** The state of the reference gateway. */
import type { ToolDefinition } from '../messages.ts';
import type { AgentListing } from '../operator.ts';

interface AnyLink {
  readonly peer: string;
  /** The name that its credentials prove. */
  readonly principal: string;
  /** Whether its carrier is full. */
  full: boolean;
}

/** An agent's stream. */
export interface AgentLink extends AnyLink {
  readonly kind: 'agent';
  /** Its entry in the list of agents; undefined before it has registered. */
  listing: AgentListing | undefined;
  features: ReadonlySet<string>;
  /** The mcp_token of this connection alone (G53). */
  token: string;
  /** Its running requests. */
  readonly requests: Set<string>;
  /** The keys of approvals by the ids of the tools that wait for them. */
  readonly approvals: Map<string, string>;
  /** The gateway's ids of its open pack calls, by the agent's ids. */
  readonly calls: Map<string, string>;
  /** Its injections without an ack. */
  readonly injections: Set<string>;
  /** The operators with a full carrier, which pause it. */
  readonly pausedBy: Set<string>;
  /** The number of messages to it since its carrier is full. */
  unread: number;
}

/** A pack's Register stream. */
export interface PackLink extends AnyLink {
  readonly kind: 'pack';
  /** Empty before its manifest. */
  id: string;
  tools: readonly string[];
  /** Its unanswered calls. */
  readonly calls: Set<string>;
}

/** A pack's call that brings one result. */
export interface ResultLink extends AnyLink {
  readonly kind: 'pack_result';
}

/** An operator's call. */
export interface OperatorLink extends AnyLink {
  readonly kind: 'operator';
  /** Whether its call has come. */
  called: boolean;
  /** The request whose events it receives; empty without one. */
  request: string;
  /** The agents that it pauses. */
  readonly pausing: Set<string>;
}

/** A stream to the gateway. */
export type Link = AgentLink | PackLink | ResultLink | OperatorLink;

/** A request without a terminal. */
export interface ActiveRequest {
  readonly id: string;
  readonly thread_id: string;
  readonly agent_id: string;
  /** The stream of its agent: responses on other streams are ignored (G23). */
  readonly agent: string;
  /** The operator that receives its events; empty after that operator has left. */
  operator: string;
  /** Whether a CancelRequest was sent. */
  cancelling: boolean;
  /** The keys of its approvals without a decision. */
  readonly approvals: Set<string>;
}

/** A tool that waits for a decision. */
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
  /** The principal of the pack: results of others are ignored. */
  readonly principal: string;
}

/** The checked arguments of an operator's `send`. */
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

/** A question to the ledger, and the operator that waits for the result; empty: the gateway itself. */
export type Question = { readonly operator: string } & (
  | { readonly about: 'thread'; readonly thread_id: string }
  | { readonly about: 'stats' }
  | { readonly about: 'budget'; readonly call: SendCall }
  /** The gateway's own, without an operator: an agent may have to be told of its thread's budget. */
  | { readonly about: 'alert'; readonly thread_id: string; readonly agent: string }
);

/** The gateway's state, which each step takes over. Plain data: links and requests refer to each other by name. */
export interface GatewayState {
  phase: 'running' | 'stopping' | 'stopped';
  /** The reason of the shutdown. */
  reason: string;
  /** The number of generated ids. */
  serial: number;
  readonly links: Map<string, Link>;
  /** The streams of registered agents by agent_id, in order of registration. */
  readonly agents: Map<string, string>;
  /** The ids of agents that registered before. */
  readonly known: Set<string>;
  readonly requests: Map<string, ActiveRequest>;
  /** The ids of finished requests. */
  readonly finished: Set<string>;
  /** The agent of each thread. */
  readonly threads: Map<string, string>;
  /** The operators that receive all events. */
  readonly watchers: Set<string>;
  readonly approvals: Map<string, Approval>;
  /** The streams of agents by the ids of their injections without an ack. */
  readonly injections: Map<string, string>;
  /** Register streams by pack_id. */
  readonly packs: Map<string, string>;
  /** By name. */
  readonly tools: Map<string, PackTool>;
  readonly calls: Map<string, PackCall>;
  /** Calls that timed out. */
  readonly late: Map<string, PackCall>;
  /** The arrival of each used nonce (Unix ms), the oldest first. */
  readonly nonces: Map<string, number>;
  readonly questions: Map<string, Question>;
  /** Threads whose agent was told that the budget is nearly used. */
  readonly alerted: Set<string>;
}

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
  alerted: new Set(),
});

/** Removes the oldest entries of a map or set above `most`. */
export function forgetOldest(
  kept: { readonly size: number; keys(): Iterable<string>; delete(key: string): boolean },
  most: number,
): void {
  if (kept.size <= most) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    if (kept.size <= most) return;
  }
}

/** The registered agent of this id. */
export const agentNamed = (state: GatewayState, id: string): AgentLink | undefined =>
  agentOn(state, state.agents.get(id));

/** The registered agent on this stream. */
export function agentOn(state: GatewayState, peer: string | undefined): AgentLink | undefined {
  const link = state.links.get(peer ?? '');
  return link?.kind === 'agent' && link.listing !== undefined ? link : undefined;
}
