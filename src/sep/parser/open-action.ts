/** An action, or a template, whose end has not come: it keeps the body up to a limit, and finds where it ends. */
import { exactJsonOf } from '../../kit/base/index.ts';
import type { Json } from '../../kit/base/index.ts';
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
  /** The value of the body, where it is known to be JSON; undefined: it must be parsed. */
  readonly value?: Json;
  /** What was read behind its end, and the position of it. */
  readonly rest: string;
  readonly restAt: number;
}

/** What has a JSON body. */
export type BodyTag = 'action' | 'template';

const closings: { readonly [T in BodyTag]: string } = { action: '</action>', template: '</template>' };

export class OpenAction {
  /** The tag that is open. */
  readonly tag: BodyTag;
  /** Its closing tag. */
  readonly #closing: string;
  /** The position of its tag. */
  readonly offset: number;
  readonly #source: string;
  /** The position of the body. */
  readonly #from: number;
  readonly #mostBody: number;
  readonly #scanner: BodyScanner;
  /** The body, and what was read behind its end. */
  #came = '';
  /** The characters of the body that were read. */
  #size = 0;
  #isTooLarge = false;
  #closed: ClosedAction | undefined;

  /** @param at - the positions of its tag and of its body */
  constructor(
    source: string,
    at: { readonly offset: number; readonly from: number },
    mostBody: number,
    tag: BodyTag = 'action',
  ) {
    this.tag = tag;
    this.#closing = closings[tag];
    this.#scanner = new BodyScanner(this.#closing);
    this.#source = source;
    this.offset = at.offset;
    this.#from = at.from;
    this.#mostBody = mostBody;
  }

  /** The action, if it has ended. */
  get closed(): ClosedAction | undefined {
    return this.#closed;
  }

  /** Reads characters from `from` on. @returns the position of the next one */
  read(text: string, from: number): number {
    if (this.#size === 0) {
      const next = this.#readWhole(text, from);
      if (next !== undefined) return next;
    }
    // The limit is at the same character however the body is cut.
    const room = this.#isTooLarge ? Infinity : this.#mostBody - this.#size;
    const piece = text.length - from > room ? text.slice(0, from + room) : text;
    const before = this.#size;
    const found = this.#scanner.scan(piece, from);
    this.#size += piece.length - from;
    if (found === undefined) {
      this.#keep(piece.slice(from));
      return piece.length < text.length ? this.#limit(piece.length) : piece.length;
    }
    const next = from + found.next - before;
    const isEarlier = next < from;
    this.#keep(isEarlier ? text.slice(from) : piece.slice(from, next));
    this.#closed = this.#endAt(found);
    return isEarlier ? text.length : next;
  }

  /**
   * A body that is there as a whole. What is JSON up to the first `</action>` ends there: in a string, it would not be
   * JSON.
   */
  #readWhole(text: string, from: number): number | undefined {
    const { length } = this.#closing;
    const end = text.indexOf(this.#closing, from);
    if (end < 0 || end - from > this.#mostBody - length) return undefined;
    const body = text.slice(from, end);
    try {
      this.#closed = {
        source: this.#source,
        offset: this.offset,
        body,
        value: exactJsonOf(body),
        rest: '',
        restAt: 0,
      };
    } catch {
      return undefined;
    }
    return end + length;
  }

  /** The action at the end of the output: it ends at the first `</action>` inside a string; undefined: it has no end. */
  end(): ClosedAction | undefined {
    const { candidate } = this.#scanner;
    return candidate && this.#endAt(candidate);
  }

  #keep(part: string): void {
    if (!this.#isTooLarge) this.#came += part;
  }

  /** A body that is larger than the limit is not kept, and ends at the next `</action>`. */
  #limit(next: number): number {
    const { candidate } = this.#scanner;
    if (candidate !== undefined) this.#closed = this.#endAt(candidate);
    else {
      this.#isTooLarge = true;
      this.#came = '';
      this.#scanner.breakOff();
    }
    return next;
  }

  #endAt({ end, next }: BodyEnd): ClosedAction {
    const came = this.#came;
    const body = this.#isTooLarge ? undefined : came.slice(0, end);
    const rest = came.slice(next);
    return { source: this.#source, offset: this.offset, body, rest, restAt: this.#from + next };
  }
}
