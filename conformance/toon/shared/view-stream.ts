/**
 * The view of one stream, for both live suites: the asks of the target's peer with their trials, the bad frames of the
 * peer, and the target's own calls. The peer is the other end of the stream.
 */
import type { Json } from '../../../src/kit/base/index.ts';
import type { KnownStream, Moment } from '../../../src/kit/judge/index.ts';
import type { Step } from '../../../src/toon/index.ts';

/** A test of a requirement by an unusual frame. The target's later messages show its outcome. */
export interface Trial {
  /** The event of the frame. */
  readonly seq: number;
  /** The unusual part in words, such as `a compressed payload`. */
  readonly what: string;
  /** Whether a target that does not do its ask violates the requirement. */
  readonly fatal: boolean;
}

/** Trials by the requirement that they test. */
export type Trials = Map<string, Trial>;

/** The types of messages that the target must act on: INSTRUCTION for a subagent, the others for an orchestrator. */
export type AskType = 'INSTRUCTION' | 'TOOL_CALL' | 'CONTEXT_REQUEST';

/** An ask: a message of the peer that the target must act on. */
export interface Ask extends Moment {
  readonly type: AskType;
  /** The id that an answer may repeat. */
  readonly requestId: Json | undefined;
  /** A word in a call's arguments by which an answer shows its call. */
  readonly marker: string | undefined;
  /** The beginning of an instruction's text. */
  readonly text: string;
  /** The steps of a directive. */
  readonly steps: readonly Step[] | undefined;
  /** The trials that the first sign of this ask decides. */
  readonly trials: Trials;
  /** Later trials that the end of this ask decides. */
  readonly late: Trials;
  /** The time of its last sign: its message, a step, an answer (ms). */
  heard: number;
  /** The last progress that the target has reported for it, and its event (seq); undefined before any. */
  progress: { readonly value: number; readonly seq: number } | undefined;
  /** Whether the target has shown that it accepted the ask. */
  taken: boolean;
  /** Whether an ERROR for a bad frame may also have ended this ask. */
  perhapsEnded: boolean;
  /** Whether an ERROR of one end may have ended the session for this ask: then nothing is owed. */
  excused: boolean;
  /** An ERROR that came instead of an answer (seq). */
  error: number | undefined;
  /** The last answer to a call of the target for this ask (seq); -1: there was none. */
  answered: number;
  /** The target's calls during a directive. */
  readonly calls: OwnCall[];
  /** The target's statuses during a directive. */
  readonly said: string[];
}

/** A call by the target. */
export interface OwnCall extends Moment {
  readonly type: 'TOOL_CALL' | 'CONTEXT_REQUEST';
  /** The tool, or the path of the context. */
  readonly name: Json | undefined;
  readonly requestId: Json | undefined;
  /** The peer's answer, and its event (seq). */
  answered: { readonly seq: number; readonly data: Json } | undefined;
}

/** A frame of the peer that the target must not act on. */
export interface BadFrame extends Moment {
  /** The codec's code of the fault; `direction` for a type that the peer may not send. */
  readonly code: string;
  /** Whether an ERROR answered it. */
  complained: boolean;
}

/** A summary of the messages of one end. */
export interface SentSummary {
  messages: number;
  /** The sequenceId and the timestamp of the last message; undefined before any. */
  sequenceId: number | undefined;
  timestamp: string | undefined;
  /** Its last event, readable or not. */
  last: Moment;
}

