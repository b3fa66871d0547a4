/** What an orchestrator's message does to the session of its connection: instructions open, answers find their call. */
import type { Violation } from '../../kit/base/index.ts';
import { parseDirective } from '../directive.ts';
import { broken, momentOf, none, rememberedOpen, requestIdOf } from './state.ts';
import type { Moment, OpenCall, ToonSession } from './state.ts';
import { endInstruction } from './subagent.ts';
import type { ToonMessage } from '../messages.ts';

/** Takes a message that an orchestrator may send, with a payload that its type allows. */
export function fromOrchestrator(
  session: ToonSession,
  message: ToonMessage,
  now: Moment,
): readonly Violation[] {
  switch (message.type) {
    case 'INSTRUCTION':
      instruct(session, message.payload.instruction, now);
      return none;
    case 'TOOL_RESULT':
    case 'CONTEXT_RESPONSE':
      return answer(session, message);
    case 'ERROR':
      if (session.subagent.unanswered > 0) session.subagent.unanswered--;
      return none;
    case 'HEARTBEAT':
    case 'TOOL_CALL':
    case 'STATUS':
    case 'CONTEXT_REQUEST':
      return none;
    default:
      message satisfies never;
      return none;
  }
}

function instruct(session: ToonSession, text: string, now: Moment): void {
  const moment = momentOf(now);
  const instruction = {
    ...moment,
    n: session.instructions++,
    directive: parseDirective(text),
    since: moment,
    sign: undefined,
    signs: 0,
    progress: undefined,
    doubt: undefined,
  };
  if (session.active?.doubt !== undefined) {
    // The orchestrator takes it as ended. Whether the subagent does too is not known: it may go on with it.
    endInstruction(session, 'error', session.active.doubt);
    session.forgotten.instructions++;
  }
  if (session.active === undefined) session.active = instruction;
  else session.waiting.push(instruction);
  if (session.waiting.length <= rememberedOpen) return;
  session.waiting.shift();
  session.forgotten.instructions++;
}

type AnswerMessage = Extract<ToonMessage, { readonly type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE' }>;

function answer(session: ToonSession, message: AnswerMessage): readonly Violation[] {
  const kind = message.type === 'TOOL_RESULT' ? 'calls' : 'requests';
  const found = answeredBy(session, message);
  if (found === undefined) return unasked(session, message);
  if (found === 'forgotten') {
    session.forgotten[kind]--;
    return none;
  }
  const open = session[kind];
  open.splice(open.indexOf(found), 1);
  session.answered = found;
  const { bad } = session.subagent;
  const allAnswered = session.calls.length + session.requests.length === 0;
  if (bad !== undefined && allAnswered && found.seq > bad.seq) session.subagent.bad = undefined;
  return none;
}

/** An answer to nothing; but a bad frame of the subagent's may have been a call for all that we know. */
function unasked(session: ToonSession, message: AnswerMessage): readonly Violation[] {
  if (session.subagent.bad !== undefined) return none;
  session.orchestrator.unanswered++;
  const asking = message.type === 'TOOL_RESULT' ? 'a TOOL_CALL' : 'a CONTEXT_REQUEST';
  return broken('nothing-asked', 'type', `expected ${asking} that has no answer before a ${message.type}`);
}

/**
 * The open call that a TOOL_RESULT answers, or the open question that a CONTEXT_RESPONSE answers: that of its
 * `requestId`, else the oldest (TOON-40). `forgotten`: one that is not remembered. Undefined: none.
 */
function answeredBy(session: ToonSession, message: AnswerMessage): OpenCall | 'forgotten' | undefined {
  const kind = message.type === 'TOOL_RESULT' ? 'calls' : 'requests';
  const open = session[kind];
  const id = requestIdOf(message.payload);
  const named = id === undefined ? undefined : open.find(({ requestId }) => requestId === id);
  if (named !== undefined) return named;
  if (session.forgotten[kind] > 0) return 'forgotten';
  return id === undefined ? open[0] : open.find(({ requestId }) => requestId === undefined);
}
