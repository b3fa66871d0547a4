/**
 * The reference subagent of TOON (Task Orchestration Over Node): works on one instruction at a time, obeys
 * directives, and ends each with STATUS `completed` or an ERROR. A pure role that waits for connections;
 * spec/toon/README.md is its contract.
 */
import { connectionRole } from '../machine/connection.ts';
import type { ConnectionRole, Policy } from '../machine/connection.ts';
import { rememberedOpen } from '../machine/machine.ts';
import { brief, defaultConnectionOptions } from '../machine/step-outputs.ts';
import type { ConnectionOptions, StepOutputs } from '../machine/step-outputs.ts';
import type { ToonMessage } from '../messages.ts';
import { answered, doubt, leaveIfStuck, proceed, unanswered } from './work.ts';
import type { SubagentWork } from './work.ts';

/** How the reference subagent is set up. */
export type SubagentOptions = ConnectionOptions;

/** The reference subagent as a role. */
export type SubagentRole = ConnectionRole<SubagentWork>;

/**
 * Makes the reference subagent. It tells its application of `gap`, `duplicate` and `reordered` sequence ids
 * (TOON-33), `bad-frame` and the other faults of messages, `error` (the orchestrator sent one), `silent`, and
 * `dropped` (the connection was lost in the midst of work). Its ERRORs say `BAD_FRAME` and `WRONG_DIRECTION` of
 * messages; an instruction they end with `UNSUPPORTED`, `TOO_LARGE`, `NO_ANSWER` or as a directive wants it; after
 * `BUSY` it closes.
 *
 * @example
 * subagent({ idle: 60_000 }).name; // 'toon/subagent'
 */
export function subagent(overrides: Partial<SubagentOptions> = {}): SubagentRole {
  return connectionRole(policy, { ...defaultConnectionOptions, ...overrides });
}

const policy: Policy<SubagentWork> = {
  side: 'subagent',
  begin: () => ({ queue: [], running: undefined }),
  opened: () => {},
  message,
  timer(pen, work, name) {
    if (name === 'doubt') unanswered(pen, work);
    else proceed(pen, work);
  },
  deaf: leaveIfStuck,
  full: () => {},
  room(pen, work) {
    if (work.running?.wait.on === 'room') proceed(pen, work);
  },
  command: () => {},
  left(pen, work) {
    if (work.running !== undefined) pen.tell('dropped', 'the connection was lost in the midst of work');
  },
};

function message(pen: StepOutputs, work: SubagentWork, m: ToonMessage): void {
  switch (m.type) {
    case 'INSTRUCTION':
      return instruct(pen, work, m.payload.instruction);
    case 'TOOL_RESULT':
      return answered(pen, work, m.payload['data'] ?? null);
    case 'CONTEXT_RESPONSE':
      return answered(pen, work, null);
    case 'ERROR':
      pen.tell('error', brief(m.payload.message));
      return doubt(pen, work);
    case 'HEARTBEAT':
    case 'TOOL_CALL':
    case 'STATUS':
    case 'CONTEXT_REQUEST':
      return;
    default:
      m satisfies never;
  }
}

/** One at a time: an instruction that comes while another is worked on waits for its turn. */
function instruct(pen: StepOutputs, work: SubagentWork, text: string): void {
  if (work.queue.length >= rememberedOpen) {
    pen.tell('busy', `${rememberedOpen} instructions wait already`);
    pen.answer('BUSY', `${rememberedOpen} instructions wait already`);
    return pen.close(8, 'too many instructions');
  }
  work.queue.push(text);
  if (work.running === undefined) proceed(pen, work);
}
