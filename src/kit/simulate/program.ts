/** Runs a program that uses the simulated peer. It shares the terminal of the command. */
import type { SimulatorEnd, SimulatorRun } from '../suite/index.ts';
import { runInTerminal } from '../transport/index.ts';

/**
 * Runs the command of a run with further environment variables, and stops it at an interrupt.
 *
 * @returns its exit code; 128 when a signal ended it
 * @throws WireproofError 'usage' for an empty command, 'environment' when it cannot be started
 */
export async function runProgram(
  { command, interrupt }: SimulatorRun,
  env: { readonly [name: string]: string },
): Promise<SimulatorEnd> {
  const code = await runInTerminal(command, env, interrupt);
  return interrupt.aborted ? 'interrupted' : code;
}
