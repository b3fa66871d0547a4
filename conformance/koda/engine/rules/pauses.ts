/** KODA-43, 47, 73 and 84: questions, and what cannot come in a pause. */
import { exercised, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { EngineEvent } from '../../../../src/koda/index.ts';
import { awaitedEvents } from '../../shared/awaited.ts';
import { turnRule } from '../../shared/rules/session-rule.ts';
import { runningCalls } from '../../shared/turn.ts';
import type { Call, Pause, Turn } from '../../shared/turn.ts';
import { engineEvent } from '../../shared/view.ts';
import type { KodaView } from '../../shared/view.ts';

/** Whether the client has decided to stop the turn at its cap. */
export const stopsAtCap = ({ caps }: Turn): boolean => caps.at(-1)?.answer?.said === 'stop';

/** Whether the client may have stopped the turn: also by a decision that it sent before the cap was reached. */
export const mayBeStopped = (turn: Turn): boolean => stopsAtCap(turn) || turn.caps.at(-1)?.doubtful === true;

/** Whether a blank answer came, and the turn has not gone on since. */
export const awaitsResult = ({ resuming }: Turn): boolean => resuming !== undefined && isBlank(resuming);

/** The types of events that show that a turn goes on: the model answers, a call begins or ends, the turn ends. */
const progress: ReadonlySet<string> = new Set([
  'thinking_start',
  'thinking_delta',
  'thinking_done',
  'response_start',
  'text_delta',
  'text_done',
  'tool_call_start',
  'tool_call_result',
  'loop_cap_reached',
  'footer',
  'turn_end',
]);

export const progressTopics: readonly string[] = [...progress].map((type) => `event.${type}`);

/** Further events of a call, which may come in a pause, but not at a cap: all calls before it are over. */
const ofCalls: ReadonlySet<string> = new Set(['tool_output_line', 'approval_request', 'ask_user_request']);

/** The topics of all events that cannot come at a cap. */
export const workTopics: readonly string[] = [...progress, ...ofCalls].map((type) => `event.${type}`);

/** Whether an event cannot come in a pause. Calls that ran before it may end. */
export function isTooEarly(pause: Pause, message: EngineEvent, { calls }: Turn): boolean {
  const isProgress = progress.has(message.type);
  if (pause.kind === 'cap') return isProgress || ofCalls.has(message.type);
  // Calls next to one that waits for its approval may be run.
  if (message.type === 'tool_call_start') return pause.kind === 'ask';
  if (message.type !== 'tool_call_result') return isProgress;
  // Where several calls may be the one that waits, any of them may end.
  return pause.fits.length === 0 || (pause.call !== undefined && calls.get(message.id) === pause.call);
}

/** The events of a call, and of a sub-agent that a call runs. */
const ofOtherCalls: ReadonlySet<string> = new Set([
  ...ofCalls,
  'tool_call_start',
  'tool_call_result',
  'action_blocked',
  'sub_agent_start',
]);

/** Whether an event in a pause may be one of another call: one that runs next to the call that waits. */
export function isOfOtherCall(pause: Pause, message: EngineEvent, { calls }: Turn): boolean {
  if (pause.kind === 'cap' || !ofOtherCalls.has(message.type)) return false;
  const waits = ({ id }: Call): boolean => pause.call?.id === id;
  if ('id' in message && pause.call?.id === message.id) return false;
  return [...calls.values()].some((call) => call.state === 'running' && !waits(call));
}

/** Whether an event goes past an open pause that certainly holds. */
export const goesPast = (pause: Pause, message: EngineEvent, turn: Turn): boolean =>
  turn.interrupted === undefined && !pause.doubtful && isTooEarly(pause, message, turn);

/** Whether an event shows that a turn goes on, by itself. */
export const isProgress = ({ type }: EngineEvent, { interrupted }: Turn): boolean =>
  progress.has(type) && interrupted === undefined;

const questionPauses = turnRule({
  requirement: 'KODA-43',
  listens: progressTopics,
  step(event, turn): Findings {
    const message = engineEvent(event);
    const open = turn.pauses.find((pause) => pause.kind === 'ask' && goesPast(pause, message, turn));
    if (open !== undefined)
      return violated(event, `expected the turn to wait for the answer; ${message.type} came before it`, [
        open.seq,
      ]);
    return turn.resuming?.kind === 'ask' && isProgress(message, turn) ? exercised(event) : undefined;
  },
});

const blankAnswerGoesOn = turnRule({
  requirement: 'KODA-73',
  listens: ['event.tool_call_result', 'event.turn_end'],
  step(event, turn): Findings {
    const { answered } = turn;
    if (answered === undefined || !isBlank(answered) || turn.interrupted !== undefined) return undefined;
    const { call, answer } = answered;
    const also = [answer?.seq ?? answered.seq];
    const message = engineEvent(event);
    if (message.type === 'tool_call_result') {
      if (call === undefined || message.id !== call.id || call.state === 'done') return undefined;
      return message.output.trim() === ''
        ? violated(event, 'expected a result that says that no answer was given; its output is blank', also)
        : exercised(event);
    }
    if (turn.resuming === answered)
      return violated(
        event,
        'expected the turn to go on with a result after the blank answer; it ended',
        also,
      );
    return lacksResult(event, turn, 'that says that no answer was given');
  },
  pending(turn, session, view) {
    return awaitsResult(turn) && turn.interrupted === undefined ? awaitedEvents(view, session) : [];
  },
});

/** Judges the end of a turn whose call that asked has no result. KODA-36 names the calls that may have none. */
function lacksResult(event: TraceEvent, turn: Turn, which: string): Findings {
  const message = engineEvent(event);
  if (message.type !== 'turn_end' || message.reason.kind !== 'complete' || mayBeStopped(turn))
    return undefined;
  const call = turn.answered?.call;
  if (call?.state !== 'running' || call.unclear || call.isSubAgent) return undefined;
  return violated(event, `expected a result of call ${call.id} ${which}; the turn ended without one`, [
    call.seq,
  ]);
}

const answerIsResult = turnRule({
  requirement: 'KODA-84',
  listens: ['event.tool_call_result', 'event.turn_end'],
  step(event, turn): Findings {
    const { answered, interrupted } = turn;
    const message = engineEvent(event);
    if (answered?.kind !== 'ask' || isBlank(answered) || interrupted !== undefined) return undefined;
    if (message.type !== 'tool_call_result') return lacksResult(event, turn, 'with the answer');
    const { call, answer } = answered;
    // KODA-35 judges a second result.
    if (answer === undefined || call?.id !== message.id || call.state === 'done') return undefined;
    const said = answer.said.trim();
    if (message.output.includes(said)) return exercised(event);
    return violated(
      event,
      `expected the answer ${JSON.stringify(said).slice(0, 60)} in the output of the call that asked; came ${JSON.stringify(message.output).slice(0, 60)}`,
      [answer.seq],
    );
  },
});

const isBlank = ({ kind, answer }: Pause): boolean => kind === 'ask' && answer?.said.trim() === '';

/** Whether a request asks once more about the call that waits: no other call fits it. */
function asksAgain({ kind, call }: Pause, message: EngineEvent, turn: Turn): boolean {
  if (call === undefined || turn.interrupted !== undefined) return false;
  if (message.type === 'ask_user_request') return kind === 'ask' && runningCalls(turn).length === 1;
  if (message.type !== 'approval_request' || kind !== 'approval') return false;
  return call.name === message.tool_name && runningCalls(turn, call.name).length === 1;
}

const unrelatedHasNoEffect = turnRule({
  requirement: 'KODA-47',
  listens: [...progressTopics, 'event.approval_request', 'event.ask_user_request'],
  step(event: TraceEvent, turn): Findings {
    const message = engineEvent(event);
    const open = turn.pauses.find(
      (pause) =>
        pause.unrelated !== undefined && (goesPast(pause, message, turn) || asksAgain(pause, message, turn)),
    );
    if (open?.unrelated !== undefined)
      return violated(
        event,
        `expected the turn to wait for the answer to its request; ${message.type} came after a command that does not answer it`,
        [open.seq, open.unrelated.seq],
      );
    return turn.resuming?.unrelated !== undefined && isProgress(message, turn) ? exercised(event) : undefined;
  },
});

export const pauseRules: readonly Rule<KodaView>[] = [
  questionPauses,
  blankAnswerGoesOn,
  answerIsResult,
  unrelatedHasNoEffect,
];
