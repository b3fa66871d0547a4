/** How the reference agent takes injections: acked at once, each with one place (section 3, "Agent Behavior"). */
import type { AgentState, Running } from './state.ts';
import { StepOutputs } from './state.ts';
import { release } from './request.ts';
import type { InjectContext } from '../messages.ts';

/** The injection whose whole content is this ends holds; it is never said or kept. */
export const releaseContent = 'release';

/** Acks of one stream that are remembered; the oldest are forgotten first. */
const acksKept = 4096;

/** Acknowledges an injection and gives it its place; a repeated id is only acknowledged again. */
export function inject(state: AgentState, pen: StepOutputs, injection: InjectContext): void {
  const id = injection.injection_id ?? '';
  const given = state.acks.get(id);
  if (given !== undefined) return pen.send({ injection_ack: { injection_id: id, ...given } });
  const isRelease = injection.content === releaseContent;
  const running = [...state.requests.values()]
    .filter((r) => r.started > 0)
    .toSorted((a, b) => a.started - b.started);
  const reason = isRelease ? undefined : running.find((r) => r.reject !== undefined)?.reject;
  const ack = reason === undefined ? { accepted: true } : { accepted: false, reason };
  if (state.acks.size >= acksKept)
    for (const oldest of state.acks.keys()) if (state.acks.delete(oldest)) break;
  state.acks.set(id, ack);
  pen.send({ injection_ack: { injection_id: id, ...ack } });
  if (isRelease) for (const request of running) release(pen, request);
  else if (ack.accepted) place(state, pen, running[0], injection);
}

function place(
  state: AgentState,
  pen: StepOutputs,
  owner: Running | undefined,
  injection: InjectContext,
): void {
  const content = injection.content ?? '';
  const waiting = { n: ++state.arrivals, content };
  if (owner === undefined || injection.priority === 'INJECTION_PRIORITY_DEFERRED') state.kept.push(waiting);
  else if (injection.priority !== 'INJECTION_PRIORITY_IMMEDIATE') owner.normal.push(waiting);
  else if (owner.echo) pen.respond(owner, { text: content });
}
