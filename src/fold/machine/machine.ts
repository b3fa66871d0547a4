/**
 * The state of one agent's stream, as a total function of the messages in both directions: the registration, the
 * open requests, tools and injections, and the violations of each message. It only observes, so gateways and judges
 * can both run it. Memory is bounded: the oldest finished requests are forgotten.
 */
import type { Machine, Violation } from '../../kit/base/index.ts';
import { fromAgent } from './agent.ts';
import { fromGateway } from './gateway.ts';
import { noViolations, startSession, violation } from './state.ts';
import type { Moment, Session } from './state.ts';
import type { AgentMessage, ServerMessage } from '../messages.ts';

export { remembered } from './state.ts';
export type { Injection, Moment, Request, Session, Tool } from './state.ts';

/** A message on a stream, or its end. */
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
const late = violation('closed', '', 'a message after the stream was closed');

/** Applies an agent's message to the session: the machine's step without an input object. */
export const observeAgent = (session: Session, message: AgentMessage, now: Moment): readonly Violation[] =>
  isOver(session) ? late : fromAgent(session, message, now);

/** Applies a gateway's message to the session. */
export const observeGateway = (
  session: Session,
  message: ServerMessage,
  now: Moment,
): readonly Violation[] => (isOver(session) ? late : fromGateway(session, message, now));

/** Ends the session: either side closed the stream. */
export function observeEnd(session: Session): readonly Violation[] {
  if (isOver(session)) return late;
  session.phase = 'closed';
  return noViolations;
}
