/** Runs the built command as a stranger would, and makes faulty agents of the example. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/kit/spec/index.ts';
import { freePort } from '../src/kit/transport/index.ts';

const root = packageRoot();
const command = join(root, 'dist/bin/wireproof.cjs');
/** Inside node_modules, so that what is written there finds its packages. */
export const scratch: string = join(root, 'node_modules/.cache/wireproof-test');
mkdirSync(scratch, { recursive: true });

/** The example agent. */
export const example: string = join(root, 'conformance/examples/fold-agent.mjs');

/** What a run of the command gave. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; `interruptAfter` sends SIGINT after so many ms, counted from when `once` is so. */
export function wireproof(
  args: readonly string[],
  options: {
    interruptAfter?: number;
    once?: () => boolean;
    cwd?: string;
    env?: { readonly [name: string]: string };
  } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: options.cwd ?? scratch,
    env: { ...process.env, NO_COLOR: '1', CI: '1', ...options.env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const { interruptAfter, once = () => true } = options;
  const interrupt = (): void => {
    if (once()) setTimeout(() => child.kill('SIGINT'), interruptAfter);
    else setTimeout(interrupt, 50);
  };
  if (interruptAfter !== undefined) interrupt();
  return new Promise((resolve) => {
    // Ended by the signal itself, before it could say so: a shell shows 130 for that, too.
    child.on('close', (code, signal) => resolve({ code: signal === 'SIGINT' ? 130 : code, stdout, stderr }));
  });
}

/** Writes a program into the scratch folder. @returns its path */
export function program(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** The example agent with one fault planted in it. @throws Error when the fault finds no place */
export function faulty(name: string, from: string | RegExp, to: string): string {
  const original = readFileSync(example, 'utf8').replace(
    '`${import.meta.dirname}/../../spec/fold/coven.proto`',
    JSON.stringify(join(root, 'spec/fold/coven.proto')),
  );
  const planted = original.replace(from, to);
  if (planted === original) throw new Error(`the fault ${name} finds no place in the example`);
  return program(`${name}.mjs`, planted);
}

/** A simulated gateway that runs beside the test. */
export async function simulated(
  args: readonly string[],
): Promise<{ child: ChildProcess; port: number; http: number }> {
  const [port, http] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [
    command,
    ...['simulate', 'fold/gateway', '--listen', `127.0.0.1:${port}`, '--http', `127.0.0.1:${http}`],
    ...args,
  ]);
  await new Promise<void>((resolve) =>
    child.stderr.on('data', (text: Buffer) => text.includes('Fold gateway') && resolve()),
  );
  return { child, port, http };
}

/** The exit code of a process, once it has ended. */
export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => void child.once('exit', resolve));
