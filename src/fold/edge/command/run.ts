/** Runs one command in a process group of its own, reads its lines, and leaves nothing of it behind. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { DriverCall } from '../driver-link.ts';

/** How a command ended. */
export interface CommandEnd {
  readonly exit: number | null;
  readonly signal: string | null;
  /** The last line on stderr. */
  readonly lastLine: string;
  /** Why it could not be run, or was stopped. */
  readonly failed?: string;
  /** It was not there to be run. */
  readonly missing?: boolean;
}

/** What is run, and who hears of it. */
export interface CommandOptions {
  /** argv; never a shell string. */
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** For its stdin. */
  readonly input: string;
  /** A line of its output. @returns what is wrong with it: the command is then stopped */
  readonly line: (text: string) => string | undefined;
  /** Called once, unless it is aborted; never before {@link runCommand} returns. */
  readonly ended: (end: CommandEnd) => void;
}

/** The longest line of output (bytes), and the end of stderr that is kept. */
const longestLine = 16 << 20;
const stderrKept = 8 << 10;
/** How long a command that is stopped may take before it is killed (ms). */
const grace = 1000;

const running = new Set<Command>();
let watching = false;

/** A kit that goes at once takes its commands with it. */
function watchExit(): void {
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const command of running) command.kill('SIGKILL');
  });
}

/** Starts a command. */
export function runCommand(options: CommandOptions): DriverCall {
  watchExit();
  return new Command(options);
}

class Command implements DriverCall {
  readonly #options: CommandOptions;
  readonly #child: ChildProcessWithoutNullStreams | undefined;
  #rest: Buffer[] = [];
  #restSize = 0;
  #stderr = '';
  #failed: { readonly failed: string; readonly missing?: boolean } | undefined;
  #over = false;

  constructor(options: CommandOptions) {
    this.#options = options;
    const [file = '', ...args] = options.argv;
    try {
      this.#child = spawn(file, args, {
        detached: process.platform !== 'win32',
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, ...options.env },
      });
      this.#watch(this.#child);
    } catch (error) {
      // Arguments that are too long, above all.
      this.#cannot(error as NodeJS.ErrnoException);
      setImmediate(() => this.#end(null, null));
    }
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stop();
  }

  pause(): void {
    this.#child?.stdout.pause();
  }

  resume(): void {
    this.#child?.stdout.resume();
  }

  /** Signals the group. */
  kill(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined || pid <= 1) return;
    try {
      if (process.platform === 'win32') this.#child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nothing of the group is left.
    }
  }

  #stop(): void {
    this.kill('SIGTERM');
    setTimeout(() => {
      if (running.has(this)) this.kill('SIGKILL');
    }, grace).unref();
  }

  #watch(child: ChildProcessWithoutNullStreams): void {
    running.add(this);
    child.stdin.on('error', () => {}); // one that does not read it
    child.stdin.end(this.#options.input);
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-stderrKept);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      this.#cannot(error);
      if (child.pid === undefined) this.#end(null, null);
    });
    // What it has forked goes with it, and would otherwise hold its output open.
    child.once('exit', () => this.kill('SIGKILL'));
    child.once('close', (exit, signal) => {
      if (this.#restSize > 0) this.#line(Buffer.concat(this.#rest));
      this.#end(exit, signal);
    });
  }

  #cannot(error: NodeJS.ErrnoException): void {
    const file = JSON.stringify(this.#options.argv[0] ?? '');
    const whys: { readonly [code: string]: string } = {
      ENOENT: 'no such file or command',
      EACCES: 'not executable',
      E2BIG: 'its arguments are too long; the call is also on its stdin',
    };
    const why = whys[error.code ?? ''] ?? error.message;
    this.#failed ??= { failed: `cannot run the command ${file}: ${why}`, missing: error.code !== 'E2BIG' };
  }

  #end(exit: number | null, signal: string | null): void {
    running.delete(this);
    if (this.#over) return;
    this.#over = true;
    const lastLine = this.#stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
    this.#options.ended({ exit, signal, lastLine, ...this.#failed });
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#rest.push(chunk.subarray(from, at));
      const line = Buffer.concat(this.#rest);
      this.#rest = [];
      this.#restSize = 0;
      from = at + 1;
      this.#line(line);
    }
    if (from >= chunk.length || this.#failed !== undefined) return;
    this.#rest.push(chunk.subarray(from));
    this.#restSize += chunk.length - from;
    if (this.#restSize > longestLine) this.#fail(`expected lines of at most ${longestLine} bytes; came more`);
  }

  #line(bytes: Buffer): void {
    const text = bytes.toString('utf8').trim();
    if (text === '' || this.#over || this.#failed !== undefined) return;
    const wrong = this.#options.line(text);
    if (wrong !== undefined) this.#fail(wrong);
  }

  #fail(failed: string): void {
    this.#rest = [];
    this.#restSize = 0;
    this.#failed = { failed };
    this.#stop();
  }
}
