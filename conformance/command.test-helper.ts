/** Runs the built command, and other programs, next to a test: each is ended when its test is over. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { packageRoot } from '../src/kit/spec/index.ts';
import { until } from '../src/kit/world/until.test-helper.ts';

/** The built command. */
export const command: string = join(packageRoot(), 'dist/bin/wireproof.cjs');

/**
 * A folder of this worker. It lies inside node_modules, so that programs in it find their packages. The folder above it
 * belongs to the run, whose end removes it (.config/vitest.setup.ts).
 */
export const scratch: string = join(
  packageRoot(),
  `node_modules/.cache/wireproof-test/${process.ppid}/${process.pid}`,
);
mkdirSync(scratch, { recursive: true });

/** Writes a program into the scratch folder. @returns its path */
export function program(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** How a program is run. */
export interface RunOptions {
  /** Default: the scratch folder. */
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
}

/** How a program ended, with all that it printed. */
export interface Ran {
  /** The exit code; 130 when SIGINT ended it, as in a shell; null when another signal did. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Programs that were started for a whole file. */
const lasting: RunningProgram[] = [];

/** Ends the programs of a file whose tests are over. .config/vitest.after-file.ts calls it. */
export const endPrograms = async (): Promise<void> =>
  void (await Promise.all(lasting.splice(0).map((one) => one.stop())));

/** A program that runs next to a test, or next to all tests of a file when `beforeAll` starts it. */
export class RunningProgram {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  /** Settles when it has ended and all of its output was read. */
  readonly ended: Promise<Ran>;

  constructor(argv: readonly string[], { cwd = scratch, env }: RunOptions = {}) {
    const [file = '', ...args] = argv;
    this.child = spawn(file, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', CI: '1', GITHUB_ACTIONS: '', ...env },
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    // A program that ends early does not read its stdin.
    this.child.stdin?.on('error', () => {});
    this.child.on('error', (error) => (this.stderr += error.message));
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        resolve({ code: signal === 'SIGINT' ? 130 : code, stdout: this.stdout, stderr: this.stderr });
      });
    });
    try {
      onTestFinished(async () => void (await this.stop()));
    } catch {
      lasting.push(this); // no test is running
    }
  }

  /** Waits for a text on stdout or stderr. @throws Error with the output when it does not come */
  async prints(text: RegExp): Promise<RegExpExecArray> {
    let found: RegExpExecArray | null = null;
    const seen = (): boolean => {
      found = text.exec(this.stderr) ?? text.exec(this.stdout);
      return found !== null || this.child.exitCode !== null;
    };
    await until(seen, () => `${text} from ${this.child.spawnargs.join(' ')}: ${this.stdout}${this.stderr}`);
    if (found === null) throw new Error(`the program ended without ${text}: ${this.stdout}${this.stderr}`);
    return found;
  }

  /** Ends it: by a signal, and by KILL when it still runs 10 s later. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ran> {
    this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    return this.ended.finally(() => clearTimeout(timer));
  }
}

/** Starts a Node.js program. */
export const startNode = (args: readonly string[], options?: RunOptions): RunningProgram =>
  new RunningProgram([process.execPath, ...args], options);

/** Starts the built command. */
export const startWireproof = (args: readonly string[], options?: RunOptions): RunningProgram =>
  startNode([command, ...args], options);

/** Runs the built command to its end. */
export const wireproof = (args: readonly string[], options?: RunOptions): Promise<Ran> =>
  startWireproof(args, options).ended;

/** How a check ended; the report is undefined where the command wrote none. */
export interface CheckedProgram {
  readonly code: number | null;
  readonly stderr: string;
  readonly report: Report | undefined;
  /** The rows that failed. */
  readonly failed: readonly string[] | undefined;
}

/** Several tests run side by side, so each starts fewer targets at a time than the command does by default. */
const few = ['--jobs', '4'];

/** Checks a target with the built command: `args` are the suite and flags, `target` is after `--`. */
export async function checked(
  args: readonly string[],
  target: readonly string[],
  options?: RunOptions,
): Promise<CheckedProgram> {
  const { code, stdout, stderr } = await wireproof(
    ['check', ...few, ...args, '--json', '--trace', 'off', ...(target.length > 0 ? ['--', ...target] : [])],
    options,
  );
  const report = stdout === '' ? undefined : (JSON.parse(stdout) as Report);
  const failed = report?.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  return { code, stderr, report, failed };
}
