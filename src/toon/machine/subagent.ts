/** What a subagent's message does to the session of its connection: work goes on or ends, calls and questions open. */
import type { Violation } from '../../kit/base/index.ts';
import { broken, momentOf, none, rememberedOpen, requestIdOf } from './state.ts';
import type { Ended, Moment, ToonSession } from './state.ts';
import type { StatusUpdate, ToonMessage } from '../messages.ts';

/** Takes a message that a subagent may send, with a payload that its type allows. */
export function fromSubagent(session: ToonSession, message: ToonMessage, now: Moment): readonly Violation[] {
  switch (message.type) {
    case 'STATUS':
      return report(session, message.payload, now);
    case 'TOOL_CALL':
    case 'CONTEXT_REQUEST':
      return ask(session, message, now);
    case 'ERROR':
      erred(session, now);
      return none;
    case 'HEARTBEAT':
    case 'INSTRUCTION':
    case 'TOOL_RESULT':
    case 'CONTEXT_RESPONSE':
      return none;
    default:
      message satisfies never;
      return none;
  }
}

function report(session: ToonSession, payload: StatusUpdate, now: Moment): readonly Violation[] {
  const out = sign(session, 'STATUS', now);
  const progress = payload['progress'];
  const inRange = typeof progress === 'number' && progress >= 0 && progress <= 1;
  if (inRange && session.active !== undefined) session.active.progress = progress;
  if (payload.status === 'completed') over(session, 'completed', now);
  if (inRange || progress === undefined) return out;
  const came = typeof progress === 'number' ? String(progress) : typeof progress;
  return [...out, ...broken('progress-range', 'progress', `expected a number from 0 to 1; came ${came}`)];
}

type Question = Extract<ToonMessage, { readonly type: 'TOOL_CALL' | 'CONTEXT_REQUEST' }>;

/** A call or a question, which is owed an answer even where none should have been asked (TOON-48, 49). */
function ask(session: ToonSession, { type, payload }: Question, now: Moment): readonly Violation[] {
  const kind = type === 'TOOL_CALL' ? 'calls' : 'requests';
  const open = session[kind];
  const { seq, at } = now;
  open.push({ seq, at, n: session.asked++, requestId: requestIdOf(payload) });
  if (open.length > rememberedOpen) {
    open.shift();
    session.forgotten[kind]++;
  }
  return sign(session, type, now);
}

/** A sign of work: it is about the active instruction, and there must be one (TOON-50, 52). */
function sign(session: ToonSession, type: string, now: Moment): readonly Violation[] {
  const { active } = session;
  if (active !== undefined) {
    active.sign = momentOf(now);
    active.signs++;
    active.doubt = undefined;
    return none;
  }
  // What was forgotten may be what it works on, and a bad frame may have been an INSTRUCTION for all that we know.
  if (session.forgotten.instructions > 0 || session.orchestrator.bad !== undefined) return none;
  session.subagent.unanswered++;
  return session.ended === undefined
    ? broken('no-instruction', 'type', `expected an INSTRUCTION before a ${type}`)
    : broken('after-end', 'type', `expected no ${type} after the end of the instruction`);
}

/** An ERROR answers a fault of the orchestrator's, if there is one; else it ends the instruction. */
function erred(session: ToonSession, now: Moment): void {
  if (session.orchestrator.unanswered === 0) return over(session, 'error', now);
  session.orchestrator.unanswered--;
  if (session.active !== undefined) session.active.doubt = momentOf(now);
}

function over(session: ToonSession, by: Ended['by'], now: Moment): void {
  if (session.active !== undefined) endInstruction(session, by, now);
  else if (session.forgotten.instructions > 0) session.forgotten.instructions--;
}

/** Ends the active instruction, if there is one; the next is the one that has waited longest. */
export function endInstruction(session: ToonSession, by: Ended['by'], now: Moment): void {
  const { active, orchestrator } = session;
  if (active === undefined) return;
  session.ended = { seq: now.seq, at: now.at, n: active.n, by };
  session.active = session.waiting.shift();
  if (session.active !== undefined) session.active.since = momentOf(now);
  if (orchestrator.bad !== undefined && active.seq > orchestrator.bad.seq) orchestrator.bad = undefined;
}
