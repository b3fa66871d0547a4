/**
 * What an event of the target's means: which ask it is about and whether it ends that, what it shows to have been
 * taken, which bad frame it complains of or acts on. It is worked out once an event, for all rules.
 */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { senders } from '../../../src/toon/index.ts';
import type { Side, ToonMessage } from '../../../src/toon/index.ts';
import { endsInstruction, messageOf, noteSent, payloadOf } from './view-peer.ts';
import { answeredBy, keepBounded, remove } from './view-stream.ts';
import type { Ask, AskType, BadFrame, OwnCall, StreamView, Trial } from './view-stream.ts';

/** See the file's head. */
export interface Meaning {
  readonly stream: StreamView;
  /** A message of a type that only the other side sends. */
  readonly wrongWay?: boolean;
  /** The ask that it is about; `ends` when it is the end of that one, or its answer. */
  readonly ask?: Ask;
  readonly ends?: 'completed' | 'error' | 'answer';
  /** The target has taken what the peer sent up to here (seq); absent: it shows nothing. */
  readonly takenUpTo?: number;
  /** It refuses its ask, and there is nothing about that one but how it came. */
  readonly refuses?: boolean;
  /** It is the answer to a bad frame. */
  readonly complains?: BadFrame;
  /** A bad frame is all that it can be about. */
  readonly actsOnBadFrame?: BadFrame;
  /** It is about nothing: `early` when there never was anything of its kind, `late` when all of it was done. */
  readonly stray?: 'early' | 'late';
  /** The target ends the stream, and leaves these undone. */
  readonly closes?: readonly Ask[];
}

/** What a message of the target's means. */
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

/** A subagent shows that it works. */
function meaningOfWork(stream: StreamView, message: ToonMessage): Meaning {
  const [ask] = stream.asks;
  const acts = stream.bad.at(-1);
  if (ask === undefined) {
    if (acts !== undefined) return { stream, actsOnBadFrame: acts };
    if (stream.forgotten) return { stream };
    return { stream, stray: stream.done.INSTRUCTION > 0 ? 'late' : 'early' };
  }
  const ends = endsInstruction(message);
  // What it says in the middle of its work may have been on its way when the last thing came; its end was not.
  const proof = Math.max(ask.taken ? -1 : ask.seq, ends ? ask.answered : -1);
  return { stream, ask, ...(ends ? { ends: 'completed' } : {}), ...(proof < 0 ? {} : { takenUpTo: proof }) };
}

/** An orchestrator answers a call. */
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

/** An ERROR: the answer to a bad frame when there is one, else the end of what a subagent works on. */
function meaningOfError(target: Side, stream: StreamView, message: ToonMessage): Meaning {
  const complains = stream.bad.find((bad) => !bad.complained);
  if (complains !== undefined) return { stream, complains };
  const [ask] = stream.asks;
  if (ask === undefined) return { stream };
  const refuses = atStake(ask).length > 0 && unprovoked(stream, ask, message);
  if (target === 'orchestrator') return refuses ? { stream, ask, refuses } : { stream };
  const shown = refuses || atStake(ask).length > 0 ? {} : { takenUpTo: ask.seq };
  return { stream, ask, ends: 'error', ...(refuses ? { refuses } : shown) };
}

/** Whether nothing but the way in which it came can be why an ask is refused. */
function unprovoked(stream: StreamView, ask: Ask, message: ToonMessage): boolean {
  if (ask.type !== 'INSTRUCTION') return true;
  if (payloadOf(message)['code'] === 'UNSUPPORTED') return false;
  if (ask.steps !== undefined) return ask.steps.every((step) => !('fail' in step));
  // Any other instruction may be one that the target cannot do: not the one that it did before.
  return ask.text === stream.completed?.text;
}

/** The trials of an ask that are broken when it is not taken, with their requirements. */
export const atStake = (ask: Ask): readonly (readonly [string, Trial])[] =>
  [...(ask.taken ? [] : ask.trials), ...ask.late].filter(([, { fatal }]) => fatal);

/** A subagent that leaves when its work is done may take so long to be gone (ms). */
const leavingTime = 1000;

