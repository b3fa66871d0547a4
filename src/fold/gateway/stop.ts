/** How the gateway stops in good order: Shutdown to all, time for what runs, then every stream is closed (G45). */
import { failAll } from './requests.ts';
import { lose, turnAway } from './agents.ts';
import { hangUp } from './flow.ts';
import { code } from './options.ts';
import { failCalls, lostPack } from './packs.ts';
import type { Link, StepOutputs } from './state.ts';

/** Begins to stop; what runs may end in its time. */
export function stop(pen: StepOutputs, reason: string): void {
  const { state } = pen;
  if (state.phase !== 'running') return;
  state.phase = 'stopping';
  state.reason = reason === '' ? 'the gateway is stopping' : reason;
  for (const link of state.links.values()) {
    if (link.kind !== 'agent') continue;
    if (link.listing === undefined) turnAway(pen, link, code.unavailable, state.reason);
    else pen.toAgent(link, { shutdown: { reason: state.reason } });
  }
  pen.startTimer('stop:', pen.settings.timeouts.shutdown);
}

/** Closes everything, in an order in which each still hears what it must. */
export function halt(pen: StepOutputs): void {
  const { state } = pen;
  if (state.phase !== 'stopping') return;
  state.phase = 'stopped';
  pen.stopTimer('stop:');
  failAll(pen, state.requests.keys(), `the gateway was stopped: ${state.reason}`);
  failCalls(pen, 'the gateway was stopped');
  for (const link of state.links.values()) closeLink(pen, link);
  pen.tell('stopped', state.reason);
}

function closeLink(pen: StepOutputs, link: Link): void {
  if (link.kind === 'operator')
    return hangUp(pen, link, link.asked ? code.ok : code.unavailable, link.asked ? '' : pen.state.reason);
  pen.close(link.peer, code.ok, '');
  if (link.kind === 'agent') lose(pen, link, 'the gateway was stopped');
  else if (link.kind === 'pack') lostPack(pen, link);
  else pen.state.links.delete(link.peer);
}
