/** What a reader of answers notes while it reads: which rows an event put to the test, which it broke. */

/** One thing noted about one row at one event. */
export interface Note {
  /** The row's id. */
  readonly row: string;
  /** What was expected and what came; absent: the row was put to the test, and held. */
  readonly broken?: string;
  /** Why nothing can be said of the row any more. */
  readonly lost?: string;
}

/** Takes notes for the event at hand. Of each row and answer only the first breaches are kept, as one fault has many echoes. */
export class Notes {
  #now: Note[] = [];
  readonly #broken = new Map<string, number>();

  /** The row was put to the test here, and held. */
  held(row: string): void {
    if (!this.#now.some((note) => note.row === row)) this.#now.push({ row });
  }

  /** The row was broken here. */
  broke(row: string, message: string): void {
    const times = (this.#broken.get(row) ?? 0) + 1;
    this.#broken.set(row, times);
    if (times <= breachesKept) this.#now.push({ row, broken: message });
  }

  /** Nothing can be said of the row any more. */
  lost(row: string, why: string): void {
    this.#now.push({ row, lost: why });
  }

  /** Whether the row was broken before. */
  hasBroken(row: string): boolean {
    return this.#broken.has(row);
  }

  /** What was noted since it was taken last. */
  take(): readonly Note[] {
    const taken = this.#now;
    this.#now = [];
    return taken;
  }
}

/** Breaches of one row that are told of one answer. */
const breachesKept = 3;

/** A value that is text; any other is as if it were not there. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A value in a message: short, as JSON. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`;
}
