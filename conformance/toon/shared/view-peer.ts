/** Takes the messages of the target's peer into the view: its asks, its answers, and its bad frames. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { parseDirective, senders } from '../../../src/toon/index.ts';
import type { MessageName, Side, Step, ToonMessage } from '../../../src/toon/index.ts';
import { answeredBy, isSessionOver, keepBounded, remove } from './view-stream.ts';
import type { Ask, AskType, SentSummary, StreamView, Trials } from './view-stream.ts';
import { badTrialsOf, trialsOf } from './view-trials.ts';

/** The message of an event of kind `message`. */
export const messageOf = (event: TraceEvent): ToonMessage => event.data as unknown as ToonMessage;

/** The codec's code for the fault of an event of kind `undecodable`. */
export function codeOf({ data: { code } }: TraceEvent): string {
  return typeof code === 'string' ? code : '';
}

/** The payload of a message of any type. */
export const payloadOf = (message: ToonMessage): JsonObject =>
  isObject(message.payload) ? message.payload : {};

/** Notes that one end sent a message. */
export function noteSent(sent: SentSummary, message: ToonMessage, { seq, at }: TraceEvent): void {
  sent.messages++;
  sent.sequenceId = message.sequenceId;
  sent.timestamp = message.timestamp;
  sent.last = { seq, at };
}

const askTypes: { readonly [type in MessageName]?: AskType } = {
  INSTRUCTION: 'INSTRUCTION',
  TOOL_CALL: 'TOOL_CALL',
  CONTEXT_REQUEST: 'CONTEXT_REQUEST',
};

/** Whether a subagent's message ends its instruction. */
export const endsInstruction = ({ type, payload }: ToonMessage): boolean =>
  type === 'ERROR' || (type === 'STATUS' && payload.status === 'completed');

/** Takes a message of the peer. `target`: the side of the target. */
export function peerSent(target: Side, stream: StreamView, event: TraceEvent): void {
  const message = messageOf(event);
  const right = senders[message.type].some((side) => side !== target);
  const trials = right ? trialsOf(stream, message, event) : undefined;
  noteSent(stream.peer, message, event);
  noteGathered(stream);
  if (!right) return peerErred(target, stream, event, 'direction');
  const type = askTypes[message.type];
  if (type !== undefined) return asked(stream, type, message, event, trials);
  if (trials !== undefined) putToTest(target, stream, trials);
  if (message.type === 'TOOL_RESULT' || message.type === 'CONTEXT_RESPONSE') answered(stream, message, event);
  else if (target === 'orchestrator' && endsInstruction(message)) instructionEnded(stream);
  else if (target === 'subagent' && message.type === 'ERROR') sessionErred(stream);
}

/** Takes an ERROR of an orchestrator. A subagent may take it as the end of its instruction, and of the session. */
function sessionErred(stream: StreamView): void {
  stream.erred = true;
  for (const ask of stream.asks) ask.excused = true;
}

/** Counts a frame that the kit gathers with others to one write. */
function noteGathered(stream: StreamView): void {
  if (stream.gathered === undefined) return;
  stream.gathered.begun = true;
  if (--stream.gathered.left <= 0) stream.gathered = undefined;
}

/** Takes a bad frame of the peer. */
export function peerErred(target: Side, stream: StreamView, event: TraceEvent, code: string): void {
  const { seq, at } = event;
  stream.peer.last = { seq, at };
  keepBounded(stream, stream.bad, { seq, at, code, complained: false });
  putToTest(target, stream, badTrialsOf(code, seq));
}

/** Adds trials. The end of a subagent's active instruction decides them, or else the next ask. */
function putToTest(target: Side, stream: StreamView, trials: Trials): void {
  const [current] = stream.asks;
  const waiting = target === 'subagent' && current !== undefined ? current.late : stream.trials;
  for (const [requirement, trial] of trials) waiting.set(requirement, trial);
}

function asked(
  stream: StreamView,
  type: AskType,
  message: ToonMessage,
  { seq, at }: TraceEvent,
  own: Trials | undefined,
): void {
  const payload = payloadOf(message);
  const { instruction } = payload;
  const ask: Ask = {
    seq,
    at,
    type,
    requestId: payload['requestId'],
    marker: markerIn(payload['args']),
    text: typeof instruction === 'string' ? instruction.slice(0, textKept).trim() : '',
    steps: type === 'INSTRUCTION' ? stepsOf(instruction) : undefined,
    trials: new Map([...stream.trials, ...(own ?? [])]),
    late: new Map(),
    heard: at,
    progress: undefined,
    taken: false,
    perhapsEnded: false,
    excused: isSessionOver(stream, type),
    error: undefined,
    answered: -1,
    calls: [],
    said: [],
  };
  stream.trials.clear();
  // An orchestrator only owes answers during an instruction.
  if (type === 'INSTRUCTION' || stream.working > 0) keepBounded(stream, stream.asks, ask);
  else stream.excused++;
}

/** The kept length of an instruction (characters), by which it is recognised. */
const textKept = 200;

/** The steps of a directive; undefined for another instruction. */
function stepsOf(instruction: Json | undefined): readonly Step[] | undefined {
  const parsed = typeof instruction === 'string' ? parseDirective(instruction) : undefined;
  return parsed?.ok === true ? parsed.value : undefined;
}

/** The words in arguments by which scenarios mark calls. */
const marking = /^wp-[\w-]{1,64}$/;

function markerIn(args: Json | undefined): string | undefined {
  if (!isObject(args)) return undefined;
  for (const key in args) {
    const value = args[key];
    if (typeof value === 'string' && marking.test(value)) return value;
  }
  return undefined;
}

/** Takes the peer's answer to a call of the target. */
function answered(stream: StreamView, message: ToonMessage, { seq, at }: TraceEvent): void {
  const payload = payloadOf(message);
  const type = message.type === 'TOOL_RESULT' ? 'TOOL_CALL' : 'CONTEXT_REQUEST';
  const call = answeredBy(stream.calls, type, payload['requestId']);
  if (call === undefined) return;
  remove(stream.calls, call);
  call.answered = { seq, data: payload['data'] ?? null };
  const [current] = stream.asks;
  if (current === undefined) return;
  current.answered = seq;
  current.heard = at;
}

/** Takes the end of the target's instruction. Its open calls need no answer any more. */
function instructionEnded(stream: StreamView): void {
  if (stream.working === 0) return;
  stream.working--;
  if (stream.working > 0) return;
  stream.excused += stream.asks.length;
  stream.asks.length = 0;
}
