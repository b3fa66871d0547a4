/**
 * One agent's stream as a total function of what crosses it, from either side: who is registered, which requests,
 * tools and injections are open, and what a message breaks. An observer's machine: a gateway can run it, and so
 * can a judge. Memory is bounded: finished requests are forgotten, the oldest first.
 */
import type { Machine, Violation } from '../../kit/base/index.ts';
import { fromAgent } from './agent.ts';
import { fromGateway } from './gateway.ts';
import { broken, none, startSession } from './state.ts';
import type { Moment, Session } from './state.ts';
import type { AgentMessage, ServerMessage } from '../messages.ts';

export { remembered } from './state.ts';
export type { Injection, Moment, Request, Session, Tool } from './state.ts';

/** What crosses a stream. */
export type SessionInput = Moment &
  (
    | { readonly from: 'agent'; readonly message: AgentMessage }
    | { readonly from: 'gateway'; readonly message: ServerMessage }
    | { readonly from: 'agent' | 'gateway'; readonly closed: true }
  );

/** The machine of one Fold stream. */
export const sessionMachine: Machine<Session, SessionInput> = {
  start: startSession,
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
