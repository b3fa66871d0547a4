/**
 * The meaning of a target's event: its ask and whether it ends the ask, the accepted messages that it shows, and the bad
 * frame that it answers or acts on. It is found once for each event, for all rules.
 */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { senders } from '../../../src/toon/index.ts';
import type { Side, ToonMessage } from '../../../src/toon/index.ts';
import { endsInstruction, messageOf, noteSent, payloadOf } from './view-peer.ts';
import { demandsError } from './view-trials.ts';
import { answeredBy, isRefused, isSessionOver, keepBounded, remove } from './view-stream.ts';
import type { Ask, AskType, BadFrame, OwnCall, StreamView, Trial } from './view-stream.ts';

export interface Meaning {
  readonly stream: StreamView;
  /** Whether only the other side may send its type. */
  readonly wrongWay?: boolean;
  readonly ask?: Ask;
  /** How it ends the ask; absent: it does not. */
  readonly ends?: 'completed' | 'error' | 'answer';
  /** The target has accepted the peer's messages up to this event (seq); absent: unknown. */
  readonly takenUpTo?: number;
  /** Whether it refuses its ask, and only the unusual frame can be the reason. */
  readonly refuses?: boolean;
  /** The bad frame that it answers. */
  readonly complains?: BadFrame;
  /** The bad frame that it acts on, because there is no other reason for it. */
  readonly actsOnBadFrame?: BadFrame;
  /** It belongs to no ask: `early` when there was no such ask yet, `late` when all of them were done. */
  readonly stray?: 'early' | 'late';
  /** The undone asks of a stream that it ends. */
  readonly closes?: readonly Ask[];
  /** Whether it ends the stream because its work is done, or because an ERROR ended the session. */
  readonly leaves?: boolean;
}

/** The meaning of a target's message. */
export function meaningOfMessage(target: Side, stream: StreamView, event: TraceEvent): Meaning {
  const message = messageOf(event);
  if (!senders[message.type].includes(target)) return { stream, wrongWay: true };
  switch (message.type) {
    case 'INSTRUCTION':
    case 'HEARTBEAT':
      return { stream };
    case 'ERROR':
      return meaningOfError(target, stream, message);
    case 'TOOL_RESULT':
    case 'CONTEXT_RESPONSE':
      return meaningOfAnswer(stream, message);
    case 'STATUS':
    case 'TOOL_CALL':
    case 'CONTEXT_REQUEST':
      return meaningOfWork(stream, message);
    default:
      return message satisfies never;
  }
}

/** The meaning of a subagent's sign of work. */
function meaningOfWork(stream: StreamView, message: ToonMessage): Meaning {
  const ask = stream.asks[0] ?? stream.crossed;
  // A target that answers a bad frame with an ERROR does not act on it.
  const acts = stream.bad.findLast(({ complained }) => !complained);
  if (ask === undefined) {
    if (acts !== undefined) return { stream, actsOnBadFrame: acts };
    if (stream.forgotten) return { stream };
    return { stream, stray: stream.done.INSTRUCTION > 0 ? 'late' : 'early' };
  }
  const ends = endsInstruction(message);
  const taken = ends ? resultTaken(stream, ask) : undefined;
  if (taken !== undefined) return { stream, ask, ends: 'completed', actsOnBadFrame: taken };
  // A sign during the work may have been on its way when the peer's last message came. The end was not.
  // Behind its ERROR about a bad frame, it was not.
  const complaint = stream.bad.findLast(({ complained }) => complained)?.seq ?? -1;
  const takenUpTo = Math.max(ask.taken ? complaint : ask.seq, ends ? ask.answered : -1);
  return { stream, ask, ...(ends ? { ends: 'completed' } : {}), ...(takenUpTo < 0 ? {} : { takenUpTo }) };
}

/**
 * The bad frame that a target takes as the result of its call: a directive that waits for one result is completed
 * without that result, and no other bad frame came since the call.
 */
function resultTaken({ calls, bad }: StreamView, { steps }: Ask): BadFrame | undefined {
  const [call] = calls;
  if (call?.type !== 'TOOL_CALL' || steps?.length !== 1 || !steps.every((step) => 'tool' in step))
    return undefined;
  const since = bad.filter(({ seq }) => seq > call.seq);
  return since.length === 1 ? since[0] : undefined;
}

