/** Tool calls and context requests in the state of a connection: the subagent opens them, the orchestrator answers them. */
import type { Violation } from '../../kit/base/index.ts';
import type { ToonMessage } from '../messages.ts';
import { recordSign } from './instructions.ts';
import { maxRemembered, momentOf, noViolations, openListOf, requestIdOf, violated } from './state.ts';
import type { Moment, OpenCall, ToonSession } from './state.ts';

type CallMessage = Extract<ToonMessage, { readonly type: 'TOOL_CALL' | 'CONTEXT_REQUEST' }>;
type AnswerMessage = Extract<ToonMessage, { readonly type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE' }>;

/** Opens a call or a context request. Even one without an active instruction needs an answer (TOON-48, 49). */
export function openCall(
  session: ToonSession,
  { type, payload }: CallMessage,
  now: Moment,
): readonly Violation[] {
  const list = openListOf(type);
  session[list].push({ ...momentOf(now), index: session.callCount++, requestId: requestIdOf(payload) });
  if (session[list].length > maxRemembered) {
    session[list].shift();
    session.forgotten[list]++;
  }
  return recordSign(session, type, now);
}

/** Takes an answer: it closes a call or a context request. */
export function answerCall(session: ToonSession, message: AnswerMessage): readonly Violation[] {
  const list = openListOf(message.type);
  const call = answeredBy(session, message);
  if (call === undefined) return answerToNothing(session, message);
  if (call === 'forgotten') {
    session.forgotten[list]--;
    return noViolations;
  }
  session[list].splice(session[list].indexOf(call), 1);
  session.answered = call;
  const { badFrame } = session.subagent;
  const allAnswered = session.calls.length + session.requests.length === 0;
  if (badFrame !== undefined && allAnswered && call.seq > badFrame.seq) session.subagent.badFrame = undefined;
  return noViolations;
}

/** An answer without a call is a fault, unless a bad frame of the subagent may have been the call. */
function answerToNothing(session: ToonSession, message: AnswerMessage): readonly Violation[] {
  if (session.subagent.badFrame !== undefined) return noViolations;
  session.orchestrator.unansweredFaults++;
  const call = message.type === 'TOOL_RESULT' ? 'a TOOL_CALL' : 'a CONTEXT_REQUEST';
  return violated('nothing-asked', 'type', `expected ${call} that has no answer before a ${message.type}`);
}

/**
 * The open call that an answer belongs to: the one with its `requestId`, else the oldest (TOON-40).
 *
 * @returns `forgotten` when the call is no longer remembered; undefined when there is no such call
 */
function answeredBy(session: ToonSession, message: AnswerMessage): OpenCall | 'forgotten' | undefined {
  const list = openListOf(message.type);
  const open = session[list];
  const id = requestIdOf(message.payload);
  const named = id === undefined ? undefined : open.find(({ requestId }) => requestId === id);
  if (named !== undefined) return named;
  if (session.forgotten[list] > 0) return 'forgotten';
  return id === undefined ? open[0] : open.find(({ requestId }) => requestId === undefined);
}
