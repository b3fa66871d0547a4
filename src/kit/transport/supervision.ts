/** Programs under supervision: what the kit has started ends with the kit, however that ends. */
import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Descendants, markVariable, signalProgram } from './descendants.ts';
import { kitFolder } from './kit-folder.ts';
import { standardPipesOf, startOf } from './own-processes.ts';

const running = new Set<Supervision>();
let count = 0;

/** The ids of the programs that run, which are those of their process groups. */
export const runningPrograms = (): ReadonlySet<number> =>
  new Set([...running].flatMap(({ pid }) => pid ?? []));

/** Kills every running program, at the exit of the kit. */
function killAll(): void {
  for (const one of running) one.kill();
}

/** A program and all that it starts. It begins before the start, so that the guard of the kit knows of no program too late. */
export class Supervision {
  readonly #mark: string;
  readonly #note: string | undefined;
  /** Whether the program leads a process group. */
  readonly #leads: boolean;
  #child: ChildProcess | undefined;
  #descendants: Descendants | undefined;

  constructor({ leads }: { readonly leads: boolean }) {
    const { mark, path } = kitFolder();
    // Before the folder of the kit is removed, which is the sign for the guard that nothing is left.
    if (count === 0) process.prependOnceListener('exit', killAll);
    const number = ++count;
    this.#leads = leads && process.platform !== 'win32';
    this.#mark = `${mark}/${number}`;
    this.#note = path instanceof Error ? undefined : join(path, `${number}.json`);
  }

  /** The variables that the program inherits. */
  get environment(): { readonly [name: string]: string } {
    const above = process.env[markVariable] ?? '';
    return { [markVariable]: above === '' ? this.#mark : `${above} ${this.#mark}` };
  }

  /** The id of the program; undefined before its start. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Takes the program that was started. `piped`: its standard streams are pipes of its own. */
  started(child: ChildProcess, { piped }: { readonly piped: boolean }): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.#child = child;
    const start = startOf(pid);
    const pipes = piped ? standardPipesOf(pid) : [];
    this.#descendants = new Descendants({
      mark: this.#mark,
      pipes,
      ...(start === undefined ? {} : { root: { pid, start } }),
    });
    running.add(this);
    this.#write(JSON.stringify({ pid, leads: this.#leads, start, pipes }));
  }

  /** Sends a signal to the program and its process group. */
  signal(name: NodeJS.Signals): void {
    // When it has ended, its id may be of another process. That of its group is not, while the group has a member.
    if (this.#leads || this.#child?.exitCode === null) signalProgram(this.#child?.pid, this.#leads, name);
  }

  /** Remembers what runs at this moment: see {@link Descendants.look}. */
  look(): void {
    this.#descendants?.look();
  }

  /** Kills the program, its group and its descendants. */
  kill(): void {
    this.#descendants?.look();
    this.signal('SIGKILL');
    this.#descendants?.kill();
  }

  /** Kills what the ended program has left, and forgets it. */
  end(): void {
    this.signal('SIGKILL');
    this.#descendants?.kill();
    running.delete(this);
    if (this.#note !== undefined) rmSync(this.#note, { force: true });
  }

  #write(text: string): void {
    try {
      if (this.#note !== undefined) writeFileSync(this.#note, text, { mode: 0o600 });
    } catch {
      // The folder was removed from outside. The guard finds the program by its mark.
    }
  }
}
