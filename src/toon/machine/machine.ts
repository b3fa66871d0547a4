/**
 * One TOON connection as a total function of what crosses it, from either end: sequence ids, the instruction that
 * is worked on, open calls and questions, and what a message breaks. An observer's machine: both roles run it, and
 * so does a judge. Memory is bounded: of what is open, the oldest is forgotten when there is too much, and counted.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Machine, Violation } from '../../kit/base/index.ts';
import { fromOrchestrator } from './orchestrator.ts';
import { broken, highestSequenceId, momentOf, none, otherSide, startToonSession } from './state.ts';
import type { Moment, Sender, ToonSession } from './state.ts';
import { fromSubagent } from './subagent.ts';
import { senders } from '../messages.ts';
import type { Side, ToonMessage } from '../messages.ts';
import { checkPayload } from '../frame/payload.ts';
import { track } from '../frame/serial.ts';

export { rememberedOpen, sessionFaults } from './state.ts';
export type {
  Ended,
  Forgotten,
  Moment,
  OpenCall,
  OpenInstruction,
  Sender,
  SessionFault,
  ToonSession,
} from './state.ts';

/** What crosses a connection; `undecodable` is the codec's word for why a frame is no message. */
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
    const { seq, at } = input;
    const now: Moment = { seq, at };
    if ('ended' in input) return { state, violations: observeEnd(state) };
    const violations =
      'message' in input
        ? observe(state, input.from, input.message, now)
        : observeUndecodable(state, input.from, now);
    return { state, violations };
  },
};

const late = broken('closed', '', 'expected nothing after the connection was closed; something came');

/** Takes a message into the session; what the machine's step does, without its wrapping. */
export function observe(
  session: ToonSession,
  from: Side,
  message: ToonMessage,
  now: Moment,
): readonly Violation[] {
  if (session.phase === 'closed') return late;
  const sender = session[from];
  sender.last = momentOf(now);
  session.answered = undefined;
  const out = sequenceFault(sender, message.sequenceId);
  const refused = refusal(from, message);
  if (refused !== undefined) {
    sender.unanswered++;
    return joined(out, [refused]);
  }
  const took =
    from === 'orchestrator' ? fromOrchestrator(session, message, now) : fromSubagent(session, message, now);
  return joined(joined(out, shapeFault(message)), took);
}

const joined = (a: readonly Violation[], b: readonly Violation[]): readonly Violation[] => {
  if (b === none) return a;
  return a === none ? b : [...a, ...b];
};

/** Types that require no field may come with a payload that is no object; they are taken as if it were empty. */
const shapeFault = ({ payload }: ToonMessage): readonly Violation[] =>
  isObject(payload) ? none : broken('not-object', 'payload', 'expected a JSON object as payload');

/** The same for a frame that is no message: it is counted, and may explain what the other side does next. */
export function observeUndecodable(session: ToonSession, from: Side, now: Moment): readonly Violation[] {
  if (session.phase === 'closed') return late;
  const sender = session[from];
  sender.last = momentOf(now);
  sender.bad = momentOf(now);
  sender.skipped = true;
  sender.unanswered++;
  return none;
}

/** The connection is over, by either end's doing or nobody's. */
export function observeEnd(session: ToonSession): readonly Violation[] {
  if (session.phase === 'closed') return late;
  session.phase = 'closed';
  return none;
}

/** Follows the sender's sequence ids (TOON-30, 31). A gap breaks nothing: ids must rise, and no more. */
function sequenceFault(sender: Sender, id: number): readonly Violation[] {
  const { skipped } = sender;
  sender.skipped = false;
  sender.order = undefined;
  sender.missing = 0;
  if (!Number.isInteger(id) || id < 0 || id > highestSequenceId)
    return broken('sequence-range', 'sequenceId', `expected 0 to ${highestSequenceId}; came ${String(id)}`);
  const before = sender.sequence.last;
  const { state, kind, missing = 0 } = track(sender.sequence, id);
  sender.sequence = state;
  sender.order = kind;
  sender.missing = missing;
  if (before === highestSequenceId && id !== 0 && !skipped)
    return broken('no-wrap', 'sequenceId', `expected 0 after ${highestSequenceId}; came ${id}`);
  if (kind !== 'duplicate' && kind !== 'reordered') return none;
  return broken('sequence-not-rising', 'sequenceId', `expected more than ${String(before)}; came ${id}`);
}

/** What makes a message one that cannot be acted on: no type, not this side's type, not the type's payload. */
function refusal(from: Side, { type, payload }: ToonMessage): Violation | undefined {
  if (!Object.hasOwn(senders, type))
    return {
      code: 'bad-type',
      path: 'type',
      message: 'expected one of the eight message types; came another',
    };
  if (!senders[type].includes(from))
    return {
      code: 'wrong-direction',
      path: 'type',
      message: `expected ${type} from the ${otherSide(from)} only; came from the ${from}`,
    };
  return checkPayload(type, payload);
}
