/** Runs a program that shares the terminal of the command. */
import { spawn } from 'node:child_process';
import { WireproofError } from '../base/index.ts';
import { Supervision } from './supervision.ts';

/** How long the program may take to stop after TERM (ms). */
const patience = 1500;

/**
 * Starts a program that shares the terminal of the command. Without a terminal it has a process group of its own, so that its
 * children end with it; on a terminal it stays in the group that may read from it.
 *
 * @param interrupt - asks it to stop, and kills it when it takes too long
 * @returns its exit code; 128 when a signal ended it
 * @throws WireproofError 'usage' for an empty command, 'environment' when it cannot be started
 */
export async function runInTerminal(
  [file = '', ...args]: readonly string[],
  env: { readonly [name: string]: string },
  interrupt: AbortSignal,
): Promise<number> {
  if (file === '')
    throw new WireproofError('usage', 'the command is empty: give a program after --, such as ./my-agent');
  const leads = process.platform !== 'win32' && !process.stdin.isTTY;
  const supervision = new Supervision({ leads });
  const variables = { ...process.env, ...env, ...supervision.environment };
  const child = spawn(file, args, { detached: leads, env: variables, stdio: 'inherit' });
  supervision.started(child, { piped: false });
  let late: NodeJS.Timeout | undefined;
  const stop = (): void => {
    supervision.look();
    supervision.signal('SIGTERM');
    late = setTimeout(() => supervision.kill(), patience);
  };
  interrupt.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (cause) =>
        reject(new WireproofError('environment', `cannot start ${file}: ${cause.message}`, { cause })),
      );
      child.once('exit', (code) => resolve(code ?? 128));
    });
  } finally {
    clearTimeout(late);
    interrupt.removeEventListener('abort', stop);
    supervision.end(); // processes that it has forked and not ended
  }
}
