/** The reference roles on a stage: one connection, what the other side says, and what the role does. */
import type { Json, RoleOutput } from '../../kit/base/index.ts';
import { RoleStage } from '../../kit/base/role-stage.test-helper.ts';
import { directive } from '../directive.ts';
import type { ConnectionRole, ConnectionsState } from './role.ts';
import { messageOf } from '../machine/machine.test-helper.ts';
import type { MessageName, ToonMessage, ScriptedCommand } from '../messages.ts';
import { orchestrator } from '../orchestrator/orchestrator.ts';
import type { OrchestratorOptions, OrchestratorWork } from '../orchestrator/orchestrator.ts';
import { subagent } from '../subagent/subagent.ts';
import type { SubagentOptions } from '../subagent/subagent.ts';
import type { SubagentWork } from '../subagent/steps.ts';

/** A role with one connection, `s1`, open. */
export class ToonStage<W> extends RoleStage<ConnectionsState<W>, ToonMessage, ToonMessage, ScriptedCommand> {
  #next = 1;

  constructor(role: ConnectionRole<W>) {
    super(role);
    this.give({ type: 'started' });
    this.give({ type: 'opened', peer: 's1', metadata: {} });
  }

  /** The other side says something; its sequence id is the next one unless given. What is due at once is done. */
  say(type: MessageName, payload: Json = {}, sequenceId: number = this.#next): this {
    this.#next = (sequenceId + 1) >>> 0;
    this.give({ type: 'message', peer: 's1', message: messageOf(type, payload, sequenceId) });
    this.pass(0);
    return this;
  }

  /** Something comes that is no message. */
  garble(code: string = 'bad-json', reason: string = 'no JSON'): this {
    this.give({ type: 'undecodable', peer: 's1', reason, code });
    return this;
  }

  /** Something happens to the link. */
  link(type: 'full' | 'drained' | 'half_close' | 'left'): this {
    this.give({ type, peer: 's1' });
    this.pass(0);
    return this;
  }

  /** What it put out since it was last asked, each in a few words. */
  did(): string[] {
    return this.take().map(inShort);
  }

  /** What it put out on the wire since it was last asked, each in a few words. */
  said(): string[] {
    return this.take()
      .filter(({ type }) => type !== 'tell')
      .map(inShort);
  }

  /** What it told its application since it was last asked, by its words. */
  told(): string[] {
    return this.take().flatMap((output) => (output.type === 'tell' ? [output.what] : []));
  }
}

/** A reference subagent with a connection. */
export const subagentStage = (options: Partial<SubagentOptions> = {}): ToonStage<SubagentWork> =>
  new ToonStage(subagent(options));

/** A reference orchestrator with a connection. */
export const orchestratorStage = (options: Partial<OrchestratorOptions> = {}): ToonStage<OrchestratorWork> =>
  new ToonStage(orchestrator(options));

/** A reference orchestrator that has given its one instruction, and what it said forgotten. */
export function givenStage(options: Partial<OrchestratorOptions> = {}): ToonStage<OrchestratorWork> {
  const stage = orchestratorStage({ instructions: ['x'], heartbeat: 0, ...options });
  stage.take();
  return stage;
}

/** The payload of a STATUS that ends an instruction well. */
export const completion: Json = { status: 'completed', progress: 1 };

/** The payload of a TOOL_CALL. */
export const callOf = (toolName: string, more: object = {}): Json => ({
  toolName,
  args: { path: 'p' },
  ...more,
});

/** The payload of an instruction that tells a subagent to do this. */
export const todo = (...steps: readonly object[]): { readonly instruction: string } => ({
  instruction: directive(steps),
});

/** An output in a few words. */
export function inShort(output: RoleOutput<ToonMessage>): string {
  if (output.type === 'tell') return `(${output.what})`;
  if (output.type === 'close') return `close ${output.status.code}`;
  return output.type === 'send' ? wordsOf(output.message) : output.type;
}

/** A message in a few words. */
export function wordsOf(m: ToonMessage): string {
  const p = m.payload as { readonly [key: string]: Json };
  const id = p['requestId'] === undefined ? '' : ` #${String(p['requestId'])}`;
  switch (m.type) {
    case 'STATUS':
      return `STATUS ${String(p['status'])}${p['progress'] === undefined ? '' : ` ${String(p['progress'])}`}`;
    case 'ERROR':
      return `ERROR ${String(p['code'])}`;
    case 'TOOL_CALL':
      return `CALL ${String(p['toolName'])}${id}`;
    case 'TOOL_RESULT':
      return `RESULT ${p['success'] === true ? JSON.stringify(p['data']) : 'failed'}${id}`;
    case 'CONTEXT_REQUEST':
      return `ASK ${String(p['path'])}${id}`;
    case 'CONTEXT_RESPONSE':
      return `CONTEXT ${JSON.stringify(p['content'] ?? p['error'])}${id}`;
    case 'INSTRUCTION':
      return `INSTRUCTION ${String(p['instruction'])}`;
    case 'HEARTBEAT':
      return 'HEARTBEAT';
    default:
      return m satisfies never;
  }
}
