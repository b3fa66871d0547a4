/** The events of a session's trace that stay in memory, up to the limit of all traces of a run. */
import { memoryOf } from '../base/index.ts';
import type { MemoryLimit, TraceEvent } from '../base/index.ts';
import { withShortTexts } from './long-text.ts';

/** The memory for the events of all traces of a run (bytes). The kit cuts the connections of a target that sends more. */
export const traceMemory: number = 96 << 20;

/** The memory of an event besides its data (bytes). */
const eventMemory = 350;

export class KeptTrace {
  readonly events: TraceEvent[] = [];
  readonly #memory: MemoryLimit;
  readonly #longest: number;
  #full = false;

  /** @param longest - the longest text of a message that is kept (UTF-16 units); longer ones are shortened */
  constructor(memory: MemoryLimit, longest: number = Infinity) {
    this.#memory = memory;
    this.#longest = longest;
  }

  /** Keeps an event. @returns the sentence of a run that stops now; undefined while there is room, and after it was given */
  keep(came: TraceEvent): string | undefined {
    const event = this.#longest === Infinity ? came : withShortTexts(came, this.#longest);
    this.events.push(event);
    const fits = this.#memory.take(eventMemory + memoryOf(event.data) + (event.bytes?.length ?? 0));
    if (fits || this.#full) return undefined;
    this.#full = true;
    return outOfMemory(this.#memory);
  }
}

/** The sentence of a run that stops because its traces take all their memory. */
export const outOfMemory = ({ most }: MemoryLimit): string =>
  `the messages of the target take more than ${most >> 20} MiB of memory, the most for the traces of a run (wireproof limits)`;
