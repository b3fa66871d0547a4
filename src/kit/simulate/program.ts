/** Runs a program that uses the simulated peer. It shares the terminal of the command. */
import { spawn } from 'node:child_process';
import { WireproofError } from '../base/index.ts';
import type { SimulatorRun } from '../suite/index.ts';

/**
 * Runs the command of a run with further environment variables, and stops it at an interrupt.
 *
 * @returns its exit code; 128 when a signal ended it
 * @throws WireproofError 'environment' when it cannot be started
 */
export function runProgram(
  { command: [program = '', ...args], interrupt }: SimulatorRun,
  env: { readonly [name: string]: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
    interrupt.addEventListener('abort', () => void child.kill('SIGTERM'));
    child.on('error', (cause) =>
      reject(new WireproofError('environment', `cannot start ${program}: ${cause.message}`, { cause })),
    );
    child.on('exit', (code) => resolve(code ?? 128));
  });
}
