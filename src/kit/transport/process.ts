/**
 * Runs a target in its own process group, and keeps the end of its output. To stop it, its stdin is closed if it is a
 * pipe, then the whole group gets TERM, then KILL.
 */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Pipes } from './byte-endpoint.ts';
import { WireproofError } from '../base/index.ts';
import { withoutCredentialVariables } from '../world/index.ts';
import { Supervision } from './supervision.ts';

/** A stream of a program's output. */
export type OutputStream = 'stdout' | 'stderr';

/** How a process is started. */
export interface ProcessOptions {
  /** argv; never a shell string. */
  readonly command: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** Leaves the user's credentials out of the environment that it inherits: a model has named the program. */
  readonly hidesCredentials?: boolean;
  /** The folder in which it runs; absent: the folder of this process. */
  readonly folder?: string | undefined;
  /** Takes its output as it comes, of stdout only without `carry`. Its calls precede that of `onExit`. */
  readonly onOutput?: ((stream: OutputStream, text: string) => void) | undefined;
  /** Called when it ends by itself, that is before {@link TargetProcess.stop}. */
  readonly onExit: (exit: number | null, signal: string | null) => void;
  /** Takes its stdin and stdout when they carry a protocol. Then only stderr is kept. */
  readonly carry?: (pipes: Pipes) => void;
  /**
   * Whether its stdin has no bytes and an end at once, like /dev/null. Default: a pipe that stays open until it is
   * stopped, because servers in development mode end when their stdin ends.
   */
  readonly emptyStdin?: boolean;
}

/** A running target. */
export interface TargetProcess {
  readonly pid: number;
  /** How it ended, such as `exited with code 3`; undefined while it runs. */
  ending(): string | undefined;
  /** The end of its output, as lines. */
  output(): readonly string[];
  /** Stops it and all of its group; resolves when nothing of it runs. */
  stop(): Promise<void>;
  /** Asks it to stop (TERM), and does not wait. */
  terminate(): void;
  /** Kills the group at once. */
  kill(): void;
}

/** The end of a target's output that is kept (bytes). */
const tailKept = 64 << 10;
/** How long a target may take to stop by itself: after stdin closed, after TERM; and to have its output read (ms). */
const patience = { stdin: 150, term: 1500, output: 300 } as const;

/** The last bytes of a stream of any length. */
class Tail {
  #chunks: Buffer[] = [];
  #size = 0;
  total = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.total += chunk.length;
    while (this.#size - (this.#chunks[0]?.length ?? 0) > tailKept)
      this.#size -= this.#chunks.shift()?.length ?? 0;
  }

  lines(): string[] {
    const text = Buffer.concat(this.#chunks).subarray(-tailKept).toString('utf8');
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const dropped = this.total - Math.min(this.total, tailKept);
    return dropped > 0 ? [`… (${dropped} earlier bytes not kept)`, ...lines] : lines;
  }
}

/**
 * Starts a target.
 *
 * @throws WireproofError 'environment' when it cannot be started
 */
export async function startProcess(options: ProcessOptions): Promise<TargetProcess> {
  const [file = '', ...args] = options.command;
  if (file === '')
    throw new WireproofError('usage', 'the command is empty: give a program after --, such as ./my-agent');
  const inherited = options.hidesCredentials === true ? withoutCredentialVariables(process.env) : process.env;
  const supervision = new Supervision({ leads: true });
  const child = spawn(file, args, {
    detached: process.platform !== 'win32',
    stdio: [options.emptyStdin === true ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { ...inherited, ...options.env, ...supervision.environment },
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
  });
  supervision.started(child, { piped: true });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why = startFailure(options, error);
      reject(
        new WireproofError('environment', `cannot start the target ${JSON.stringify(file)}: ${why}`, {
          cause: error,
        }),
      );
    });
  });
  return watch(child, options, supervision);
}

/** Why a program could not be started, and what to do where the mistake is a usual one. */
function startFailure(
  { command, folder = '.' }: ProcessOptions,
  { code, message }: NodeJS.ErrnoException,
): string {
  const [file = '', ...args] = command;
  if (statSync(resolve(folder, file), { throwIfNoEntry: false })?.isDirectory()) return 'it is a folder';
  if (code === 'EACCES') return `not executable; chmod +x ${JSON.stringify(file)} makes it so`;
  if (code !== 'ENOENT') return message;
  const isLine = args.length === 0 && /\s/.test(file.trim());
  return `no such file or command${isLine ? '; it is one argument: write the command without quotes around it, or as a list of words' : ''}`;
}

/** Reads what a process prints. @returns the last of it */
function outputOf({ stdout, stdin, stderr }: ChildProcess, options: ProcessOptions): Tail {
  const tail = new Tail();
  const read = (stream: OutputStream, from: Readable | null): void => {
    const decoder = new TextDecoder();
    from?.on('data', (chunk: Buffer) => {
      tail.push(chunk);
      options.onOutput?.(stream, decoder.decode(chunk, { stream: true }));
    });
  };
  if (options.carry === undefined) read('stdout', stdout);
  else if (stdout !== null && stdin !== null) options.carry({ readable: stdout, writable: stdin });
  read('stderr', stderr);
  return tail;
}

function watch(child: ChildProcess, options: ProcessOptions, supervision: Supervision): TargetProcess {
  const tail = outputOf(child, options);
  child.stdin?.on('error', () => {}); // the target may close its stdin
  child.on('error', () => {});
  let ending: string | undefined;
  let stopping = false;
  const pid = child.pid ?? 0;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (exit, signal) => {
      const over = (): void => {
        ending = endingText(exit, signal);
        if (!stopping) options.onExit(exit, signal);
        resolve();
      };
      void outputRead(child).then(over);
    });
  });
  const target: TargetProcess = {
    pid,
    ending: () => ending,
    output: () => tail.lines(),
    terminate: () => supervision.signal('SIGTERM'),
    kill: () => supervision.kill(),
    async stop() {
      stopping = true;
      supervision.look(); // when the target has ended, its tree is no more
      child.stdin?.end();
      const isAsked = child.stdin !== null && (await within(exited, patience.stdin));
      if (!isAsked) supervision.signal('SIGTERM');
      if (!(await within(exited, patience.term))) supervision.kill();
      await exited;
      supervision.end(); // processes that it has forked and not ended, and those that have left its group
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
  return target;
}

/** How a process ended, in words. */
export const endingText = (exit: number | null, signal: string | null): string =>
  signal === null ? `exited with code ${exit ?? 0}` : `was ended by ${signal}`;

/** Waits until all that an ended process has printed was read. A program that it left behind may hold the pipes open. */
const outputRead = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    // Timers come before input in a turn of the loop: a busy machine gets a turn to read after the time is up.
    const late = setTimeout(() => setImmediate(() => setImmediate(resolve)), patience.output);
    child.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });

/** Whether a promise settles in time. */
async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}
