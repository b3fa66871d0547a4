/**
 * One agent's stream as a total function of what crosses it, from either side: who is registered, which requests,
 * tools and injections are open, and what a message breaks. An observer's machine: a gateway can run it, and so
 * can a judge. Memory is bounded: finished requests are forgotten, the oldest first.
 */
import type { Machine, Violation } from '../kit/base/index.ts';
import type { Step } from './directive.ts';
import { parseDirective } from './directive.ts';
import { eventOf, finalStates, terminalEvents } from './messages.ts';
import type {
  AgentMessage,
  EventName,
  InjectContext,
  MessageResponse,
  RegisterAgent,
  SendMessage,
  ServerMessage,
  TokenUsage,
  ToolApprovalResponse,
  ToolState,
} from './messages.ts';

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
  /** The texts so far, joined; undefined above 16 Mi characters. */
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
  readonly injections: Map<string, Injection>;
  readonly packCalls: Map<string, Moment>;
  /** How many finished requests, or injections, have been forgotten. */
  forgotten: number;
}

/** What crosses a stream. */
export type SessionInput = Moment &
  (
    | { readonly from: 'agent'; readonly message: AgentMessage }
    | { readonly from: 'gateway'; readonly message: ServerMessage }
    | { readonly from: 'agent' | 'gateway'; readonly closed: true }
  );

/** Finished requests, and injections, that one stream remembers. */
export const remembered = 2048;
const textLimit = 16 << 20;

/** The machine of one Fold stream. */
export const sessionMachine: Machine<Session, SessionInput> = {
  start: () => ({
    phase: 'opened',
    register: undefined,
    welcome: undefined,
    shutdown: undefined,
    features: new Set(),
    requests: new Map(),
    active: new Map(),
    injections: new Map(),
    packCalls: new Map(),
    forgotten: 0,
  }),
  step(state, input) {
    if ('closed' in input) return { state, violations: observeEnd(state) };
    const { seq, at } = input;
    const violations =
      input.from === 'gateway'
        ? observeGateway(state, input.message, { seq, at })
        : observeAgent(state, input.message, { seq, at });
    return { state, violations };
  },
};

const none: readonly Violation[] = [];
const broken = (code: string, path: string, message: string): readonly Violation[] => [
  { code, path, message },
];

const isOver = (session: Session): boolean => session.phase === 'closed';
const late = broken('closed', '', 'a message after the stream was closed');

/** Takes an agent's message into the session; what the machine's step does, without its wrapping. */
export const observeAgent = (session: Session, message: AgentMessage, now: Moment): readonly Violation[] =>
  isOver(session) ? late : fromAgent(session, message, now);

/** The same for a gateway's message. */
export const observeGateway = (
  session: Session,
  message: ServerMessage,
  now: Moment,
): readonly Violation[] => (isOver(session) ? late : fromGateway(session, message, now));

/** The stream was closed, by either side. */
export function observeEnd(session: Session): readonly Violation[] {
  if (isOver(session)) return late;
  session.phase = 'closed';
  return none;
}

/** What is kept of a moment: not the event that it may be. */
const momentOf = ({ seq, at }: Moment): Moment => ({ seq, at });

function fromAgent(session: Session, m: AgentMessage, now: Moment): readonly Violation[] {
  if (m.register !== undefined) return register(session, m.register, now);
  if (session.register === undefined)
    return broken('not-registered', '', 'the first message must be register');
  if (m.response !== undefined) return respond(session, m.response, now);
  if (m.injection_ack !== undefined) {
    const { injection_id: id = '', accepted = false, reason = '' } = m.injection_ack;
    const injection = session.injections.get(id);
    if (injection === undefined)
      return broken('unknown-injection', 'injection_ack.injection_id', `no injection ${id}`);
    injection.acks.push({ seq: now.seq, at: now.at, accepted, reason });
  } else if (m.execute_pack_tool !== undefined) {
    const id = m.execute_pack_tool.request_id ?? '';
    if (session.packCalls.has(id))
      return broken('duplicate-pack-call', 'execute_pack_tool.request_id', `${id} is still out`);
    session.packCalls.set(id, momentOf(now));
  }
  return none;
}

function register(session: Session, message: RegisterAgent, now: Moment): readonly Violation[] {
  if (session.register !== undefined)
    return broken('second-register', 'register', 'this stream has registered');
  session.register = { seq: now.seq, at: now.at, message };
  session.features = new Set(message.protocol_features ?? []);
  session.phase = 'registered';
  return none;
}

function respond(session: Session, response: MessageResponse, now: Moment): readonly Violation[] {
  const id = response.request_id ?? '';
  const request = session.requests.get(id);
  if (request === undefined) return broken('unknown-request', 'response.request_id', `no request ${id}`);
  if (request.terminal !== undefined) return broken('after-terminal', 'response', `request ${id} has ended`);
  request.last.seq = now.seq;
  request.last.at = now.at;
  if (response.text !== undefined) {
    addText(request, response.text);
    return none;
  }
  const event = eventOf(response);
  if (event === undefined) return none;
  if (response.usage !== undefined) request.usage.push(response.usage);
  else if (response.session_orphaned !== undefined) request.orphaned = momentOf(now);
  else if (terminalEvents.has(event)) endRequest(session, request, event, response, now);
  else return respondTool(request, response, now);
  return none;
}

