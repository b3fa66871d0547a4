/** The status line of the reference engine. */
import type { EngineStep } from './state.ts';

/** Sends the status. `active_tools` is the number of calls that run (KODA-52). */
export function sendStatus(step: EngineStep): void {
  const { model, provider, approvalMode, used, options, turn } = step.work;
  step.send({
    type: 'status_update',
    model,
    provider,
    context_pct: Math.min(1, used / options.contextMax),
    approval_mode: approvalMode,
    active_tools: turn?.call === undefined ? 0 : 1,
  });
}
