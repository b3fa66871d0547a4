/** Injections: sent, acknowledged or not, and never waited for (section 3; G34, G35). */
import { gatewayLimits } from './options.ts';
import { agentOn } from './state.ts';
import type { AgentLink } from './state.ts';
import type { Outputs } from './step-outputs.ts';
import type { AgentMessage, InjectContext, InjectionPriority } from '../messages.ts';

type InjectionAck = NonNullable<AgentMessage['injection_ack']>;

/** Priorities by the names that operators use. */
export const injectionPriorities: { readonly [name: string]: InjectionPriority } = {
  immediate: 'INJECTION_PRIORITY_IMMEDIATE',
  normal: 'INJECTION_PRIORITY_NORMAL',
  deferred: 'INJECTION_PRIORITY_DEFERRED',
};

/** An injection without its id. */
type Context = Omit<InjectContext, 'injection_id'>;

/** Sends context to an agent with the feature. @returns the injection's id */
export function sendInjection(out: Outputs, agent: AgentLink, context: Context): string {
  const { state } = out;
  const injection_id = out.newId();
  out.toAgent(agent, { inject_context: { injection_id, ...context } });
  for (const oldest of agent.injections) {
    if (agent.injections.size < gatewayLimits.injections) break;
    dropInjection(out, oldest);
  }
  agent.injections.add(injection_id);
  state.injections.set(injection_id, agent.peer);
  out.startTimer(`injection:${injection_id}`, out.settings.timeouts.ack);
  return injection_id;
}

/** An ack came. An ack of no injection of this agent is ignored. */
export function onInjectionAck(out: Outputs, agent: AgentLink, ack: InjectionAck): void {
  const { injection_id: id = '', accepted = false, reason = '' } = ack;
  if (!agent.injections.has(id)) return;
  dropInjection(out, id);
  if (!accepted) out.tell('injection rejected', `${id}: ${reason}`);
}

/** No ack came in time: only the application is told. */
export function onAckTimeout(out: Outputs, id: string): void {
  const peer = out.state.injections.get(id);
  if (peer === undefined) return;
  dropInjection(out, id);
  out.tell('injection not acknowledged', `${id}: no ack within ${out.settings.timeouts.ack} ms`);
}

/** The agent is lost: no acks will come. */
export function dropInjections(out: Outputs, agent: AgentLink): void {
  for (const id of agent.injections) dropInjection(out, id);
}

function dropInjection(out: Outputs, id: string): void {
  const { injections } = out.state;
  agentOn(out.state, injections.get(id))?.injections.delete(id);
  injections.delete(id);
  out.stopTimer(`injection:${id}`);
}
