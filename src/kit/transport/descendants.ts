/**
 * Finds the processes that a program has started and left, whatever process group they are in: by a variable that they
 * inherit, by the tree of parents, and by the pipes of the program that they still hold. Linux shows these three.
 * Elsewhere only the process group of the program can be had. A program that ends before its pipes were read, that is within
 * a millisecond or so, can leave a process without a variable that nothing finds.
 */
import { ownProcesses, standardPipesOf, startOf } from './own-processes.ts';
import type { OwnProcess } from './own-processes.ts';

/** The environment variable by which the descendants of a program are found: the marks of all kits above it. */
export const markVariable = 'WIREPROOF_STARTED_BY';

/** The environment variable of a guard. It ends by itself, after it has done its work for a kit that was a target. */
export const guardVariable = 'WIREPROOF_GUARD';

/** What finds the processes of a program. */
export interface Traits {
  /** The program's mark, such as `KIT/3`; the mark `KIT` stands for every program of that kit. */
  readonly mark: string;
  /** The program itself, by its id and its start; undefined: it is not known. */
  readonly root?: { readonly pid: number; readonly start: string };
  /** Its stdin, stdout and stderr, where they are pipes of its own. */
  readonly pipes: readonly string[];
}

/** The processes of a program that run at this moment. */
export function familyOf({ mark, root, pipes }: Traits): readonly OwnProcess[] {
  const all = ownProcesses();
  const belongs = ({ pid, start, environment }: OwnProcess): boolean =>
    hasMark(environment, mark) ||
    (root?.pid === pid && root.start === start) ||
    (pipes.length > 0 && standardPipesOf(pid).some((pipe) => pipes.includes(pipe)));
  const family = new Map(all.filter(belongs).map((one) => [one.pid, one]));
  for (let before = -1; before !== family.size;) {
    before = family.size;
    for (const one of all) if (family.has(one.parent)) family.set(one.pid, one);
  }
  return [...family.values()].filter(({ environment }) => entryOf(environment, guardVariable) === undefined);
}

/** The standard pipes of the processes with a mark, without those that they share with others. */
export const pipesOfMarked = (mark: string, shared: readonly string[]): readonly string[] =>
  ownProcesses()
    .filter(({ environment }) => hasMark(environment, mark))
    .flatMap(({ pid }) => standardPipesOf(pid))
    .filter((pipe) => !shared.includes(pipe));

function hasMark(environment: string, mark: string): boolean {
  const marks = entryOf(environment, markVariable)?.split(' ') ?? [];
  return marks.some((one) => one === mark || one.startsWith(`${mark}/`));
}

function entryOf(environment: string, name: string): string | undefined {
  if (!environment.includes(name)) return undefined;
  const entry = environment.split('\0').find((one) => one.startsWith(`${name}=`));
  return entry?.slice(name.length + 1);
}

/** The processes of one program. Those that were seen once are found again when their parent has ended. */
export class Descendants {
  readonly #traits: Traits;
  readonly #seen = new Map<number, string>();

  constructor(traits: Traits) {
    this.#traits = traits;
  }

  /** Remembers those that run at this moment: the end of the program ends its tree of parents. */
  look(): void {
    for (const { pid, start } of familyOf(this.#traits)) this.#seen.set(pid, start);
  }

  /** Kills those that run at this moment, again and again until no new one is found. */
  kill(): void {
    const killed = new Set<string>();
    for (let isNew = true; isNew;) {
      const before = this.#seen.size;
      this.look();
      // One that was seen and has ended since may have started another one.
      isNew = this.#seen.size > before;
      for (const [pid, start] of this.#seen) {
        if (killed.has(`${pid} ${start}`) || startOf(pid) !== start) continue;
        killed.add(`${pid} ${start}`);
        end(pid);
        isNew = true;
      }
    }
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Sends a signal to a program. `leads`: whether it leads a process group, which gets the signal. */
export function signalProgram(pid: number | undefined, leads: boolean, signal: NodeJS.Signals): void {
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(leads ? -pid : pid, signal);
  } catch {
    // No process of the group is left.
  }
}
