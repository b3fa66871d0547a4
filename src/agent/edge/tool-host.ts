/** Does the effects of a whole agent: its tools that touch the machine. Each ends by a command to the agent. */
import { isArray } from '../../kit/base/index.ts';
import type { JsonObject } from '../../kit/base/index.ts';
import { withoutCredentials } from '../../kit/world/index.ts';
import type { ToolCommand, ToolEffect, ToolEnd } from '../options.ts';
import { readFileIn } from './read-file.ts';
import { ProgramRun } from './run-program.ts';

export interface ToolHostOptions {
  /** The folder that `read_file` reads in. */
  readonly root: string;
  /** Takes the end of each run; the agent ignores that of a run that it has stopped. */
  readonly ended: (command: ToolCommand) => void;
}

/** Runs tools. */
export class ToolHost {
  readonly #options: ToolHostOptions;
  readonly #programs = new Map<string, ProgramRun>();
  /** The runs that have not ended. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: ToolHostOptions) {
    this.#options = options;
  }

  /** Begins a run, or stops one. */
  take(effect: ToolEffect): void {
    const { id } = effect;
    if (effect.do === 'cancel') return this.#programs.get(id)?.stop();
    this.#running.set(id, this.#runToEnd(effect));
  }

  /** Stops every run, and resolves when no process of them is left. */
  async stop(): Promise<void> {
    for (const program of this.#programs.values()) program.stop();
    await Promise.all(this.#running.values());
  }

  async #runToEnd(effect: Extract<ToolEffect, { do: 'run' }>): Promise<void> {
    const { id } = effect;
    const { output, ...end } = await this.#run(effect);
    this.#programs.delete(id);
    this.#running.delete(id);
    // A program may still find a credential: in a file, or in the environment of the kit's own process.
    const shown = withoutCredentials(output, () => 'redacted');
    this.#options.ended({ do: 'tool_end', id, end: { ...end, output: shown } });
  }

  async #run({ id, tool, input }: Extract<ToolEffect, { do: 'run' }>): Promise<ToolEnd> {
    if (tool === 'read_file') return readFileIn(this.#options.root, textOf(input, 'path'));
    if (tool !== 'run') return { outcome: 'failed', output: `this host has no tool called ${tool}` };
    const program = new ProgramRun();
    this.#programs.set(id, program);
    const { args } = input;
    const words = isArray(args) ? args.filter((word) => typeof word === 'string') : [];
    return program.run([textOf(input, 'command'), ...words]);
  }
}

function textOf(input: JsonObject, name: string): string {
  const value = input[name];
  return typeof value === 'string' ? value : '';
}
