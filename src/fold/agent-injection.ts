/** How the reference agent takes injections: acked at once, each with one place (section 3, "Agent Behavior"). */
import type { AgentState, Running } from './agent-state.ts';
import { Pen } from './agent-state.ts';
import { release } from './agent-request.ts';
import type { InjectContext } from './messages.ts';

/** The injection whose whole content is this ends holds; it is never said or kept. */
export const releaseContent = 'release';

/** Acks of one stream that are remembered; the oldest are forgotten first. */
const acksKept = 4096;

/** Acknowledges an injection and gives it its place; a repeated id is only acknowledged again. */
export function inject(state: AgentState, pen: Pen, injection: InjectContext): void {
  const id = injection.injection_id ?? '';
  const given = state.acks.get(id);
  if (given !== undefined) return pen.send({ injection_ack: { injection_id: id, ...given } });
  const isRelease = injection.content === releaseContent;
  const owner = [...state.requests.values()].find((r) => r.started);
  const reason = isRelease
    ? undefined
    : [...state.requests.values()].find((r) => r.reject !== undefined)?.reject;
  const ack = reason === undefined ? { accepted: true } : { accepted: false, reason };
  if (state.acks.size >= acksKept)
    for (const oldest of state.acks.keys()) if (state.acks.delete(oldest)) break;
  state.acks.set(id, ack);
  pen.send({ injection_ack: { injection_id: id, ...ack } });
  if (isRelease) for (const request of state.requests.values()) if (request.started) release(pen, request);
  if (!isRelease && ack.accepted) place(state, pen, owner, injection);
}

function place(state: AgentState, pen: Pen, owner: Running | undefined, injection: InjectContext): void {
  const content = injection.content ?? '';
  if (owner === undefined || injection.priority === 'INJECTION_PRIORITY_DEFERRED') state.kept.push(content);
  else if (injection.priority !== 'INJECTION_PRIORITY_IMMEDIATE') owner.normal.push(content);
  else if (owner.echo) pen.respond(owner, { text: content });
}
