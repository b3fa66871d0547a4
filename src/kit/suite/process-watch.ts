/**
 * Watches the processes of a scenario's tools. A process belongs to a call when its command line holds the word of that
 * call. Marks note what was seen, so that a late look blames nobody.
 */
import type { JsonObject } from '../base/index.ts';
import type { Clock, Timer } from '../world/index.ts';
import type { ToolWord } from './tool-words.ts';

/** The command lines of the processes that run; undefined: the platform does not show them. */
export type ListProcesses = () => readonly string[] | undefined;

export interface ProcessWatchOptions {
  readonly clock: Clock;
  readonly list: ListProcesses;
  /** The tools that are watched, by meaning. */
  readonly tools: readonly string[];
  /** The words of the calls that were made so far. */
  readonly words: () => readonly ToolWord[];
  /** Puts a mark into the trace. */
  readonly mark: (data: JsonObject) => void;
}

/** The time from the end of a look to the next one (ms). */
const interval = 150;

/** The processes of a call at the last look. */
interface Seen {
  alive: boolean;
  /** When they were last seen alive (ms). */
  at: number;
}

/**
 * A watch, from its beginning to `stop`. Its marks:
 * - `{process: 'slow', word, alive: true}`: a process of the call appeared, or still runs when the watch stops.
 * - `{process: 'slow', word, alive: false, seen}`: the last one is gone; it was last seen so long before (ms).
 * - `{process: 'slow', unseen}`: none can be seen, or none was until the watch stopped; and why.
 */
export class ProcessWatch {
  readonly #options: ProcessWatchOptions;
  readonly #seen = new Map<string, Seen>();
  #timer: Timer | undefined;
  #stopped = false;
  #hidden = false;

  constructor(options: ProcessWatchOptions) {
    this.#options = options;
  }

  /** Looks for the first time. */
  begin(): void {
    this.#lookAgain();
  }

  /** Looks a last time, and ends the watch. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timer?.cancel();
    if (this.#hidden) return;
    this.#look();
    const { tools, words, mark } = this.#options;
    for (const { tool, word } of words())
      if (this.#seen.get(word)?.alive === true) mark({ process: tool, word, alive: true });
    for (const tool of this.#hidden ? [] : tools)
      if (words().every((one) => one.tool !== tool || !this.#seen.has(one.word)))
        mark({
          process: tool,
          unseen: `no process was seen whose command line holds the {nonce} of tools.${tool}`,
        });
  }

  #lookAgain(): void {
    this.#look();
    if (this.#stopped || this.#hidden) return;
    this.#timer = this.#options.clock.after(interval, () => this.#lookAgain());
  }

  #look(): void {
    const { clock, list, tools, words, mark } = this.#options;
    const lines = list();
    if (lines === undefined) {
      this.#hidden = true;
      for (const process of tools)
        mark({ process, unseen: 'this platform does not show the command lines of processes' });
      return;
    }
    const now = clock.now();
    const marks = words().flatMap((one) => {
      const isWatched = tools.includes(one.tool);
      return isWatched
        ? this.#note(
            one,
            lines.some((line) => line.includes(one.word)),
            now,
          )
        : [];
    });
    // A mark may end the scenario, and with it the watch.
    for (const data of marks) mark(data);
  }

  /** Notes whether the processes of a call are alive. @returns the marks of a change */
  #note({ tool, word }: ToolWord, alive: boolean, now: number): readonly JsonObject[] {
    const seen = this.#seen.get(word);
    if (alive) this.#seen.set(word, { alive, at: now });
    if (alive === (seen?.alive ?? false)) return [];
    if (seen === undefined || alive) return [{ process: tool, word, alive: true }];
    seen.alive = false;
    return [{ process: tool, word, alive: false, seen: Math.round(now - seen.at) }];
  }
}
