/**
 * The reference orchestrator of TOON (Task Orchestration Over Node): gives each subagent that connects its
 * instructions one by one, and answers its calls and questions. A pure role that waits for connections;
 * spec/toon/README.md is its contract.
 */
import { isObject } from '../../kit/base/index.ts';
import { connectionRole } from '../machine/connection.ts';
import type { ConnectionRole, Policy } from '../machine/connection.ts';
import { brief, defaultConnectionOptions } from '../machine/step-outputs.ts';
import type { ConnectionOptions, StepOutputs } from '../machine/step-outputs.ts';
import { rememberedOpen } from '../machine/machine.ts';
import type { ToonMessage } from '../messages.ts';
import { answerCall, answerQuestion, isBeingAnswered, onTime } from './answers.ts';
import type { AnswerOptions, Pending } from './answers.ts';
import type { Draft } from '../simulated/peer.ts';

export type { AnswerOptions, ContextSource, Pending, ToolAnswer, ToolSource } from './answers.ts';

/** How the reference orchestrator is set up. */
export interface OrchestratorOptions extends ConnectionOptions, AnswerOptions {
  /** What each subagent is told to do, one after the other. More may come by command: see {@link orchestrator}. */
  readonly instructions: readonly string[];
  /** Keep the connection when no instruction is left; default: close it. */
  readonly stay: boolean;
}

/** What the orchestrator remembers of a connection. */
export interface OrchestratorWork {
  /** The instructions that are still to be given, in order. */
  readonly queue: string[];
  /** How many were given. */
  given: number;
  /** The machine's number for the one that is worked on; undefined when none is. */
  busy: number | undefined;
  /** Nothing more is to be done here: leave once the calls that are open are answered. */
  leaving: boolean;
  /** Calls that are not answered yet, in order. */
  readonly pending: Pending[];
}

/** The reference orchestrator as a role. */
export type OrchestratorRole = ConnectionRole<OrchestratorWork>;

/**
 * Makes the reference orchestrator. It tells its application of each instruction that it is `completed` or
 * `failed`, and `done` when none is left; of `gap`, `duplicate` and `reordered` sequence ids (TOON-33), `bad-frame`
 * and the other faults of messages, `error` (the subagent did not take something), `silent`, and `lost` (the
 * connection broke before the end). ERRORs that it sends have the codes `BAD_FRAME` and `WRONG_DIRECTION`.
 *
 * The command `{do: 'send', message}` with an INSTRUCTION adds it to those of every open connection; `end` and
 * `shutdown` close them all.
 *
 * @example
 * const role = orchestrator({ instructions: ['hello'], tools: { clock: { success: true, data: '12:00' } } });
 * const opened = role.step(role.start(), { type: 'opened', peer: 's1', metadata: {} }, 0);
 * opened.outputs.at(-1)?.type; // 'send'
 */
export function orchestrator(overrides: Partial<OrchestratorOptions> = {}): OrchestratorRole {
  const options: OrchestratorOptions = {
    ...defaultConnectionOptions,
    instructions: [],
    stay: false,
    hold: [],
    ...overrides,
  };
  return connectionRole(policyOf(options), options);
}

function policyOf(options: OrchestratorOptions): Policy<OrchestratorWork> {
  return {
    side: 'orchestrator',
    begin: () => ({
      queue: [...options.instructions],
      given: 0,
      busy: undefined,
      leaving: false,
      pending: [],
    }),
    opened(pen, work) {
      instruct(pen, work, options);
      settle(pen, work, options);
    },
    message(pen, work, m) {
      message(pen, work, m, options);
      settle(pen, work, options);
    },
    timer(pen, work, name) {
      if (name === 'doubt') giveUp(pen, work, options);
      else onTime(pen, work.pending, name);
      settle(pen, work, options);
    },
    deaf(pen, work) {
      if (work.busy !== undefined) pen.tell('lost', 'the subagent sends nothing more');
      settle(pen, work, options);
    },
    full: heedLoad,
    room: heedLoad,
    command(pen, work, command) {
      if (command.do === 'send') enqueue(pen, work, command.message, options);
    },
    left(pen, work) {
      if (work.busy !== undefined) pen.tell('lost', 'the connection broke before the end of the instruction');
    },
  };
}

