/**
 * The machine of one TOON connection. It observes the messages of both sides and reports every fault in them. Both
 * reference roles run it. Its memory is bounded: it forgets the oldest open items, and counts them.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Machine, Violation } from '../../kit/base/index.ts';
import { MAX_SEQUENCE_ID } from '../frame/header.ts';
import { checkPayload } from '../frame/payload.ts';
import { senders } from '../messages.ts';
import type { Side, ToonMessage } from '../messages.ts';
import { answerCall, openCall } from './calls.ts';
import { openInstruction, recordError, recordStatus } from './instructions.ts';
import { track } from './sequence-ids.ts';
import { momentOf, noViolations, otherSide, startToonSession, violated } from './state.ts';
import type { Moment, Sender, ToonSession } from './state.ts';

export { maxRemembered, sessionFaults } from './state.ts';
export type { Moment, SessionFault, ToonSession } from './state.ts';

/** An input of the machine; `undecodable` is the code with which the codec refused a frame. */
export type ToonInput = Moment &
  (
    | { readonly from: Side; readonly message: ToonMessage }
    | { readonly from: Side; readonly undecodable: string }
    | { readonly ended: true }
  );

/**
 * The machine of one TOON (Task Orchestration Over Node) connection.
 *
 * @example
 * const status = { type: 'STATUS', sequenceId: 1, timestamp: '0', payload: { status: 'working' } } as const;
 * const input = { from: 'subagent', message: status, seq: 0, at: 0 } as const;
 * toonMachine.step(toonMachine.start(), input).violations[0]?.code; // 'no-instruction'
 */
export const toonMachine: Machine<ToonSession, ToonInput> = {
  start: startToonSession,
  step(state, input) {
    if ('ended' in input) return { state, violations: observeEnd(state) };
    const violations =
      'message' in input
        ? observe(state, input.from, input.message, input)
        : observeUndecodable(state, input.from, input);
    return { state, violations };
  },
};

const afterClose = violated('closed', '', 'expected nothing after the connection was closed; something came');

/** Takes a message of one side. The same as a step of {@link toonMachine}. */
export function observe(
  session: ToonSession,
  from: Side,
  message: ToonMessage,
  now: Moment,
): readonly Violation[] {
  if (session.phase === 'closed') return afterClose;
  const sender = session[from];
  session.answered = undefined;
  const violations = checkSequenceId(sender, message.sequenceId);
  const refusal = refusalOf(from, message);
  if (refusal === undefined)
    return [...violations, ...checkShape(message), ...apply(session, from, message, now)];
  sender.unansweredFaults++;
  return [...violations, refusal];
}

/** Takes a frame that is not a message. It may explain what the other side does next. */
export function observeUndecodable(session: ToonSession, from: Side, now: Moment): readonly Violation[] {
  if (session.phase === 'closed') return afterClose;
  const sender = session[from];
  sender.badFrame = momentOf(now);
  sender.lastWasBadFrame = true;
  sender.unansweredFaults++;
  return noViolations;
}

/** Takes the end of the connection, whichever side closed it. */
export function observeEnd(session: ToonSession): readonly Violation[] {
  if (session.phase === 'closed') return afterClose;
  session.phase = 'closed';
  return noViolations;
}

/** Checks the next sequence id of a sender (TOON-30, 31). Ids must rise; gaps are allowed. */
function checkSequenceId(sender: Sender, id: number): readonly Violation[] {
  const { lastWasBadFrame } = sender;
  sender.lastWasBadFrame = false;
  sender.order = undefined;
  sender.missing = 0;
  if (!Number.isInteger(id) || id < 0 || id > MAX_SEQUENCE_ID)
    return violated('sequence-range', 'sequenceId', `expected 0 to ${MAX_SEQUENCE_ID}; came ${String(id)}`);
  const before = sender.sequence.last;
  const { state, kind, missing = 0 } = track(sender.sequence, id);
  sender.sequence = state;
  sender.order = kind;
  sender.missing = missing;
  if (before === MAX_SEQUENCE_ID && id !== 0 && !lastWasBadFrame)
    return violated('no-wrap', 'sequenceId', `expected 0 after ${MAX_SEQUENCE_ID}; came ${id}`);
  if (kind !== 'duplicate' && kind !== 'reordered') return noViolations;
  return violated('sequence-not-rising', 'sequenceId', `expected more than ${String(before)}; came ${id}`);
}

/** The reason to refuse a message: an unknown type, a type that only the other side sends, or a wrong payload. */
function refusalOf(from: Side, { type, payload }: ToonMessage): Violation | undefined {
  if (!Object.hasOwn(senders, type)) {
    const message = 'expected one of the eight message types; came another';
    return { code: 'bad-type', path: 'type', message };
  }
  if (!senders[type].includes(from)) {
    const message = `expected ${type} from the ${otherSide(from)} only; came from the ${from}`;
    return { code: 'wrong-direction', path: 'type', message };
  }
  return checkPayload(type, payload);
}

/** A type without required fields may have a payload that is not an object. It counts as an empty object. */
const checkShape = ({ payload }: ToonMessage): readonly Violation[] =>
  isObject(payload) ? noViolations : violated('not-object', 'payload', 'expected a JSON object as payload');

function apply(session: ToonSession, from: Side, message: ToonMessage, now: Moment): readonly Violation[] {
  switch (message.type) {
    case 'INSTRUCTION':
      return openInstruction(session, message.payload.instruction, now);
    case 'STATUS':
      return recordStatus(session, message.payload, now);
    case 'TOOL_CALL':
    case 'CONTEXT_REQUEST':
      return openCall(session, message, now);
    case 'TOOL_RESULT':
    case 'CONTEXT_RESPONSE':
      return answerCall(session, message);
    case 'ERROR':
      return recordError(session, from, now);
    case 'HEARTBEAT':
      return noViolations;
  }
}
