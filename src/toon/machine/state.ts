/**
 * The state of the machine of one TOON connection: the sequence ids of both sides, the instructions, tool calls and
 * context requests that are open, and the codes of the faults that the machine finds.
 */
import { isNumber, isObject } from '../../kit/base/index.ts';
import type { Result, Violation } from '../../kit/base/index.ts';
import type { Step } from '../directive.ts';
import type { MessageName, Side } from '../messages.ts';
import { noSequence } from './sequence-ids.ts';
import type { SequenceKind, SequenceState } from './sequence-ids.ts';

/** A moment on the connection. */
export interface Moment {
  /** The position in the order of all messages on the connection; it rises. */
  readonly seq: number;
  /** Milliseconds. */
  readonly at: number;
}

/** One side of the connection, as its messages show it. */
export interface Sender {
  /** The sequence ids that it has used. */
  sequence: SequenceState;
  /** How its last sequence id relates to the earlier ones; undefined before its first message. */
  order: SequenceKind | undefined;
  /** The number of sequence ids that its last message skipped. */
  missing: number;
  /** Its bad frames and refused messages that the other side may still answer with an ERROR. */
  unansweredFaults: number;
  /** Its last bad frame, until that frame can no longer explain the behaviour of the other side. */
  badFrame: Moment | undefined;
  /** Whether its last frame was a bad one, so that the sequence id of that frame is unknown. */
  lastWasBadFrame: boolean;
}

/** An INSTRUCTION that has not ended. */
export interface OpenInstruction extends Moment {
  /** Its index among the instructions of the connection, from 0. */
  readonly index: number;
  /** Its text as a directive: see {@link parseDirective}. */
  readonly directive: Result<readonly Step[] | undefined, string>;
  /** When the subagent could start to work on it; before that, when it was sent. */
  activeSince: Moment;
  /** The last STATUS, TOOL_CALL or CONTEXT_REQUEST about it. */
  lastSign: Moment | undefined;
  signCount: number;
  /** The last progress that was reported. */
  progress: number | undefined;
  /** When an ERROR came that may have ended it, or may have answered a bad frame. A later sign of work clears it. */
  doubtedAt: Moment | undefined;
}

export interface EndedInstruction extends Moment {
  readonly index: number;
  readonly by: 'completed' | 'error';
}

/** A TOOL_CALL or a CONTEXT_REQUEST without an answer. */
export interface OpenCall extends Moment {
  /** Its index among the calls and context requests of the connection, from 0. */
  readonly index: number;
  readonly requestId: string | number | undefined;
}

/** The state of one connection. */
export interface ToonSession {
  phase: 'open' | 'closed';
  readonly orchestrator: Sender;
  readonly subagent: Sender;
  /** Instructions sent so far. */
  instructionCount: number;
  /** The oldest instruction that has not ended: the subagent works on it. */
  active: OpenInstruction | undefined;
  /** The instructions that came while another was active, in order. */
  readonly waiting: OpenInstruction[];
  /** The instruction that ended last. */
  ended: EndedInstruction | undefined;
  /** Tool calls and context requests sent so far. */
  callCount: number;
  /** Tool calls without a result, in order. */
  readonly calls: OpenCall[];
  /** Context requests without a response, in order. */
  readonly requests: OpenCall[];
  /** The call or context request that the last message answered. */
  answered: OpenCall | undefined;
  /** The numbers of open items that were forgotten, oldest first, to bound the memory. They may still be answered, or end. */
  readonly forgotten: { calls: number; requests: number; instructions: number };
}

/** The maximum of open calls that one connection remembers; the same for context requests and for waiting instructions. */
export const maxRemembered = 256;

const startSender = (): Sender => ({
  sequence: noSequence,
  order: undefined,
  missing: 0,
  unansweredFaults: 0,
  badFrame: undefined,
  lastWasBadFrame: false,
});

/** The state of a connection without messages. */
export const startToonSession = (): ToonSession => ({
  phase: 'open',
  orchestrator: startSender(),
  subagent: startSender(),
  instructionCount: 0,
  active: undefined,
  waiting: [],
  ended: undefined,
  callCount: 0,
  calls: [],
  requests: [],
  answered: undefined,
  forgotten: { calls: 0, requests: 0, instructions: 0 },
});

/**
 * The codes of the faults that the machine finds, each with its requirement (spec/toon/requirements.yaml). `closed` has
 * no requirement: a message after the end of the connection means that the record is wrong.
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
  'progress-falls': 'TOON-36',
  closed: undefined,
} as const;

/** A key of {@link sessionFaults}. */
export type SessionFault = keyof typeof sessionFaults;

/** The violations of a correct message. */
export const noViolations: readonly Violation[] = [];

/** A list of one violation. */
export const violated = (code: SessionFault, path: string, message: string): readonly Violation[] => [
  { code, path, message },
];

/** The moment alone, without the event that carried it. */
export const momentOf = ({ seq, at }: Moment): Moment => ({ seq, at });

export const otherSide = (side: Side): Side => (side === 'orchestrator' ? 'subagent' : 'orchestrator');

/** The list of a session in which a call, or the call of an answer, stands. */
export const openListOf = (type: MessageName): 'calls' | 'requests' =>
  type === 'TOOL_CALL' || type === 'TOOL_RESULT' ? 'calls' : 'requests';

/** The `requestId` of a call or an answer, if it is a string or a number. */
export function requestIdOf(payload: unknown): string | number | undefined {
  const id = isObject(payload) ? payload['requestId'] : undefined;
  return typeof id === 'string' || isNumber(id) ? id : undefined;
}