/** One stream; see the file's head. */
export interface StreamView extends KnownStream {
  readonly carrier: string;
  readonly opened: Moment;
  readonly peer: SentSummary;
  readonly target: SentSummary;
  /** The asks that the target has not done yet, in order. */
  readonly asks: Ask[];
  /** The target's calls without an answer, in order. */
  readonly calls: OwnCall[];
  /** Bad frames whose effect on the target is not known yet. */
  readonly bad: BadFrame[];
  /** The trials that the next ask decides. */
  readonly trials: Trials;
  /** The number of an orchestrator's INSTRUCTIONs that its subagent has not ended. */
  working: number;
  /** The number of calls that need no answer, because their instruction has ended. */
  excused: number;
  /** The number of done asks by type: ended instructions, answered calls. */
  readonly done: { [type in AskType]: number };
  /** The text of the last completed instruction; undefined before any. */
  completed: string | undefined;
  /** The end of the last instruction of a subagent, however it ended (ms); undefined before any. */
  doneAt: number | undefined;
  /** Whether the peer of a subagent has sent an ERROR, after which the subagent may leave. */
  erred: boolean;
  /** Whether the target ended the stream when its work was done. */
  left: boolean;
  /** The ids of the latest answered calls. */
  readonly answeredIds: Json[];
  /** Whether the target obeyed the last directive exactly. */
  obeyed: boolean;
  /** An ask that the target's first message of all, an ERROR, may have ended: it may also have crossed the ask. */
  crossed: Ask | undefined;
  /** The first unreadable frame of the target, and the violated requirement. Later frames may be garbled. */
  lost: { readonly seq: number; readonly requirement: string | undefined } | undefined;
  /** The event since which the kit splits the peer's bytes. */
  split: number | undefined;
  /** The peer's frames that the kit still gathers to one write, and whether one of them has come; undefined: none. */
  gathered: { left: number; begun: boolean } | undefined;
  ended: (Moment & { readonly by: 'target' | 'peer' }) | undefined;
  /** Whether an open ask, call or bad frame was evicted. */
  forgotten: boolean;
}

/** The most asks, calls and bad frames of one stream that are kept. */
export const keptPerStream = 1024;

const nothingSent = (opened: Moment): SentSummary => ({
  messages: 0,
  sequenceId: undefined,
  timestamp: undefined,
  last: opened,
});

/** The view of a new stream. */
export const startStream = (id: string, carrier: string, opened: Moment): StreamView => ({
  id,
  carrier,
  opened,
  peer: nothingSent(opened),
  target: nothingSent(opened),
  asks: [],
  calls: [],
  bad: [],
  trials: new Map(),
  working: 0,
  excused: 0,
  done: { INSTRUCTION: 0, TOOL_CALL: 0, CONTEXT_REQUEST: 0 },
  completed: undefined,
  doneAt: undefined,
  erred: false,
  left: false,
  answeredIds: [],
  obeyed: false,
  crossed: undefined,
  lost: undefined,
  disturbed: false,
  split: undefined,
  gathered: undefined,
  ended: undefined,
  forgotten: false,
});

/** Adds to a list of open items. If the list is full, evicts the oldest. */
export function keepBounded<T>(stream: StreamView, list: T[], one: T): void {
  list.push(one);
  if (list.length <= keptPerStream) return;
  list.shift();
  stream.forgotten = true;
}

/** The open call of an answer: the call with its id, or else the oldest of its type. */
export function answeredBy<C extends { readonly type: string; readonly requestId: Json | undefined }>(
  open: readonly C[],
  type: C['type'],
  requestId: Json | undefined,
): C | undefined {
  const named =
    requestId === undefined
      ? undefined
      : open.find((call) => call.type === type && call.requestId === requestId);
  return named ?? open.find((call) => call.type === type);
}

/** Whether a peer's frame is a message of a type that the peer may not send, and an ERROR of the target has refused it. */
export const isRefused = ({ code, complained }: BadFrame): boolean => code === 'direction' && complained;

/** Whether an orchestrator may have ended the session by the ERROR with which it refused a message. */
export const isSessionOver = ({ bad }: StreamView, ask: AskType): boolean =>
  ask !== 'INSTRUCTION' && bad.some(isRefused);

/** Removes an item from a list. */
export function remove<T>(list: T[], one: T): void {
  const at = list.indexOf(one);
  if (at >= 0) list.splice(at, 1);
}
