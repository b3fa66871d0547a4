/**
 * What the rules of both live suites know of one stream: what the target's peer asked for, what was at stake when it
 * did, which of its frames were bad, and what the target asked for itself. The peer is the other end, whoever plays
 * it.
 */
import type { Json } from '../../../src/kit/base/index.ts';
import type { KnownStream, Moment } from '../../../src/kit/judge/index.ts';
import type { Step } from '../../../src/toon/index.ts';

/** Something out of the ordinary by which a requirement is put to the test. */
export interface Trial {
  /** The event that began it. */
  readonly seq: number;
  /** In words, such as `a compressed payload`. */
  readonly what: string;
  /** Whether the requirement is broken when what it came with is not taken. */
  readonly fatal: boolean;
}

/** Trials by the requirement that they test. */
export type Trials = Map<string, Trial>;

/** The types by which the peer asks the target for something: a task of a subagent, an answer of an orchestrator. */
export type AskType = 'INSTRUCTION' | 'TOOL_CALL' | 'CONTEXT_REQUEST';

/** Something that the peer asked for. */
export interface Ask extends Moment {
  readonly type: AskType;
  /** The id that an answer may repeat. */
  readonly requestId: Json | undefined;
  /** A word in a call's arguments that shows which call an answer is of. */
  readonly marker: string | undefined;
  /** The beginning of an instruction's text. */
  readonly text: string;
  /** The steps of a directive. */
  readonly steps: readonly Step[] | undefined;
  /** What it was put to the test by, and what has come since that its end will show the outcome of. */
  readonly trials: Trials;
  readonly late: Trials;
  /** When it was last heard of: asked, begun, answered (ms). */
  heard: number;
  /** The target has shown that it took it. */
  taken: boolean;
  /** An ERROR answered a bad frame, and may have been the end of this as well. */
  perhapsEnded: boolean;
  /** An ERROR that came instead of an answer (seq). */
  error: number | undefined;
  /** The last answer to what the target called for meanwhile (seq); -1: none. */
  answered: number;
  /** What the target called for meanwhile, and the statuses it sent; only of directives. */
  readonly calls: OwnCall[];
  readonly said: string[];
}

/** A call of the target's own. */
export interface OwnCall extends Moment {
  readonly type: 'TOOL_CALL' | 'CONTEXT_REQUEST';
  readonly requestId: Json | undefined;
  /** What the peer answered, and where (seq). */
  answered: { readonly seq: number; readonly data: Json } | undefined;
}

/** A frame of the peer's that the target must not act on. */
export interface BadFrame extends Moment {
  /** The codec's word for the fault; `direction` for a type that the peer may not send. */
  readonly code: string;
  /** An ERROR came that is its answer. */
  complained: boolean;
}

/** What one end has sent so far. */
export interface SentSummary {
  messages: number;
  /** Of the last message; undefined before any. */
  sequenceId: number | undefined;
  timestamp: string | undefined;
  /** When anything came from it last, readable or not. */
  last: Moment;
}

/** One stream; see the file's head. */
export interface StreamView extends KnownStream {
  readonly carrier: string;
  readonly opened: Moment;
  readonly peer: SentSummary;
  readonly target: SentSummary;
  /** What the target has not done yet, in order. */
  readonly asks: Ask[];
  /** What the target called for and was not given yet, in order. */
  readonly calls: OwnCall[];
  /** Bad frames that the target has not been seen to get over. */
  readonly bad: BadFrame[];
  /** What the next ask will show the outcome of. */
  readonly trials: Trials;
  /** INSTRUCTIONs of an orchestrator that its subagent has not ended. */
  working: number;
  /** Calls that need no answer any more, because the instruction they were made for ended. */
  excused: number;
  /** What the target has done, by what was asked: instructions ended, calls answered. */
  readonly done: { [type in AskType]: number };
  /** The instruction that was completed last, by its text, and when (ms); undefined before any. */
  completed: { readonly text: string; readonly at: number } | undefined;
  /** Ids of calls that were answered; the latest only. */
  readonly answeredIds: Json[];
  /** The last directive was obeyed to the letter. */
  obeyed: boolean;
  /** A frame of the target's that could not be read, and the requirement that this broke: what follows may be garbled. */
  lost: { readonly seq: number; readonly requirement: string | undefined } | undefined;
  /** What the peer writes comes in pieces, since this event. */
  split: number | undefined;
  ended: (Moment & { readonly by: 'target' | 'peer' }) | undefined;
  /** More was open than is remembered. */
  forgotten: boolean;
}

/** Asks, calls and bad frames of one stream that are remembered. */
export const keptPerStream = 1024;

const nothingSent = (opened: Moment): SentSummary => ({
  messages: 0,
  sequenceId: undefined,
  timestamp: undefined,
  last: opened,
});

/** A stream on which nothing has been sent. */
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
  answeredIds: [],
  obeyed: false,
  lost: undefined,
  disturbed: false,
  split: undefined,
  ended: undefined,
  forgotten: false,
});

/** Adds to a list of what is open; where there is too much, the oldest is forgotten. */
export function keepBounded<T>(stream: StreamView, list: T[], one: T): void {
  list.push(one);
  if (list.length <= keptPerStream) return;
  list.shift();
  stream.forgotten = true;
}

/** Which of some open calls an answer is of: the one whose id it repeats, else the oldest of its kind. */
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

/** Takes one out of a list of what is open. */
export function remove<T>(list: T[], one: T): void {
  const at = list.indexOf(one);
  if (at >= 0) list.splice(at, 1);
}
