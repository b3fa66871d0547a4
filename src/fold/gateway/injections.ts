/** Injections: pushed, acknowledged in time or not, and never in anybody's way (section 3; G34, G35). */
import { gatewayLimits } from './options.ts';
import { agentOn } from './state.ts';
import type { AgentLink, StepOutputs } from './state.ts';
import type { AgentMessage, InjectContext, InjectionPriority } from '../messages.ts';

type InjectionAck = NonNullable<AgentMessage['injection_ack']>;

/** Priorities by the names that operators use. */
export const priorities: { readonly [name: string]: InjectionPriority } = {
  immediate: 'INJECTION_PRIORITY_IMMEDIATE',
  normal: 'INJECTION_PRIORITY_NORMAL',
  deferred: 'INJECTION_PRIORITY_DEFERRED',
};

/** Pushes context to an agent that has the feature. @returns the injection's id */
export function push(
  pen: StepOutputs,
  agent: AgentLink,
  context: Omit<InjectContext, 'injection_id'>,
): string {
  const { state } = pen;
  const injection_id = pen.fresh();
  pen.toAgent(agent, { inject_context: { injection_id, ...context } });
  for (const oldest of agent.injections) {
    if (agent.injections.size < gatewayLimits.injections) break;
    forget(pen, oldest);
  }
  agent.injections.add(injection_id);
  state.injections.set(injection_id, agent.peer);
  pen.startTimer(`injection:${injection_id}`, pen.settings.timeouts.ack);
  return injection_id;
}

/** An ack came: of the agent's own injection, else it means nothing. */
export function acked(pen: StepOutputs, agent: AgentLink, ack: InjectionAck): void {
  const { injection_id: id = '', accepted = false, reason = '' } = ack;
  if (!agent.injections.has(id)) return;
  forget(pen, id);
  if (!accepted) pen.tell('injection rejected', `${id}: ${reason}`);
}

/** No ack came: that is told, and nothing else. */
export function unacked(pen: StepOutputs, id: string): void {
  const peer = pen.state.injections.get(id);
  if (peer === undefined) return;
  forget(pen, id);
  pen.tell('injection not acknowledged', `${id}: no ack within ${pen.settings.timeouts.ack} ms`);
}

/** The agent is gone: no ack will come. */
export function dropInjections(pen: StepOutputs, agent: AgentLink): void {
  for (const id of agent.injections) forget(pen, id);
}

function forget(pen: StepOutputs, id: string): void {
  const { injections } = pen.state;
  agentOn(pen.state, injections.get(id))?.injections.delete(id);
  injections.delete(id);
  pen.stopTimer(`injection:${id}`);
}