/** The meaning of an orchestrator's answer to a call. */
function meaningOfAnswer(stream: StreamView, message: ToonMessage): Meaning {
  const type: AskType = message.type === 'TOOL_RESULT' ? 'TOOL_CALL' : 'CONTEXT_REQUEST';
  const { requestId } = payloadOf(message);
  const open = answeredBy(stream.asks, type, requestId);
  const again =
    requestId !== undefined && open?.requestId !== requestId && stream.answeredIds.includes(requestId);
  if (open !== undefined && !again) return { stream, ask: open, ends: 'answer', takenUpTo: open.seq };
  const acts = stream.bad.at(-1);
  if (acts !== undefined && stream.working > 0) return { stream, actsOnBadFrame: acts };
  if (stream.excused > 0 || stream.forgotten) return { stream };
  return { stream, stray: stream.done[type] > 0 ? 'late' : 'early' };
}

/** The meaning of an ERROR: the answer to a bad frame, or else the end of a subagent's active instruction. */
function meaningOfError(target: Side, stream: StreamView, message: ToonMessage): Meaning {
  const open = stream.bad.filter((bad) => !bad.complained);
  const complains = open.find(({ code }) => demandsError(code)) ?? open[0];
  if (complains !== undefined) return { stream, complains };
  const [ask] = stream.asks;
  if (ask === undefined) return { stream };
  const refuses = atStake(ask).length > 0 && unprovoked(stream, ask, message);
  if (target === 'orchestrator') return refuses ? { stream, ask, refuses } : { stream };
  const shown = refuses || atStake(ask).length > 0 ? {} : { takenUpTo: ask.seq };
  return { stream, ask, ends: 'error', ...(refuses ? { refuses } : shown) };
}

/** Whether only the unusual frame can be the reason why an ask is refused. */
function unprovoked(stream: StreamView, ask: Ask, message: ToonMessage): boolean {
  if (ask.type !== 'INSTRUCTION') return true;
  // It may be about a call that has no answer.
  if (stream.calls.length > 0) return false;
  if (payloadOf(message)['code'] === 'UNSUPPORTED') return false;
  if (ask.steps !== undefined) return ask.steps.every((step) => !('fail' in step));
  // The target may be unable to do another instruction. It can do the one that it has completed.
  return ask.text === stream.completed;
}

/** The trials that an undone ask violates, with their requirements. */
export const atStake = (ask: Ask): readonly (readonly [string, Trial])[] =>
  [...(ask.taken ? [] : ask.trials), ...ask.late].filter(([, { fatal }]) => fatal);

/** The time that a subagent may take to leave after its work (ms). */
const leavingTime = 1000;

/** The meaning of the target's end of a stream. */
export function meaningOfClosing(
  { target, late }: { readonly target: Side; readonly late: number },
  stream: StreamView,
  { at }: TraceEvent,
): Meaning {
  const own = stream.ended === undefined && !stream.disturbed && stream.lost === undefined;
  if (!own) return { stream };
  const { asks, bad, erred, doneAt } = stream;
  // A further instruction or a bad frame may have been sent before the target left, unless it has answered the frame.
  const reads = bad.some(({ complained }) => complained);
  const goes = erred || (!reads && doneAt !== undefined && at - doneAt < leavingTime + late);
  const undone = asks.filter((ask) => !ask.perhapsEnded && !ask.excused && (ask.taken || !goes));
  const idle = doneAt !== undefined && asks.length === 0 && bad.length === 0;
  const refuses = bad.some(({ code }) => code === 'too-large');
  const leaves = target === 'orchestrator' ? mayEnd(stream) : undone.length === 0 && (goes || idle);
  if (leaves && !refuses) return { stream, closes: [], leaves };
  // A target may reject a bad frame by closing the stream.
  return { stream, closes: bad.length > 0 ? [] : undone };
}

/** Whether an orchestrator may end the stream: its instructions are done, or it has refused a message by an ERROR. */
const mayEnd = ({ working, target, bad }: StreamView): boolean =>
  (working === 0 && target.messages > 0) || bad.some(isRefused);

