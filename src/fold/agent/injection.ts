/** The reference agent's injections: each is acknowledged at once and has one place (section 3, "Agent Behavior"). */
import type { Outputs, ActiveRequest } from './state.ts';
import { release } from './request.ts';
import type { InjectContext } from '../messages.ts';

/** An injection with exactly this content ends holds. It is never echoed or kept. */
export const releaseContent = 'release';

/** The most acks that one stream remembers; the oldest are forgotten first. */
const rememberedAcks = 4096;

/** Acknowledges an injection and places it. A repeated id is only acknowledged again. */
export function inject(out: Outputs, injection: InjectContext): void {
  const id = injection.injection_id ?? '';
  const earlier = out.state.acks.get(id);
  if (earlier !== undefined) return out.toGateway({ injection_ack: { injection_id: id, ...earlier } });
  const isRelease = injection.content === releaseContent;
  const running = [...out.state.requests.values()]
    .filter((r) => r.started > 0)
    .toSorted((a, b) => a.started - b.started);
  const reason = isRelease ? undefined : running.find((r) => r.reject !== undefined)?.reject;
  const ack = reason === undefined ? { accepted: true } : { accepted: false, reason };
  if (out.state.acks.size >= rememberedAcks)
    for (const oldest of out.state.acks.keys()) if (out.state.acks.delete(oldest)) break;
  out.state.acks.set(id, ack);
  out.toGateway({ injection_ack: { injection_id: id, ...ack } });
  if (isRelease) for (const request of running) release(out, request);
  else if (ack.accepted) place(out, running[0], injection);
}

function place(out: Outputs, owner: ActiveRequest | undefined, injection: InjectContext): void {
  const content = injection.content ?? '';
  const pending = { n: ++out.state.arrivals, content };
  if (owner === undefined || injection.priority === 'INJECTION_PRIORITY_DEFERRED')
    out.state.kept.push(pending);
  else if (injection.priority !== 'INJECTION_PRIORITY_IMMEDIATE') owner.normal.push(pending);
  else if (owner.echo) out.respond(owner, { text: content });
}