/** What it means that the target ends the stream. */
export function meaningOfClosing(stream: StreamView, { at }: TraceEvent): Meaning {
  const mine = stream.ended === undefined && !stream.disturbed && stream.lost === undefined;
  if (!mine) return { stream };
  // To close is one way to reject a bad frame.
  if (stream.bad.length > 0) return { stream, closes: [] };
  // A further instruction and its going may have crossed.
  const goes = stream.completed !== undefined && at - stream.completed.at < leavingTime;
  return { stream, closes: stream.asks.filter((ask) => !ask.perhapsEnded && (ask.taken || !goes)) };
}

/** Takes a message of the target's into the stream. */
export function targetSent(stream: StreamView, event: TraceEvent, meaning: Meaning): void {
  const message = messageOf(event);
  noteSent(stream.target, message, event);
  if (meaning.wrongWay === true) return;
  if (message.type === 'INSTRUCTION') stream.working++;
  const { ask, ends, takenUpTo: proof, complains } = meaning;
  if (message.type === 'ERROR' && complains === undefined && ends === undefined)
    for (const open of stream.asks.slice(0, 1)) open.error = event.seq;
  if (complains !== undefined) {
    complains.complained = true;
    for (const open of stream.asks.slice(0, 1)) open.perhapsEnded = true;
  }
  if (ask !== undefined) heardOf(stream, ask, message, event);
  if (proof !== undefined) settle(stream, ask, proof);
  if (ask !== undefined && meaning.refuses === true) return refused(stream, ask);
  if (ask !== undefined && ends !== undefined) end(stream, ask, ends);
  else if (isAnswer(message) && meaning.actsOnBadFrame === undefined && meaning.stray === undefined)
    stream.excused = Math.max(0, stream.excused - 1);
}

const isAnswer = ({ type }: ToonMessage): boolean => type === 'TOOL_RESULT' || type === 'CONTEXT_RESPONSE';

/** Statuses and calls of one directive that are remembered. */
const mostKept = 512;

function heardOf(stream: StreamView, ask: Ask, message: ToonMessage, { seq, at }: TraceEvent): void {
  ask.heard = at;
  ask.perhapsEnded = false;
  if (message.type === 'STATUS') {
    if (ask.steps !== undefined && ask.said.length < mostKept) ask.said.push(message.payload.status);
    return;
  }
  if (message.type !== 'TOOL_CALL' && message.type !== 'CONTEXT_REQUEST') return;
  const { requestId } = payloadOf(message);
  const call: OwnCall = { seq, at, type: message.type, requestId, answered: undefined };
  keepBounded(stream, stream.calls, call);
  if (ask.steps !== undefined && ask.calls.length < mostKept) ask.calls.push(call);
}

/** The target has got over what the peer sent up to `proof`. */
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
  if (how === 'completed') stream.completed = { text: ask.text, at: ask.heard };
  if (how === 'answer' && ask.requestId !== undefined) {
    stream.answeredIds.push(ask.requestId);
    if (stream.answeredIds.length > mostKept) stream.answeredIds.shift();
  }
  if (ask.type !== 'INSTRUCTION') return;
  stream.obeyed = how === 'completed' && obeyed(ask);
  stream.calls.length = 0;
  // What its end does not show the next one will.
  for (const [requirement, trial] of ask.late) stream.trials.set(requirement, trial);
  const [next] = stream.asks;
  if (next !== undefined) next.heard = ask.heard;
}

/** What was refused is done with; should an answer come after all, it is one. */
function refused(stream: StreamView, ask: Ask): void {
  ask.trials.clear();
  ask.late.clear();
  if (ask.type === 'INSTRUCTION') return end(stream, ask, 'error');
  remove(stream.asks, ask);
  stream.excused++;
}

/** Whether the target sent the statuses that its directive has, and ended. */
function obeyed({ steps = [], said }: Ask): boolean {
  const told = steps.flatMap((step) =>
    'status' in step ? [step.status.status] : 'say' in step ? [step.say] : [],
  );
  return told.length > 0 && told.every((status, i) => said[i] === status);
}
