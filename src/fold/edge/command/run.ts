/** Runs one command in a process group of its own, reads the lines of its output, and stops its whole group. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Supervision } from '../../../kit/transport/index.ts';
import type { DriverCall } from '../driver-link.ts';

export interface CommandEnd {
  readonly exit: number | null;
  readonly signal: string | null;
  /** The last line on stderr. */
  readonly lastLine: string;
  /** The reason why it could not run or was stopped. */
  readonly failed?: string;
  /** Whether it does not exist or is not executable. */
  readonly missing?: boolean;
}

/** A command to run, and the callbacks of its events. */
export interface CommandOptions {
  /** argv; never a shell string. */
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** The folder in which it runs; absent: the folder of this process. */
  readonly folder?: string | undefined;
  /** Its whole stdin. */
  readonly input: string;
  /** Receives a line of its output. @returns why the line is invalid, to stop the command; or undefined */
  readonly line: (text: string) => string | undefined;
  /** Called once, unless the command is aborted; never before {@link runCommand} returns. */
  readonly ended: (end: CommandEnd) => void;
}

/** The longest line of output, and the longest kept end of stderr (characters). */
const longestLine = 16 << 20;
const longestStderr = 8 << 10;
/** The wait between SIGTERM and SIGKILL (ms). */
const killDelay = 1000;

/** Starts a command. */
export const runCommand = (options: CommandOptions): DriverCall => new Command(options);

class Command implements DriverCall {
  readonly #options: CommandOptions;
  readonly #supervision: Supervision = new Supervision({ leads: true });
  readonly #child: ChildProcessWithoutNullStreams | undefined;
  /** The unfinished line of its output. */
  #rest = '';
  #stderr = '';
  #failed: { readonly failed: string; readonly missing?: boolean } | undefined;
  #over = false;
  #isRunning = false;

  constructor(options: CommandOptions) {
    this.#options = options;
    const [file = '', ...args] = options.argv;
    try {
      this.#child = spawn(file, args, {
        detached: process.platform !== 'win32',
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, ...options.env, ...this.#supervision.environment },
        ...(options.folder === undefined ? {} : { cwd: options.folder }),
      });
      this.#supervision.started(this.#child, { piped: true });
      this.#watch(this.#child);
    } catch (error) {
      // Mostly arguments that are too long.
      this.#cannotRun(error as NodeJS.ErrnoException);
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

  #stop(): void {
    this.#supervision.look();
    this.#supervision.signal('SIGTERM');
    setTimeout(() => {
      if (this.#isRunning) this.#supervision.kill();
    }, killDelay).unref();
  }

  #watch(child: ChildProcessWithoutNullStreams): void {
    this.#isRunning = true;
    child.stdin.on('error', () => {}); // the command does not read it
    child.stdin.end(this.#options.input);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stderr = (this.#stderr + chunk).slice(-longestStderr);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      this.#cannotRun(error);
      if (child.pid === undefined) this.#end(null, null);
    });
    // Ends the processes that it has started. They would otherwise keep its output open.
    child.once('exit', () => this.#supervision.end());
    child.once('close', (exit, signal) => {
      this.#line();
      this.#end(exit, signal);
    });
  }

  #cannotRun(error: NodeJS.ErrnoException): void {
    const file = JSON.stringify(this.#options.argv[0] ?? '');
    const reasons: { readonly [code: string]: string } = {
      ENOENT: 'no such file or command',
      EACCES: 'not executable',
      E2BIG: 'its arguments are too long; the call is also on its stdin',
    };
    const reason = reasons[error.code ?? ''] ?? error.message;
    this.#failed ??= { failed: `cannot run the command ${file}: ${reason}`, missing: error.code !== 'E2BIG' };
  }

  #end(exit: number | null, signal: string | null): void {
    this.#isRunning = false;
    if (this.#over) return;
    this.#over = true;
    const lastLine = this.#stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
    this.#options.ended({ exit, signal, lastLine, ...this.#failed });
  }

  #read(chunk: string): void {
    if (this.#failed !== undefined) return;
    const [first = '', ...more] = chunk.split('\n');
    this.#rest += first;
    for (const next of more) {
      this.#line();
      this.#rest = next;
    }
    if (this.#rest.length > longestLine)
      this.#fail(`expected lines of at most ${longestLine} characters; came more`);
  }

  #line(): void {
    const text = this.#rest.trim();
    if (text === '' || this.#over || this.#failed !== undefined) return;
    const wrong = this.#options.line(text);
    if (wrong !== undefined) this.#fail(wrong);
  }

  #fail(failed: string): void {
    this.#rest = '';
    this.#failed = { failed };
    this.#stop();
  }
}
