/** The tool `run`: a program as a process of its own, which is killed with its children when its call is stopped. */
import type { Readable } from 'node:stream';
import { startProcess } from '../../kit/transport/index.ts';
import type { TargetProcess } from '../../kit/transport/index.ts';
import type { ToolEnd } from '../options.ts';

/** The most bytes of its output that are kept: the first ones. */
const mostBytes = 1 << 18;

/** A program that runs for a call. */
export class ProgramRun {
  #process: TargetProcess | undefined;
  #isStopped = false;
  readonly #kept: Buffer[] = [];
  #size = 0;

  /** Runs it to its end. Never throws. */
  async run(command: readonly string[]): Promise<ToolEnd> {
    let exited: (exit: number | null) => void = () => {};
    const exit = new Promise<number | null>((resolve) => (exited = resolve));
    try {
      this.#process = await startProcess({
        command,
        env: {},
        hidesCredentials: true,
        onExit: (code) => exited(code),
        carry: ({ readable, writable }) => {
          writable.end();
          this.#keep(readable);
        },
      });
    } catch (error) {
      return { outcome: 'failed', output: error instanceof Error ? error.message : String(error) };
    }
    if (this.#isStopped) this.#process.kill();
    const code = await exit;
    const output = this.#output(this.#process, code);
    // What it has started and left behind ends with it.
    await this.#process.stop();
    return { outcome: code === 0 ? 'completed' : 'failed', output };
  }

  /** Kills it and its children at once. */
  stop(): void {
    this.#isStopped = true;
    this.#process?.kill();
  }

  #keep(readable: Readable): void {
    readable.on('data', (chunk: Buffer) => {
      const room = mostBytes - this.#size;
      if (room > 0) this.#kept.push(chunk.subarray(0, room));
      this.#size += chunk.length;
    });
  }

  #output(program: TargetProcess, code: number | null): string {
    const errors = program.output().join('\n');
    const ending = code === 0 ? '' : (program.ending() ?? '');
    return [Buffer.concat(this.#kept).toString('utf8'), errors, ending]
      .filter((part) => part !== '')
      .join('\n');
  }
}
