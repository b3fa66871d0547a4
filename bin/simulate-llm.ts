/**
 * `wireproof simulate llm`: a model provider that plays a script, in all dialects on one port, to try clients and
 * agents against. Prints what to put into their environment, and what they ask.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { WireproofError } from '../src/kit/base/index.ts';
import type { TraceHeader } from '../src/kit/base/index.ts';
import { readRequirements } from '../src/kit/spec/index.ts';
import { llmEnvironment, serveScript } from '../src/llm/edge/index.ts';
import { readScript } from '../src/llm/edge/script-file.ts';
import { onInterrupt } from './interrupt.ts';
import { llmLine } from './llm-lines.ts';
import { hostPort } from './simulate-gateway-options.ts';

/** The flags of the simulated provider. */
export interface SimulateLlmFlags {
  readonly script?: string;
  readonly listen?: string;
  readonly seed?: string;
  readonly record?: string;
  readonly redact: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Where clients come when nobody says where, and what they hear when nobody says what. */
const usual = { place: '127.0.0.1:50071', script: 'hello' } as const;

/** Plays until it is stopped, or until the program that it was to start has ended. */
export async function simulateLlm(command: readonly string[], flags: SimulateLlmFlags): Promise<void> {
  const { script: name = usual.script, listen = usual.place, quiet = false, json = false } = flags;
  const script = readScript(name);
  const began = performance.now();
  const file = flags.record === undefined ? undefined : recordTo(flags.record, name, flags.seed ?? '1');
  // Where a program has the terminal, what is said of it goes to stderr.
  const out = command.length > 0 ? process.stderr : process.stdout;
  const served = await serveScript({
    script,
    // A program that is started is told where; so any free port will do.
    ...(command.length > 0 && flags.listen === undefined ? {} : hostPort(listen, '--listen')),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    showSecrets: !flags.redact,
    ...(file === undefined ? {} : { onEvent: (event) => void file.write(`${JSON.stringify(event)}\n`) }),
    onTold: (what, detail) => {
      const told = JSON.parse(detail) as Record<string, unknown>;
      const line = json
        ? JSON.stringify({ told: what, ...told })
        : llmLine(what, told, performance.now() - began);
      if (!quiet) out.write(`${line}\n`);
    },
  });
  const env = llmEnvironment(`http://${served.host}:${served.port}`);
  const abort = new AbortController();
  onInterrupt(abort, () => {});
  const stopped = new Promise<void>((resolve) =>
    abort.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  try {
    if (command.length > 0) process.exitCode = await run(command, env, abort.signal);
    else {
      process.stderr.write(greeting(name, script.title, env));
      await stopped;
    }
  } finally {
    await served.close();
    await new Promise<void>((resolve) => (file === undefined ? resolve() : file.end(() => resolve())));
  }
}

function greeting(name: string, title: string | undefined, env: { readonly [name: string]: string }): string {
  const lines = Object.entries(env).map(([variable, value]) => `export ${variable}=${value}\n`);
  const what = title === undefined ? name : `${name}: ${title}`;
  return `${lines.join('')}playing ${what}; Ctrl-C stops\n`;
}

/** Runs a program that asks here. @returns its exit code */
function run(
  [program = '', ...args]: readonly string[],
  env: { readonly [name: string]: string },
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', (cause) =>
      reject(new WireproofError('environment', `cannot start ${program}: ${cause.message}`, { cause })),
    );
    child.on('exit', (code, by) => resolve(code ?? (by === null ? 1 : 128)));
  });
}

/** Opens a trace file: its first line, then events as they come. */
function recordTo(path: string, scenario: string, seed: string): WriteStream {
  const header: TraceHeader = {
    wireproof: 'trace/1',
    suite: 'llm/client',
    revision: readRequirements('llm').revision,
    seed,
    scenario,
    target: 'clients that came to the simulated provider',
    started: Date.now(),
  };
  const file = createWriteStream(path);
  file.on('error', (cause) => {
    process.stderr.write(`cannot write the trace ${path}: ${cause.message}\n`);
    process.exitCode = 3;
  });
  file.write(`${JSON.stringify(header)}\n`);
  return file;
}
