/**
 * What the machine of one TOON connection knows: the sequence ids of both ends, the instruction that is worked on
 * and those that wait, the calls and questions that are open; and the words for what a message breaks.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Result, Violation } from '../../kit/base/index.ts';
import type { Step } from '../directive.ts';
import type { Side } from '../messages.ts';
import { startSequence } from '../frame/serial.ts';
import type { SequenceKind, SequenceState } from '../frame/serial.ts';

/** A moment on the wire. */
export interface Moment {
  /** Position among what crosses; rises. */
  readonly seq: number;
  /** Milliseconds. */
  readonly at: number;
}

/** One end of the connection, by what it has sent. */
export interface Sender {
  /** Its sequence ids so far. */
  sequence: SequenceState;
  /** How the id of its last message stands to those before; undefined before any message. */
  order: SequenceKind | undefined;
  /** How many ids its last message left out. */
  missing: number;
  /** The last that it sent, be it a message or a bad frame. */
  last: Moment | undefined;
  /** Its faults (bad frames and messages that cannot be acted on) that the other side may yet answer with an ERROR. */
  unanswered: number;
  /** Its last bad frame, until that can explain nothing any more of what the other side does. */
  bad: Moment | undefined;
  /** Whether a bad frame was the last that it sent: its sequence id is not known. */
  skipped: boolean;
}

/** An INSTRUCTION that has not ended. */
export interface OpenInstruction extends Moment {
  /** Which of the connection's it is, from 0. */
  readonly n: number;
  /** Its text as a directive: steps, undefined when it is none, or the name of what cannot be obeyed. */
  readonly directive: Result<readonly Step[] | undefined, string>;
  /** Since when it is the one that is worked on; until then, when it was sent. */
  since: Moment;
  /** The last STATUS, TOOL_CALL or CONTEXT_REQUEST about it, and how many there were. */
  sign: Moment | undefined;
  signs: number;
  /** The last progress that was reported. */
  progress: number | undefined;
  /**
   * An ERROR that answered a bad frame, with no sign after it: it ended the instruction if nothing follows.
   */
  doubt: Moment | undefined;
}

/** How an instruction ended. */
export interface Ended extends Moment {
  readonly n: number;
  readonly by: 'completed' | 'error';
}

/** A TOOL_CALL or a CONTEXT_REQUEST that has no answer. */
export interface OpenCall extends Moment {
  /** Which of the connection's calls and questions it is, from 0. */
  readonly n: number;
  readonly requestId: string | number | undefined;
}

/** How many were forgotten, oldest first, because too many were open: they may still be answered, or end. */
export interface Forgotten {
  calls: number;
  requests: number;
  instructions: number;
}

/** One connection's facts. */
export interface ToonSession {
  phase: 'open' | 'closed';
  readonly orchestrator: Sender;
  readonly subagent: Sender;
  /** Instructions that were sent. */
  instructions: number;
  /** The instruction that is worked on: the oldest that has not ended. */
  active: OpenInstruction | undefined;
  /** Those that were sent while one was active, in order. */
  readonly waiting: OpenInstruction[];
  /** The instruction that ended last. */
  ended: Ended | undefined;
  /** Calls and questions that were sent. */
  asked: number;
  /** Tool calls that have no result, in order. */
  readonly calls: OpenCall[];
  /** Context requests that have no response, in order. */
  readonly requests: OpenCall[];
  /** What the last message answered, if it was an answer to something. */
  answered: OpenCall | undefined;
  readonly forgotten: Forgotten;
}

/** Open calls that one connection remembers; as many open questions, and as many waiting instructions. */
export const rememberedOpen = 256;

/** The highest sequence id; 0 follows (TOON-31). */
export const highestSequenceId = 0xff_ff_ff_ff;

const startSender = (): Sender => ({
  sequence: startSequence,
  order: undefined,
  missing: 0,
  last: undefined,
  unanswered: 0,
  bad: undefined,
  skipped: false,
});

/** A connection on which nothing has crossed. */
export const startToonSession = (): ToonSession => ({
  phase: 'open',
  orchestrator: startSender(),
  subagent: startSender(),
  instructions: 0,
  active: undefined,
  waiting: [],
  ended: undefined,
  asked: 0,
  calls: [],
  requests: [],
  answered: undefined,
  forgotten: { calls: 0, requests: 0, instructions: 0 },
});

/**
 * The words of what a message breaks, and the requirement that each is about (spec/toon/requirements.yaml).
 * `closed` is about none: nothing can cross a connection that is over, so the record of it is wrong.
 *
 * @example
 * sessionFaults['wrong-direction']; // 'TOON-34'
 */
export const sessionFaults = {
  'bad-type': 'TOON-07',
  'bad-payload': 'TOON-35',
  'not-object': 'TOON-13',
  'wrong-direction': 'TOON-34',
  'sequence-range': 'TOON-30',
  'sequence-not-rising': 'TOON-30',
  'no-wrap': 'TOON-31',
  'no-instruction': 'TOON-52',
  'after-end': 'TOON-50',
  'nothing-asked': 'TOON-53',
  'progress-range': 'TOON-36',
  closed: undefined,
} as const;

/** A word for what a message breaks. */
export type SessionFault = keyof typeof sessionFaults;

/** Nothing was broken. */
export const none: readonly Violation[] = [];

/** One thing was. */
export const broken = (code: SessionFault, path: string, message: string): readonly Violation[] => [
  { code, path, message },
];

/** What is kept of a moment: not the event that it may be. */
export const momentOf = ({ seq, at }: Moment): Moment => ({ seq, at });

/** The other end. */
export const otherSide = (side: Side): Side => (side === 'orchestrator' ? 'subagent' : 'orchestrator');

/** The `requestId` of a call or an answer: a text or a number. */
export function requestIdOf(payload: unknown): string | number | undefined {
  const id = isObject(payload) ? payload['requestId'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
