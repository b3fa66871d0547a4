/** How the program of a scenario ended, in words for the report. */
import type { Scenario, ScenarioStep } from '../base/index.ts';

/** The most lines of a program's output in a note. */
const outputShown = 8;

/** The end of a program in a scenario, with the end of its output. `how` says how it ended. */
export function endNote({ name }: Scenario, how: string, output: readonly string[]): string {
  const lines = output.slice(-outputShown);
  const printed = lines.length === 0 ? 'printed nothing' : `printed at its end: ${lines.join(' ⏎ ')}`;
  return `${name}: the program ${how} and ${printed}`;
}

/** That the kit ended a program that should have ended by itself, and which timeout gives it longer. */
export function hangText({ steps }: Scenario): string {
  const [, timeout] = steps.map(limitOfEnd).find((limit) => limit !== null) ?? [];
  const longer = timeout === undefined ? '' : ` (--timeout ${timeout}=60s gives it longer)`;
  return `did not end in its time, so the kit ended it${longer},`;
}

/** The name of the timeout until which a step waits for the end of the target's process. */
const limitOfEnd = (step: ScenarioStep): RegExpExecArray | null =>
  'await' in step && step.await.kind === 'process'
    ? /^\$timeouts\.(\w+)$/.exec(step.await.within ?? '')
    : null;
