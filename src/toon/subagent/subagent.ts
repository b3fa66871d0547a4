/**
 * The reference subagent of TOON (Task Orchestration Over Node): it works on one instruction at a time, obeys
 * directives, and ends each instruction with STATUS `completed` or an ERROR. A pure role that accepts connections;
 * spec/toon/README.md is its contract.
 */
import { brief } from '../../kit/base/index.ts';
import { connectionRole } from '../connection/role.ts';
import type { ConnectionPolicy, ConnectionRole } from '../connection/role.ts';
import { defaultConnectionOptions } from '../connection/step.ts';
import type { ConnectionOptions } from '../connection/step.ts';
import { maxRemembered } from '../machine/machine.ts';
import type { ToonMessage } from '../messages.ts';
import { answered, closeIfStuck, fail, proceed, stepsOf } from './steps.ts';
import type { SubagentStep, SubagentWork } from './steps.ts';

/** How the reference subagent is set up. */
export type SubagentOptions = ConnectionOptions;

/** The reference subagent as a role. */
export type SubagentRole = ConnectionRole<SubagentWork>;

/**
 * Makes the reference subagent. It tells its application of `gap`, `duplicate` and `reordered` sequence ids (TOON-33),
 * of `bad-frame` and the other faults of messages, of an `error` (the orchestrator sent one), of a `silent`
 * orchestrator, of `busy` (too many instructions wait), and of `dropped` work (the connection was lost during an
 * instruction). Its ERRORs refuse a message with `BAD_FRAME` or `WRONG_DIRECTION`; they end an instruction with
 * `UNSUPPORTED`, `TOO_LARGE`, `NO_ANSWER` or the code of a directive. After `BUSY` it closes the connection.
 *
 * @example
 * subagent({ idle: 60_000 }).name; // 'toon/subagent'
 */
export function subagent(overrides: Partial<SubagentOptions> = {}): SubagentRole {
  return connectionRole(policy, { ...defaultConnectionOptions, ...overrides });
}

const policy: ConnectionPolicy<SubagentWork> = {
  side: 'subagent',
  begin: () => ({ queue: [], running: undefined }),
  message: act,
  timer(step, name) {
    if (name === 'doubt') fail(step, 'NO_ANSWER', 'no answer came after an ERROR');
    proceed(step);
  },
  halfClosed: closeIfStuck,
  loadChanged(step) {
    if (step.work.running?.wait.on === 'room') proceed(step);
  },
  left(step) {
    if (step.work.running !== undefined)
      step.tell('dropped', 'the connection was lost during an instruction');
  },
};

function act(step: SubagentStep, message: ToonMessage): void {
  if (message.type === 'INSTRUCTION') instruct(step);
  else if (message.type === 'TOOL_RESULT') answered(step, message.payload['data'] ?? null);
  else if (message.type === 'CONTEXT_RESPONSE') answered(step, null);
  else if (message.type === 'ERROR') {
    step.tell('error', brief(message.payload.message));
    // The orchestrator may have refused a call: then no answer comes.
    if (step.work.running?.wait.on === 'answers') step.startDoubt();
  }
}

/** Takes the instruction that has just come. It waits while another one is worked on. */
function instruct(step: SubagentStep): void {
  const { work, session } = step;
  if (work.queue.length >= maxRemembered) {
    step.tell('busy', `${maxRemembered} instructions wait already`);
    step.sendError('BUSY', `${maxRemembered} instructions wait already`);
    return step.close(8, 'too many instructions');
  }
  const instruction = session.waiting.at(-1) ?? session.active;
  if (instruction !== undefined) work.queue.push(stepsOf(instruction.directive));
  if (work.running === undefined) proceed(step);
}
