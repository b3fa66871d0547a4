/** The place of the reference agent's injections: each has one (section 3, "Agent Behavior"). */
import type { Outputs } from './state.ts';
import { release } from './request.ts';
import type { InjectContext } from '../messages.ts';

/** An injection with exactly this content ends holds. It is never echoed or kept. */
export const releaseContent = 'release';

/** The reason of the running request that rejects injections; undefined without one. */
export const refusal = (out: Outputs, { content }: InjectContext): string | undefined =>
  content === releaseContent ? undefined : out.running().find((r) => r.reject !== undefined)?.reject;

/** Takes an accepted injection to its place. */
export function place(out: Outputs, injection: InjectContext): void {
  const content = injection.content ?? '';
  const running = out.running();
  if (injection.content === releaseContent) return running.forEach((request) => release(out, request));
  const [owner] = running;
  const pending = { n: ++out.state.arrivals, content };
  if (owner === undefined || injection.priority === 'INJECTION_PRIORITY_DEFERRED')
    out.state.kept.push(pending);
  else if (injection.priority !== 'INJECTION_PRIORITY_IMMEDIATE') owner.normal.push(pending);
  else if (owner.echo) out.respond(owner, { text: content });
}
