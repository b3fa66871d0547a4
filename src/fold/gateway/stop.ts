/** The gateway's shutdown: Shutdown to all agents, time to end requests and streams, then all is closed (G45). */
import { failRequests } from './requests.ts';
import { agentLost } from './agents.ts';
import { announceShutdown } from './alerts.ts';
import { endCall } from './flow.ts';
import { code } from './options.ts';
import { failCalls, packLost } from './packs.ts';
import type { Link } from './state.ts';
import type { Outputs } from './step-outputs.ts';

/** Begins a shutdown after a time (ms), which agents are told; a time of 0: at once. A later plan replaces an earlier one. */
export function planShutdown(out: Outputs, reason: string, after: number): void {
  const { state } = out;
  if (state.phase !== 'running') return;
  out.stopTimer('planned:');
  if (after <= 0) return beginShutdown(out, reason);
  state.reason = reason;
  out.startTimer('planned:', after);
  announceShutdown(out, reason, after);
}

/** The time of a planned shutdown has come. */
export const onPlannedShutdown = (out: Outputs): void => beginShutdown(out, out.state.reason);

/** Sends Shutdown. Within the timeout, requests may end and agents may close their streams. */
function beginShutdown(out: Outputs, reason: string): void {
  const { state } = out;
  if (state.phase !== 'running') return;
  state.phase = 'stopping';
  state.reason = reason === '' ? 'the gateway is stopping' : reason;
  for (const link of state.links.values()) {
    if (link.kind !== 'agent') continue;
    if (link.listing === undefined) out.end(link.peer, code.unavailable, state.reason);
    else out.toAgent(link, { shutdown: { reason: state.reason } });
  }
  out.startTimer('stop:', out.settings.timeouts.shutdown);
}

/** Ends all requests and calls, then closes all streams. */
export function finishShutdown(out: Outputs): void {
  const { state } = out;
  if (state.phase !== 'stopping') return;
  state.phase = 'stopped';
  out.stopTimer('stop:');
  failRequests(out, state.requests.keys(), `the gateway was stopped: ${state.reason}`);
  failCalls(out, 'the gateway was stopped');
  for (const link of state.links.values()) closeLink(out, link);
  out.tell('stopped', state.reason);
}

function closeLink(out: Outputs, link: Link): void {
  if (link.kind === 'operator')
    return endCall(out, link, link.called ? code.ok : code.unavailable, link.called ? '' : out.state.reason);
  out.close(link.peer, code.ok, '');
  if (link.kind === 'agent') agentLost(out, link, 'the gateway was stopped');
  else if (link.kind === 'pack') packLost(out, link);
  else out.state.links.delete(link.peer);
}
