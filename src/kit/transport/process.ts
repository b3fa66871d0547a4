/**
 * Runs a target as a process of its own group, keeps the end of what it prints, and stops it whole: stdin is
 * closed, then TERM, then KILL for the group.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Pipes } from './byte-endpoint.ts';
import { WireproofError } from '../base/index.ts';

/** How a process is started. */
export interface ProcessOptions {
  /** argv; never a shell string. */
  readonly command: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** Called when it ends by itself, that is before {@link TargetProcess.stop}. */
  readonly onExit: (exit: number | null, signal: string | null) => void;
  /** Takes its stdin and stdout when they carry a protocol. Then only stderr is kept. */
  readonly carry?: (pipes: Pipes) => void;
}

/** A running target. */
export interface TargetProcess {
  readonly pid: number;
  /** How it ended, such as `exited with code 3`; undefined while it runs. */
  ending(): string | undefined;
  /** The end of what it printed, as lines. */
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
/** How long a target may take to stop by itself: after stdin closed, after TERM (ms). */
const patience = { stdin: 150, term: 1500 } as const;

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

const running = new Set<TargetProcess>();

/** Kills every running target, for a kit that must end at once. */
export function killAllTargets(): void {
  for (const target of running) target.kill();
}

/**
 * Starts a target.
 *
 * @throws WireproofError 'environment' when it cannot be started
 */
export async function startProcess(options: ProcessOptions): Promise<TargetProcess> {
  const [file = '', ...args] = options.command;
  const child = spawn(file, args, {
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'ENOENT'
          ? 'no such file or command'
          : error.code === 'EACCES'
            ? 'not executable'
            : error.message;
      reject(
        new WireproofError('environment', `cannot start the target ${JSON.stringify(file)}: ${why}`, {
          cause: error,
        }),
      );
    });
  });
  return watch(child, options);
}

function watch(child: ChildProcess, options: ProcessOptions): TargetProcess {
  const tail = new Tail();
  const { stdout, stdin } = child;
  if (options.carry === undefined) stdout?.on('data', (chunk: Buffer) => tail.push(chunk));
  else if (stdout !== null && stdin !== null) options.carry({ readable: stdout, writable: stdin });
  child.stderr?.on('data', (chunk: Buffer) => tail.push(chunk));
  stdin?.on('error', () => {}); // a target that closed its stdin
  child.on('error', () => {});
  let ending: string | undefined;
  let stopping = false;
  const pid = child.pid ?? 0;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (exit, signal) => {
      ending = signal === null ? `exited with code ${exit ?? 0}` : `was ended by ${signal}`;
      if (!stopping) options.onExit(exit, signal);
      resolve();
    });
  });
  const target: TargetProcess = {
    pid,
    ending: () => ending,
    output: () => tail.lines(),
    terminate: () => signalGroup(child, 'SIGTERM'),
    kill: () => signalGroup(child, 'SIGKILL'),
    async stop() {
      stopping = true;
      child.stdin?.end();
      if (!(await within(exited, patience.stdin))) signalGroup(child, 'SIGTERM');
      if (!(await within(exited, patience.term))) signalGroup(child, 'SIGKILL');
      await exited;
      signalGroup(child, 'SIGKILL'); // what it has forked and left behind
      running.delete(target);
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
  running.add(target);
  return target;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined || pid <= 1) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // No process of the group is left.
  }
}

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