/** Takes a target's message into the stream. */
export function targetSent(stream: StreamView, event: TraceEvent, meaning: Meaning): void {
  const message = messageOf(event);
  noteSent(stream.target, message, event);
  if (meaning.wrongWay === true) return;
  if (message.type === 'INSTRUCTION') stream.working++;
  const { ask, ends, takenUpTo, complains } = meaning;
  if (message.type === 'ERROR' && complains === undefined && ends === undefined)
    for (const open of stream.asks.slice(0, 1)) open.error = event.seq;
  if (complains !== undefined) {
    complains.complained = true;
    for (const open of stream.asks.slice(0, 1)) open.perhapsEnded = true;
    for (const open of stream.asks) open.excused ||= isSessionOver(stream, open.type);
  }
  if (ask !== undefined && ask === stream.crossed) resume(stream, ask);
  if (ask !== undefined) heardOf(stream, ask, message, event);
  if (takenUpTo !== undefined) settle(stream, ask, takenUpTo);
  if (ask !== undefined && meaning.refuses === true) return refused(stream, ask);
  if (ask !== undefined && ends !== undefined) end(stream, ask, ends);
  else if (isAnswer(message) && meaning.actsOnBadFrame === undefined && meaning.stray === undefined)
    stream.excused = Math.max(0, stream.excused - 1);
}

const isAnswer = ({ type }: ToonMessage): boolean => type === 'TOOL_RESULT' || type === 'CONTEXT_RESPONSE';

/** The most statuses and calls of one directive that are kept. */
const mostKept = 512;

function heardOf(stream: StreamView, ask: Ask, message: ToonMessage, { seq, at }: TraceEvent): void {
  ask.heard = at;
  ask.perhapsEnded = false;
  if (message.type === 'STATUS') {
    const { progress } = message.payload;
    if (typeof progress === 'number') ask.progress = { value: progress, seq };
    if (ask.steps !== undefined && ask.said.length < mostKept) ask.said.push(message.payload.status);
    return;
  }
  if (message.type !== 'TOOL_CALL' && message.type !== 'CONTEXT_REQUEST') return;
  const { requestId, toolName, path } = payloadOf(message);
  const name = message.type === 'TOOL_CALL' ? toolName : path;
  const call: OwnCall = { seq, at, type: message.type, name, requestId, answered: undefined };
  keepBounded(stream, stream.calls, call);
  if (ask.steps !== undefined && ask.calls.length < mostKept) ask.calls.push(call);
}

/** Forgets the bad frames and the trials up to `proof`, which the target has accepted. */
function settle(stream: StreamView, ask: Ask | undefined, proof: number): void {
  const left = stream.bad.filter(({ seq }) => seq > proof);
  stream.bad.splice(0, stream.bad.length, ...left);
  if (ask === undefined) return;
  ask.taken = true;
  ask.trials.clear();
  for (const [requirement, { seq }] of ask.late) if (seq <= proof) ask.late.delete(requirement);
}

function end(stream: StreamView, ask: Ask, how: NonNullable<Meaning['ends']>): void {
  remove(stream.asks, ask);
  stream.done[ask.type]++;
  if (how === 'answer') return answeredOne(stream, ask);
  if (how === 'completed') stream.completed = ask.text;
  stream.doneAt = ask.heard;
  if (how === 'error' && stream.target.messages === 1) stream.crossed = ask;
  stream.obeyed = how === 'completed' && obeyed(ask);
  stream.calls.length = 0;
  // The next ask decides the trials that this end does not decide.
  for (const [requirement, trial] of ask.late) stream.trials.set(requirement, trial);
  const [next] = stream.asks;
  if (next === undefined) return;
  next.heard = ask.heard;
  // Where an ERROR may have ended an ask in silence, it is unknown whose end this is.
  next.excused ||= ask.excused;
}

/** Takes an answer to a call. The other calls may have waited for it: tools may work one after another. */
function answeredOne({ asks, answeredIds }: StreamView, { requestId, heard }: Ask): void {
  for (const open of asks) open.heard = heard;
  if (requestId === undefined) return;
  answeredIds.push(requestId);
  if (answeredIds.length > mostKept) answeredIds.shift();
}

/** Takes a sign of work on an ask that an ERROR had seemed to end. */
function resume(stream: StreamView, ask: Ask): void {
  stream.crossed = undefined;
  stream.done.INSTRUCTION--;
  stream.asks.unshift(ask);
}

/** Takes a refusal of an ask. A later answer to a refused call is allowed. */
function refused(stream: StreamView, ask: Ask): void {
  ask.trials.clear();
  ask.late.clear();
  if (ask.type === 'INSTRUCTION') return end(stream, ask, 'error');
  remove(stream.asks, ask);
  stream.excused++;
}

/** Whether the target sent exactly the statuses of its directive. */
function obeyed({ steps = [], said }: Ask): boolean {
  const told = steps.flatMap((step) =>
    'status' in step ? [step.status.status] : 'say' in step ? [step.say] : [],
  );
  return told.length > 0 && told.every((status, i) => said[i] === status);
}
