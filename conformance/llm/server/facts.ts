/** What the event at hand shows of answers. Readers put these facts down before any rule looks. */
import type { Answer } from './answer.ts';

/** One fact. */
export type Fact =
  /** About a row that only the reader of a dialect can judge. */
  | { readonly type: 'exercised'; readonly row: string }
  | { readonly type: 'violated' | 'unknowable'; readonly row: string; readonly message: string }
  /** The terminal of an answer came: the answer is what was told in sum. */
  | { readonly type: 'terminal'; readonly answer: Answer }
  /** An error ended an answer: in mid-stream, or instead of it; `fault`: what is wrong with its form. */
  | { readonly type: 'error'; readonly begun: boolean; readonly fault: string | undefined }
  /** Something came after the end of an answer: another terminal, or anything else. */
  | { readonly type: 'late'; readonly terminal: boolean; readonly what: string }
  /** The body, or the channel, is over: in order, or lost. */
  | { readonly type: 'over'; readonly inOrder: boolean; readonly ended: Answer['ended'] }
  /** A counting endpoint counted a prompt. */
  | { readonly type: 'count'; readonly prompt: string; readonly tokens: number };

/** Violations of one row that are told of one answer: one fault has many echoes. */
const violationsKept = 3;

/** Takes the facts of one exchange down, an event at a time. */
export class Facts {
  #now: Fact[] = [];
  readonly #violated = new Map<string, number>();

  /** The row was put to the test, and kept. */
  exercised(row: string): void {
    if (!this.#now.some((fact) => 'row' in fact && fact.row === row))
      this.#now.push({ type: 'exercised', row });
  }

  /** The row was violated. */
  violated(row: string, message: string): void {
    this.#once(row, { type: 'violated', row, message });
  }

  /** Nothing can be said of the row any more. */
  unknowable(row: string, message: string): void {
    this.#now.push({ type: 'unknowable', row, message });
  }

  /** Something that a rule judges; `row` is the one that it violates, if it does. */
  add(fact: Fact, row?: string): void {
    if (row === undefined) this.#now.push(fact);
    else this.#once(row, fact);
  }

  #once(row: string, fact: Fact): void {
    const times = (this.#violated.get(row) ?? 0) + 1;
    this.#violated.set(row, times);
    if (times <= violationsKept) this.#now.push(fact);
  }

  /** Whether a reader found the row violated before. */
  hasViolated(row: string): boolean {
    return this.#violated.has(row);
  }

  /** The facts since they were taken last. */
  take(): readonly Fact[] {
    const taken = this.#now;
    this.#now = [];
    return taken;
  }
}

/** A value that is text; any other counts as absent. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A value in a message: short, as JSON. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`;
}
