/** The reference agent on a stage: what a gateway says is given to it. */
import { RoleStage } from '../../kit/base/role-stage.test-helper.ts';
import { directive } from '../directive.ts';
import { protocolFeatures } from '../messages.ts';
import type { AgentMessage, MessageResponse, SendMessage, ServerMessage } from '../messages.ts';
import { agent } from '../agent/agent.ts';
import type { AgentOptions, AgentState } from '../agent/agent.ts';

/** The reference agent on a stage, welcomed; what a gateway says is given to it. */
export class AgentStage extends RoleStage<AgentState, ServerMessage, AgentMessage> {
  constructor(options: Partial<AgentOptions> = {}) {
    super(agent(options));
    this.give({ type: 'started' });
    this.open();
    this.take();
  }

  /** The stream it dialled last opens, and it is welcomed. */
  open(agentId: string = 'a-1'): void {
    this.give({ type: 'opened', peer: this.state.peer, metadata: {} });
    this.say({ welcome: { agent_id: agentId } });
  }

  /** The gateway says something. */
  say(message: ServerMessage): void {
    this.give({ type: 'message', peer: this.state.peer, message });
  }

  /** The gateway sends a request with a directive; what is due at once is done. */
  request(id: string, steps: readonly object[], more: Partial<SendMessage> = {}): void {
    this.say({ send_message: { request_id: id, content: directive(steps), ...more } });
    this.pass(0);
  }

  /** The gateway injects a text; what is due at once is done. */
  inject(id: string, content: string, priority: string | number = 'IMMEDIATE'): void {
    const named =
      typeof priority === 'number'
        ? priority
        : (`INJECTION_PRIORITY_${priority}` as 'INJECTION_PRIORITY_NORMAL');
    this.say({ inject_context: { injection_id: id, content, priority: named } });
    this.pass(0);
  }

  /** Ends the holds of all that run. */
  release(): void {
    this.inject(`release-${this.now}-${this.state.acks.size}`, 'release');
  }

  /** The responses since it was last asked, without acks; of one request if named. */
  responses(id?: string): MessageResponse[] {
    const all = this.sent().flatMap(({ response }) => (response === undefined ? [] : [response]));
    return id === undefined ? all : all.filter((r) => r.request_id === id);
  }

  /** The responses since it was last asked, each in a word or two. */
  told(): string[] {
    return this.sent().map(inShort);
  }
}

/** A message in a word or two: what the tests of the agent compare. */
export function inShort(message: AgentMessage): string {
  const { response: r, injection_ack: ack } = message;
  if (ack !== undefined) return `${ack.accepted === true ? 'accept' : 'reject'} ${ack.injection_id ?? ''}`;
  if (r === undefined) return Object.keys(message)[0] ?? 'empty';
  const id = r.request_id ?? '';
  if (r.text !== undefined) return `${id} says ${r.text}`;
  if (r.tool_state !== undefined)
    return `${id} ${String(r.tool_state.state).replace('TOOL_STATE_', '').toLowerCase()}`;
  if (r.error !== undefined) return `${id} error ${r.error}`;
  if (r.cancelled !== undefined) return `${id} cancelled ${r.cancelled.reason ?? ''}`.trim();
  return `${id} ${Object.keys(r).find((k) => k !== 'request_id') ?? 'nothing'}`;
}

/** The agent on a stage, without these protocol features. */
export const without = (...features: string[]): AgentStage =>
  new AgentStage({ register: { protocol_features: protocolFeatures.filter((f) => !features.includes(f)) } });
