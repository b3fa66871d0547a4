/** The effect of an agent's messages on the session of their stream. */
import type { Violation } from '../../kit/base/index.ts';
import { momentOf, noViolations, requestNamed, violation } from './state.ts';
import type { Moment, Request, Session } from './state.ts';
import { eventOf, finalStates, terminalEvents } from '../messages.ts';
import type { AgentMessage, EventName, MessageResponse, RegisterAgent } from '../messages.ts';

/** The most characters of a request's texts that are kept. */
const textLimit = 16 << 20;

/** Applies an agent's message to a session that is not closed. */
export function fromAgent(session: Session, m: AgentMessage, now: Moment): readonly Violation[] {
  if (m.register !== undefined) return register(session, m.register, now);
  if (session.register === undefined)
    return violation('not-registered', '', 'the first message must be register');
  if (m.response !== undefined) return respond(session, m.response, now);
  if (m.injection_ack !== undefined) {
    const { injection_id: id = '', accepted = false, reason = '' } = m.injection_ack;
    const injection = session.injections.get(id);
    if (injection === undefined)
      return violation('unknown-injection', 'injection_ack.injection_id', `no injection ${id}`);
    injection.acks.push({ seq: now.seq, at: now.at, accepted, reason });
  } else if (m.execute_pack_tool !== undefined) {
    const id = m.execute_pack_tool.request_id ?? '';
    if (session.packCalls.has(id))
      return violation('duplicate-pack-call', 'execute_pack_tool.request_id', `${id} is still out`);
    session.packCalls.set(id, momentOf(now));
  }
  return noViolations;
}

function register(session: Session, message: RegisterAgent, now: Moment): readonly Violation[] {
  if (session.register !== undefined)
    return violation('second-register', 'register', 'this stream has registered');
  session.register = { seq: now.seq, at: now.at, message };
  session.features = new Set(message.protocol_features ?? []);
  session.phase = 'registered';
  return noViolations;
}

function respond(session: Session, response: MessageResponse, now: Moment): readonly Violation[] {
  const id = response.request_id ?? '';
  const request = requestNamed(session, id);
  if (request === undefined) return violation('unknown-request', 'response.request_id', `no request ${id}`);
  if (request.terminal !== undefined)
    return violation('after-terminal', 'response', `request ${id} has ended`);
  session.recent = request;
  request.last.seq = now.seq;
  request.last.at = now.at;
  if (response.text !== undefined) {
    addText(request, response.text);
    return noViolations;
  }
  const event = eventOf(response);
  if (event === undefined) return noViolations;
  if (response.usage !== undefined) request.usage.push(response.usage);
  else if (response.session_orphaned !== undefined) request.orphaned = momentOf(now);
  else if (terminalEvents.has(event)) endRequest(session, request, event, response, now);
  else return respondTool(request, response, now);
  return noViolations;
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
  // Nothing reads the whole text of the previous request any more, and it may be long.
  if (session.finished !== undefined) session.finished.text = undefined;
  session.finished = request;
}

function useTool(
  request: Request,
  { id = '', name = '' }: NonNullable<MessageResponse['tool_use']>,
  { seq, at }: Moment,
): readonly Violation[] {
  const known = request.tools.get(id);
  request.tools.set(id, {
    seq,
    at,
    id,
    name,
    n: known?.n ?? request.tools.size,
    state: undefined,
    ended: undefined,
    result: undefined,
    asked: undefined,
    decided: undefined,
    asks: 0,
  });
  return known === undefined
    ? noViolations
    : violation('duplicate-tool', 'response.tool_use.id', `${id} was used in this request`);
}

function respondTool(request: Request, r: MessageResponse, now: Moment): readonly Violation[] {
  const { seq, at } = now;
  if (r.tool_use !== undefined) return useTool(request, r.tool_use, now);
  const about = r.tool_state ?? r.tool_result ?? r.tool_approval_request;
  if (about === undefined) return noViolations;
  const tool = request.tools.get(about.id ?? '');
  if (tool === undefined)
    return violation('unknown-tool', 'response', `no tool_use with id ${about.id ?? ''}`);
  if (r.tool_approval_request !== undefined) {
    tool.asked ??= { seq, at };
    tool.asks++;
  } else if (r.tool_result !== undefined)
    tool.result ??= { seq, at, isError: r.tool_result.is_error ?? false };
  else if (r.tool_state !== undefined) {
    const state = r.tool_state.state ?? 'TOOL_STATE_UNSPECIFIED';
    if (tool.ended !== undefined)
      return violation('after-final-state', 'response.tool_state', `${tool.id} has ended`);
    tool.state = state;
    if (finalStates.has(state)) tool.ended = { seq, at, state };
  }
  return noViolations;
}
