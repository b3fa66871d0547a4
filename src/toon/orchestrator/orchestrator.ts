/**
 * The reference orchestrator of TOON (Task Orchestration Over Node): it gives each subagent its instructions one by one,
 * and answers tool calls and context requests. A pure role that accepts connections; spec/toon/README.md is its contract.
 */
import { brief, isObject } from '../../kit/base/index.ts';
import { connectionRole } from '../connection/role.ts';
import type { ConnectionPolicy, ConnectionRole } from '../connection/role.ts';
import { defaultConnectionOptions } from '../connection/step.ts';
import type { ConnectionOptions, ConnectionStep } from '../connection/step.ts';
import { maxRemembered } from '../machine/machine.ts';
import type { ToonMessage } from '../messages.ts';
import { answerCall, answerContextRequest, finishCall, isRunning } from './answers.ts';
import type { AnswerOptions, PendingCall } from './answers.ts';

/** How the reference orchestrator is set up. */
export interface OrchestratorOptions extends ConnectionOptions, AnswerOptions {
  /** The instructions for each subagent, in order. Commands can add more: see {@link orchestrator}. */
  readonly instructions: readonly string[];
  /** Keep the connection after the last instruction; default: close it. */
  readonly stay: boolean;
}

/** What the orchestrator remembers of a connection. */
export interface OrchestratorWork {
  readonly options: OrchestratorOptions;
  /** The instructions that follow, in order. */
  readonly queue: string[];
  /** The number of instructions given so far. */
  given: number;
  /** The machine's index of the instruction that the subagent works on. */
  activeIndex: number | undefined;
  /** Close the connection as soon as no tool runs. */
  leaving: boolean;
  /** The calls without an answer, in order. */
  readonly pending: PendingCall[];
}

/** The reference orchestrator as a role. */
export type OrchestratorRole = ConnectionRole<OrchestratorWork>;

type OrchestratorStep = ConnectionStep<OrchestratorWork>;

/**
 * Makes the reference orchestrator. It tells its application that an instruction is `completed` or `failed`, and `done`
 * after the last one. It also tells of `gap`, `duplicate` and `reordered` sequence ids (TOON-33), of `bad-frame` and the
 * other faults of messages, of an `error` (the subagent refused a message), of a `silent` subagent, and of a `lost`
 * connection (it broke during an instruction). Its ERRORs have the codes `BAD_FRAME` and `WRONG_DIRECTION`.
 *
 * The command `{do: 'send', message}` with an INSTRUCTION adds that instruction to the queue of every open connection;
 * `end` and `shutdown` close all connections.
 *
 * @example
 * const role = orchestrator({ instructions: ['hello'], tools: { clock: { success: true, data: '12:00' } } });
 * const opened = role.step(role.start(), { type: 'opened', peer: 's1', metadata: {} }, 0);
 * opened.outputs.at(-1)?.type; // 'send'
 */
export function orchestrator(overrides: Partial<OrchestratorOptions> = {}): OrchestratorRole {
  const defaults = { ...defaultConnectionOptions, instructions: [], stay: false, hold: [] };
  const options: OrchestratorOptions = { ...defaults, ...overrides };
  return connectionRole({ ...policy, begin: () => startWork(options) }, options);
}

const startWork = (options: OrchestratorOptions): OrchestratorWork => ({
  options,
  queue: [...options.instructions],
  given: 0,
  activeIndex: undefined,
  leaving: false,
  pending: [],
});

const policy: Omit<ConnectionPolicy<OrchestratorWork>, 'begin'> = {
  side: 'orchestrator',
  opened(step) {
    instruct(step);
    proceed(step);
  },
  message(step, message) {
    act(step, message);
    proceed(step);
  },
  timer(step, name) {
    if (name === 'doubt') endDoubt(step);
    else finishCall(step, name);
    proceed(step);
  },
  halfClosed(step) {
    if (step.work.activeIndex !== undefined) step.tell('lost', 'the subagent has half-closed the connection');
    proceed(step);
  },
  loadChanged: limitLoad,
  send(step, { type, payload }) {
    const text = isObject(payload) ? payload['instruction'] : undefined;
    if (type !== 'INSTRUCTION' || typeof text !== 'string') return;
    step.work.queue.push(text);
    if (step.work.activeIndex !== undefined) return;
    instruct(step);
    proceed(step);
  },
  left(step) {
    if (step.work.activeIndex !== undefined)
      step.tell('lost', 'the connection broke before the end of the instruction');
  },
};

function act(step: OrchestratorStep, message: ToonMessage): void {
  if (message.type === 'TOOL_CALL') answerCall(step, message.payload);
  else if (message.type === 'CONTEXT_REQUEST') answerContextRequest(step, message.payload);
  else if (message.type === 'ERROR') {
    step.tell('error', brief(message.payload.message));
    if (step.session.active?.doubtedAt !== undefined) step.startDoubt();
  }
}

/** Gives the next instruction. After the last one the work is done. */
function instruct(step: OrchestratorStep): void {
  const { work } = step;
  work.activeIndex = undefined;
  for (let next = work.queue.shift(); next !== undefined; next = work.queue.shift()) {
    const payload = { instruction: next };
    work.given++;
    if (step.fits(payload)) {
      work.activeIndex = step.session.instructionCount;
      return step.send('INSTRUCTION', payload);
    }
    step.tell('failed', `instruction ${work.given}: larger than ${step.options.maxPayload} bytes`);
  }
  step.tell('done', `all ${work.given} instructions were given`);
  work.leaving = !work.options.stay;
}

/** Gives the next instruction after the end of one, limits the load, and closes the connection after the last answer. */
function proceed(step: OrchestratorStep): void {
  const { work, session, connection } = step;
  const { ended } = session;
  if (ended !== undefined && ended.index === work.activeIndex) {
    step.tell(ended.by === 'completed' ? 'completed' : 'failed', `instruction ${work.given}`);
    instruct(step);
  }
  limitLoad(step);
  if ((work.leaving || connection.halfClosed) && !work.pending.some(isRunning)) step.close(0, 'done');
}

/** No sign of work has followed the ERROR: the instruction has failed. */
function endDoubt(step: OrchestratorStep): void {
  const { work, session, connection } = step;
  if (connection.halfClosed || work.activeIndex === undefined || session.active?.doubtedAt === undefined)
    return;
  step.tell('failed', `instruction ${work.given}: nothing followed the ERROR`);
  instruct(step);
}

/** Stops reading while the carrier is full, or while too many calls are open. */
function limitLoad(step: OrchestratorStep): void {
  step.pause(step.connection.full || step.work.pending.length >= maxRemembered);
}