function message(
  pen: StepOutputs,
  work: OrchestratorWork,
  m: ToonMessage,
  options: OrchestratorOptions,
): void {
  switch (m.type) {
    case 'TOOL_CALL':
      return answerCall(pen, work.pending, m.payload, options);
    case 'CONTEXT_REQUEST':
      return answerQuestion(pen, m.payload, options);
    case 'ERROR':
      pen.tell('error', brief(m.payload.message));
      return doubt(pen);
    case 'STATUS':
    case 'HEARTBEAT':
    case 'INSTRUCTION':
    case 'TOOL_RESULT':
    case 'CONTEXT_RESPONSE':
      return;
    default:
      m satisfies never;
  }
}

/** Gives the next instruction; when none is left, the work is done. */
function instruct(pen: StepOutputs, work: OrchestratorWork, { stay }: OrchestratorOptions): void {
  work.busy = undefined;
  for (let next = work.queue.shift(); next !== undefined; next = work.queue.shift()) {
    const payload = { instruction: next };
    work.given++;
    if (pen.fits(payload)) {
      work.busy = pen.connection.session.instructions;
      return pen.say('INSTRUCTION', payload);
    }
    pen.tell('failed', `${inHand(work)}: it is larger than is allowed`);
  }
  pen.tell('done', `no instruction is left; ${work.given} were given`);
  work.leaving = !stay;
}

/** One more instruction, from whoever runs the orchestrator: it is given in its turn. */
function enqueue(
  pen: StepOutputs,
  work: OrchestratorWork,
  { type, payload }: Draft,
  options: OrchestratorOptions,
): void {
  const text = isObject(payload) ? payload['instruction'] : undefined;
  if (type !== 'INSTRUCTION' || typeof text !== 'string') return;
  work.queue.push(text);
  if (work.busy !== undefined) return;
  instruct(pen, work, options);
  settle(pen, work, options);
}

/** What follows from what has just happened: the next instruction, a pause, the end. */
function settle(pen: StepOutputs, work: OrchestratorWork, options: OrchestratorOptions): void {
  const { ended } = pen.connection.session;
  if (ended !== undefined && ended.n === work.busy) {
    pen.tell(ended.by === 'completed' ? 'completed' : 'failed', inHand(work));
    instruct(pen, work, options);
  }
  heedLoad(pen, work);
  const leaving = work.leaving || pen.connection.deaf;
  if (leaving && !work.pending.some(isBeingAnswered)) pen.close(0, 'done');
}

/** The instruction in hand, for the application. */
const inHand = (work: OrchestratorWork): string => `instruction ${work.given}`;

/** The subagent did not take a message: if that was the instruction, nothing more will come of it. */
function doubt(pen: StepOutputs): void {
  const { connection, options } = pen;
  if (connection.session.active?.doubt !== undefined)
    pen.start('doubt', options.idle > 0 ? options.idle : defaultConnectionOptions.idle);
}

/** Nothing came of the instruction for long after an ERROR; unless something did. */
function giveUp(pen: StepOutputs, work: OrchestratorWork, options: OrchestratorOptions): void {
  const { session, deaf } = pen.connection;
  if (deaf || work.busy === undefined || session.active?.doubt === undefined) return;
  pen.tell('failed', `${inHand(work)}: nothing followed the ERROR`);
  instruct(pen, work, options);
}

/** Takes nothing off the wire while the carrier is full, or while too many calls are open. */
function heedLoad(pen: StepOutputs, work: OrchestratorWork): void {
  pen.pause(pen.connection.full || work.pending.length >= rememberedOpen);
}