function addText(request: Request, text: string): void {
  if (request.text === undefined) return;
  request.text = request.text.length + text.length > textLimit ? undefined : request.text + text;
}

function endRequest(
  session: Session,
  request: Request,
  event: EventName,
  r: MessageResponse,
  now: Moment,
): void {
  const detail = r.done?.full_response ?? r.error ?? r.cancelled?.reason ?? '';
  request.terminal = { seq: now.seq, at: now.at, event, detail };
  session.active.delete(request.id);
}

function respondTool(request: Request, r: MessageResponse, now: Moment): readonly Violation[] {
  const { seq, at } = now;
  if (r.tool_use !== undefined) {
    const { id = '', name = '' } = r.tool_use;
    const known = request.tools.has(id);
    request.tools.set(id, {
      seq,
      at,
      id,
      name,
      state: undefined,
      ended: undefined,
      result: undefined,
      asked: undefined,
      decided: undefined,
    });
    return known ? broken('duplicate-tool', 'response.tool_use.id', `${id} was used in this request`) : none;
  }
  const about = r.tool_state ?? r.tool_result ?? r.tool_approval_request;
  if (about === undefined) return none;
  const tool = request.tools.get(about.id ?? '');
  if (tool === undefined) return broken('unknown-tool', 'response', `no tool_use with id ${about.id ?? ''}`);
  if (r.tool_approval_request !== undefined) tool.asked ??= { seq, at };
  else if (r.tool_result !== undefined) tool.result ??= { seq, at, isError: r.tool_result.is_error ?? false };
  else if (r.tool_state !== undefined) {
    const state = r.tool_state.state ?? 'TOOL_STATE_UNSPECIFIED';
    if (tool.ended !== undefined)
      return broken('after-final-state', 'response.tool_state', `${tool.id} has ended`);
    tool.state = state;
    if (finalStates.has(state)) tool.ended = { seq, at, state };
  }
  return none;
}

function fromGateway(session: Session, m: ServerMessage, now: Moment): readonly Violation[] {
  if (m.welcome !== undefined) {
    session.welcome ??= { seq: now.seq, at: now.at, agentId: m.welcome.agent_id ?? '' };
    session.phase = 'ready';
  } else if (m.registration_error !== undefined) session.phase = 'refused';
  else if (m.shutdown !== undefined) session.shutdown ??= momentOf(now);
  else if (m.send_message !== undefined) return sent(session, m.send_message, now);
  else if (m.inject_context !== undefined) injected(session, m.inject_context, now);
  else if (m.cancel_request !== undefined) {
    const request = session.requests.get(m.cancel_request.request_id ?? '');
    if (request !== undefined && request.terminal === undefined) {
      request.cancel ??= { seq: now.seq, at: now.at, reason: m.cancel_request.reason ?? '' };
    }
  } else if (m.tool_approval !== undefined) decided(session, m.tool_approval, now);
  else if (m.pack_tool_result !== undefined) session.packCalls.delete(m.pack_tool_result.request_id ?? '');
  return none;
}

function sent(session: Session, m: SendMessage, now: Moment): readonly Violation[] {
  const id = m.request_id ?? '';
  if (session.requests.has(id))
    return broken('duplicate-request', 'send_message.request_id', `${id} was used`);
  const parsed = parseDirective(m.content ?? '');
  const request: Request = {
    seq: now.seq,
    at: now.at,
    id,
    thread: m.thread_id ?? '',
    attachments: m.attachments?.length ?? 0,
    steps: parsed.ok ? parsed.value : undefined,
    terminal: undefined,
    cancel: undefined,
    text: '',
    usage: [],
    tools: new Map(),
    approveAll: undefined,
    releases: 0,
    releasedAt: 0,
    orphaned: undefined,
    last: { seq: now.seq, at: now.at },
  };
  session.requests.set(id, request);
  session.active.set(id, request);
  if (session.requests.size > remembered + session.active.size) forget(session);
  return none;
}

function forget(session: Session): void {
  for (const [id, request] of session.requests) {
    if (request.terminal === undefined) continue;
    session.requests.delete(id);
    session.forgotten++;
    return;
  }
}

function injected(session: Session, m: InjectContext, now: Moment): void {
  const id = m.injection_id ?? '';
  const known = session.injections.get(id);
  if (known !== undefined) known.sends++;
  else session.injections.set(id, { seq: now.seq, at: now.at, id, message: m, sends: 1, acks: [] });
  // Applied once, however often it is sent.
  if (m.content === 'release' && known === undefined)
    for (const request of session.active.values()) {
      request.releases++;
      request.releasedAt = now.at;
    }
  if (session.injections.size <= remembered) return;
  for (const oldest of session.injections.keys()) {
    session.injections.delete(oldest);
    session.forgotten++;
    return;
  }
}

function decided(session: Session, m: ToolApprovalResponse, now: Moment): void {
  for (const request of session.active.values()) {
    const tool = request.tools.get(m.id ?? '');
    if (tool?.asked === undefined) continue;
    tool.decided ??= { seq: now.seq, at: now.at, approved: m.approved ?? false };
    if (m.approved === true && m.approve_all === true) request.approveAll ??= now;
  }
}
