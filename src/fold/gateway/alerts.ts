/**
 * The gateway's own announcements, as IMMEDIATE injections of the source `system` (section 3: "System alerts ("budget
 * low", "shutting down in 5 min")"). Agents without the feature `injection` get none.
 */
import { sendInjection } from './injections.ts';
import { gatewayLimits } from './options.ts';
import { queryLedger } from './query.ts';
import { agentOn, forgetOldest } from './state.ts';
import type { ActiveRequest, AgentLink, Question } from './state.ts';
import type { Outputs } from './step-outputs.ts';

/** The share of a budget from which the agent of a thread is told. */
const alertFrom = 0.8;

/** Announces to an agent. Returns whether it can be told. */
function announce(out: Outputs, agent: AgentLink | undefined, content: string): boolean {
  if (agent === undefined || agent.full || !agent.features.has('injection')) return false;
  sendInjection(out, agent, { content, priority: 'INJECTION_PRIORITY_IMMEDIATE', source: 'system' });
  return true;
}

/** Tokens of a thread were used: asks the ledger for their sum, if the thread's agent may have to be told. */
export function watchBudget(out: Outputs, { thread_id, agent }: ActiveRequest): void {
  const { settings, state } = out;
  if (settings.budget === undefined || state.alerted.has(thread_id)) return;
  if (thread_id.length > gatewayLimits.name) return;
  if (agentOn(state, agent)?.features.has('injection') !== true) return;
  queryLedger(out, { about: 'alert', operator: '', thread_id, agent });
}

/** Tells the agent of a thread once that its budget is nearly used. */
export function alertBudget(
  out: Outputs,
  { thread_id, agent }: Extract<Question, { about: 'alert' }>,
  used: number,
): void {
  const { settings, state } = out;
  const { budget = Infinity } = settings;
  if (used < alertFrom * budget || state.alerted.has(thread_id)) return;
  const percent = Math.floor((used / budget) * 100);
  const left = Math.max(0, budget - used);
  if (!announce(out, agentOn(state, agent), `Budget is ${percent}% consumed. ${left} tokens remaining.`))
    return;
  state.alerted.add(thread_id);
  forgetOldest(state.alerted, gatewayLimits.threads);
}

/** Tells all agents of a planned shutdown. */
export function announceShutdown(out: Outputs, reason: string, after: number): void {
  const why = reason === '' ? '' : `: ${reason}`;
  for (const peer of out.state.agents.values())
    announce(out, agentOn(out.state, peer), `Shutting down in ${timeOf(after)}${why}.`);
}

const timeOf = (ms: number): string =>
  ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`;
