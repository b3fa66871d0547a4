/** KODA-39 to 42: approvals and blocked actions. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import { turnRule } from '../../shared/rules/session-rule.ts';
import { runningCalls } from '../../shared/turn.ts';
import type { Call, Pause, Turn } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';
import { ordersOfAll } from './orders.ts';
import { goesPast, progressTopics } from './pauses.ts';

const followsItsCall = turnRule({
  requirement: 'KODA-39',
  listens: ['event.approval_request'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    if (message.type !== 'approval_request') return undefined;
    const { id, tool_name: name } = message;
    if (turn.calls.has(id))
      return violated(event, `expected an id of its own for the request; ${id} is the id of a call`);
    if (isOpen(turn, id))
      return violated(event, `expected an id of its own for the request; ${id} is the id of an open one`);
    // KODA-42 judges a request about a call that was blocked.
    const isStarted = runningCalls(turn, name).length > 0 || callInState(turn, name, 'blocked') !== undefined;
    return !isStarted
      ? violated(event, `expected a tool_call_start of ${name} before its approval_request; none came`)
      : exercised(event);
  },
});

/** Whether an open request has an id. */
export const isOpen = ({ pauses }: Turn, id: string): boolean => pauses.some((pause) => pause.id === id);

/** The newest call of a name, if it is in a state. */
function callInState({ calls }: Turn, name: string, state: Call['stopped']): Call | undefined {
  const newest = [...calls.values()].findLast((call) => call.name === name);
  return newest?.stopped === state ? newest : undefined;
}

/** The call that prints or ends with an event. */
const callOf = (message: EngineEvent, { calls }: Turn): Call | undefined =>
  message.type === 'tool_output_line' || message.type === 'tool_call_result'
    ? calls.get(message.id)
    : undefined;

const waitsForApproval = turnRule({
  requirement: 'KODA-40',
  listens: [...progressTopics, 'event.tool_output_line'],
  step(event, turn): Findings {
    const message = engineEvent(event);
    const call = callOf(message, turn);
    const open = turn.pauses.find(
      (pause) => pause.kind === 'approval' && !pause.doubtful && isPast(pause, message, call, turn),
    );
    if (open !== undefined) {
      const also = open.stranger === undefined ? [open.seq] : [open.seq, open.stranger.seq];
      const wrong = open.stranger === undefined ? 'before any response' : 'after a response with another id';
      return violated(
        event,
        `expected nothing of a call before its approval; ${message.type} came ${wrong}`,
        also,
      );
    }
    if (call !== undefined && isUnasked(call, turn))
      return violated(
        event,
        `expected an approval_request before call ${call.id} is run, as its directive orders; ${message.type} came first`,
        [call.seq],
      );
    const { answered } = turn;
    if (answered?.kind !== 'approval' || answered.answer?.said !== 'approve') return undefined;
    return call !== undefined && call === answered.call ? exercised(event) : undefined;
  },
});

/** Whether nobody was asked about a call that its directive orders to wait for approval. */
const isUnasked = (call: Call, turn: Turn): boolean =>
  call.state === 'running' && !call.asked && ordersOfAll(turn, call.name, 'approval');

/** A call that waits prints nothing, and after a response with another id the turn does not go on. */
const isPast = (pause: Pause, message: EngineEvent, call: Call | undefined, turn: Turn): boolean =>
  (call !== undefined && call === pause.call) ||
  (pause.stranger !== undefined && goesPast(pause, message, turn));

/** Judges that a call in a state is not run: it has no lines. A blocked call may have a result, which says so (KODA-36). */
const isNotRun = (requirement: string, state: 'rejected' | 'blocked', cause: string): Rule<KodaView> =>
  turnRule({
    requirement,
    listens: ['event.tool_output_line', 'event.tool_call_result', 'event.approval_request', 'event.turn_end'],
    step(event, turn): Findings {
      const message = engineEvent(event);
      if (message.type === 'turn_end')
        return [...turn.calls.values()].some((call) => call.stopped === state) ? exercised(event) : undefined;
      if (message.type === 'approval_request') {
        const call = state === 'blocked' ? callInState(turn, message.tool_name, state) : undefined;
        return (
          call && violated(event, `expected no question about a call that was ${cause}; one came`, [call.seq])
        );
      }
      const call = callOf(message, turn);
      if (call === undefined) return undefined;
      if (call.stopped === state)
        return state === 'blocked' && message.type === 'tool_call_result'
          ? undefined
          : violated(event, `expected nothing of a call that was ${cause}; ${message.type} came`, [call.seq]);
      const isToBeBlocked = state === 'blocked' && call.state === 'running' && !call.unclear;
      return isToBeBlocked && ordersOfAll(turn, call.name, 'blocked')
        ? violated(
            event,
            `expected action_blocked before anything else of call ${call.id}, as its directive orders; ${message.type} came first`,
            [call.seq],
          )
        : undefined;
    },
  });

export const approvalRules: readonly Rule<KodaView>[] = [
  followsItsCall,
  waitsForApproval,
  isNotRun('KODA-41', 'rejected', 'rejected'),
  isNotRun('KODA-42', 'blocked', 'blocked'),
];
