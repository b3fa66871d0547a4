/**
 * Server-sent events (WHATWG HTML, "Parsing an event stream"): a parser that takes bytes in any pieces. It skips the
 * fields `id` and `retry`: no protocol here uses them.
 */
import { LineBuffer } from './line-buffer.ts';

/** One event: its name (`message` by default), and its data lines joined by LF. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads events from bytes. The result does not depend on how the bytes are cut; cost is linear, memory bounded by the
 * limit; never throws.
 *
 * @example
 * const parser = new SseParser(1000);
 * parser.push(new TextEncoder().encode('event: ping\ndata: {}\n\ndata: cut')); // [{ event: 'ping', data: '{}' }]
 */
export class SseParser {
  readonly #limit: number;
  readonly #lines: LineBuffer;
  #data: string[] = [];
  #event = '';
  #size = 0;
  #afterReturn = false;
  #overflowed = false;

  /** @param limit - the most UTF-16 units that one line, or the data of one event, may hold */
  constructor(limit: number) {
    this.#limit = limit;
    this.#lines = new LineBuffer('lf-or-cr', limit);
  }

  /** Whether an event was larger than the limit; the parser reads nothing from then on. */
  get overflowed(): boolean {
    return this.#overflowed || this.#lines.overflowed;
  }

  /**
   * The events that these bytes complete. An event without its empty line is never complete: "Once the end of the
   * file is reached, any pending data must be discarded."
   */
  push(bytes: Uint8Array): readonly SseEvent[] {
    if (this.#overflowed) return [];
    const events: SseEvent[] = [];
    const text = this.#lines.push(bytes);
    if (text !== '') this.#read(this.#withLineFeeds(text), events);
    return events;
  }

  /** The same lines, each ended by LF alone; a CRLF may have been cut between two pieces. */
  #withLineFeeds(text: string): string {
    const own = this.#afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#afterReturn = text.endsWith('\r');
    return own.includes('\r') ? own.replaceAll(/\r\n?/g, '\n') : own;
  }

  #read(text: string, events: SseEvent[]): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      if (end === from) this.#dispatch(events);
      else this.#line(text, from, end);
      if (this.#overflowed) return;
      from = end + 1;
    }
  }

  #line(text: string, from: number, end: number): void {
    if (end - from > this.#limit) this.#overflowed = true;
    else if (text.startsWith('data', from)) this.#dataLine(text, from + 4, end);
    else if (text.startsWith('event', from)) this.#event = fieldValue(text, from + 5, end) ?? this.#event;
  }

  #dataLine(text: string, from: number, end: number): void {
    const value = fieldValue(text, from, end);
    if (value === undefined) return;
    // Count the joining line feed too: an endless run of empty data lines must reach the limit.
    this.#size += value.length + 1;
    if (this.#size > this.#limit + 1) this.#overflowed = true;
    else this.#data.push(value);
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0) {
      const data = this.#data.length === 1 ? (this.#data[0] ?? '') : this.#data.join('\n');
      events.push({ event: this.#event === '' ? 'message' : this.#event, data });
      this.#data = [];
      this.#size = 0;
    }
    this.#event = '';
  }
}

/** The value after a field's name that ends at `from`; undefined where the name is longer. */
function fieldValue(text: string, from: number, end: number): string | undefined {
  if (from === end) return '';
  if (text[from] !== ':') return undefined;
  return text.slice(text[from + 1] === ' ' ? from + 2 : from + 1, end);
}
