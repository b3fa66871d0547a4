/** The effect of a gateway's messages on the session of their stream. */
import type { Violation } from '../../kit/base/index.ts';
import { parseDirective } from '../directive.ts';
import { momentOf, noViolations, remembered, violation } from './state.ts';
import type { Moment, Request, Session } from './state.ts';
import type { InjectContext, SendMessage, ServerMessage, ToolApprovalResponse } from '../messages.ts';

/** Applies a gateway's message to a session that is not closed. */
export function fromGateway(session: Session, m: ServerMessage, now: Moment): readonly Violation[] {
  if (m.welcome !== undefined) {
    session.welcome ??= { seq: now.seq, at: now.at, agentId: m.welcome.agent_id ?? '' };
    session.phase = 'ready';
  } else if (m.registration_error !== undefined) session.phase = 'refused';
  else if (m.shutdown !== undefined) session.shutdown ??= momentOf(now);
  else if (m.send_message !== undefined) return startRequest(session, m.send_message, now);
  else if (m.inject_context !== undefined) addInjection(session, m.inject_context, now);
  else if (m.cancel_request !== undefined) {
    const request = session.requests.get(m.cancel_request.request_id ?? '');
    if (request !== undefined && request.terminal === undefined) {
      request.cancel ??= { seq: now.seq, at: now.at, reason: m.cancel_request.reason ?? '' };
      request.steered = true;
    }
  } else if (m.tool_approval !== undefined) addDecision(session, m.tool_approval, now);
  else if (m.pack_tool_result !== undefined) session.packCalls.delete(m.pack_tool_result.request_id ?? '');
  return noViolations;
}

function startRequest(session: Session, m: SendMessage, now: Moment): readonly Violation[] {
  const id = m.request_id ?? '';
  if (session.requests.has(id))
    return violation('duplicate-request', 'send_message.request_id', `${id} was used`);
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
    steered: false,
    last: { seq: now.seq, at: now.at },
  };
  session.requests.set(id, request);
  session.active.set(id, request);
  if (session.requests.size > remembered + session.active.size) forgetFinished(session);
  return noViolations;
}

/** Forgets the oldest finished request. */
function forgetFinished(session: Session): void {
  for (const [id, request] of session.requests) {
    if (request.terminal === undefined) continue;
    session.requests.delete(id);
    if (session.recent === request) session.recent = undefined;
    session.forgotten++;
    return;
  }
}

function addInjection(session: Session, m: InjectContext, now: Moment): void {
  const id = m.injection_id ?? '';
  const known = session.injections.get(id);
  if (known !== undefined) known.sends++;
  else session.injections.set(id, { seq: now.seq, at: now.at, id, message: m, sends: 1, acks: [] });
  // A repeated injection is applied once.
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

function addDecision(session: Session, m: ToolApprovalResponse, now: Moment): void {
  for (const request of session.active.values()) {
    const tool = request.tools.get(m.id ?? '');
    if (tool?.asked === undefined) continue;
    request.steered = true;
    const { approved = false } = m;
    if (tool.decided === undefined || (approved && tool.asks > 1))
      tool.decided = { seq: now.seq, at: now.at, approved };
    if (m.approved === true && m.approve_all === true) request.approveAll ??= momentOf(now);
  }
}
