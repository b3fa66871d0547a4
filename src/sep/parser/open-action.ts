/** An action whose end has not come: it keeps the body up to a limit, and finds where it ends. */
import { BodyScanner } from './body.ts';
import type { BodyEnd } from './body.ts';

/** An action that has ended. */
export interface ClosedAction {
  /** The attributes as they are written. */
  readonly source: string;
  /** The position of its tag. */
  readonly offset: number;
  /** The body; undefined: it was larger than the limit. */
  readonly body: string | undefined;
  /** What was read behind its end, and the position of it. */
  readonly rest: string;
  readonly restAt: number;
}

/** See the file's head. */
export class OpenAction {
  /** The position of its tag. */
  readonly offset: number;
  readonly #source: string;
  /** The position of the body. */
  readonly #from: number;
  readonly #mostBody: number;
  readonly #scanner = new BodyScanner();
  readonly #parts: string[] = [];
  /** The characters of the body that were read. */
  #size = 0;
  #isTooLarge = false;

  /** @param at - the positions of its tag and of its body */
  constructor(source: string, at: { readonly offset: number; readonly from: number }, mostBody: number) {
    this.#source = source;
    this.offset = at.offset;
    this.#from = at.from;
    this.#mostBody = mostBody;
  }

  /** Reads characters from `from` on. @returns the position of the next one, and the action if it has ended */
  read(text: string, from: number): { readonly next: number; readonly closed?: ClosedAction } {
    // The limit is at the same character however the body is cut.
    const room = this.#isTooLarge ? Infinity : this.#mostBody - this.#size;
    const piece = text.length - from > room ? text.slice(0, from + room) : text;
    const before = this.#size;
    const found = this.#scanner.scan(piece, from);
    this.#size += piece.length - from;
    if (found === undefined) {
      this.#keep(piece.slice(from));
      return piece.length < text.length ? this.#limit(piece.length) : { next: piece.length };
    }
    const next = from + found.next - before;
    const isEarlier = next < from;
    this.#keep(isEarlier ? text.slice(from) : piece.slice(from, next));
    return { next: isEarlier ? text.length : next, closed: this.#closed(found) };
  }

  /** The action at the end of the output: it ends at the first `</action>` inside a string; undefined: it has no end. */
  end(): ClosedAction | undefined {
    const { candidate } = this.#scanner;
    return candidate && this.#closed(candidate);
  }

  #keep(part: string): void {
    if (!this.#isTooLarge) this.#parts.push(part);
  }

  /** A body that is larger than the limit is not kept, and ends at the next `</action>`. */
  #limit(next: number): { readonly next: number; readonly closed?: ClosedAction } {
    const { candidate } = this.#scanner;
    if (candidate !== undefined) return { next, closed: this.#closed(candidate) };
    this.#isTooLarge = true;
    this.#parts.length = 0;
    this.#scanner.breakOff();
    return { next };
  }

  #closed({ end, next }: BodyEnd): ClosedAction {
    const came = this.#parts.join('');
    const body = this.#isTooLarge ? undefined : came.slice(0, end);
    const rest = came.slice(next);
    return { source: this.#source, offset: this.offset, body, rest, restAt: this.#from + next };
  }
}
