/**
 * Server-sent events (WHATWG HTML, "Server-sent events"): writes one event, and parses events from bytes in any pieces.
 * The parser ignores fields other than `event` and `data`, because the operator's interface does not use them.
 */

/** One event: its name and its data, lines joined by LF. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * The text of an event. JSON contains no line break, so one data line is enough.
 *
 * @example
 * sseText('text', { text: 'hi' }); // 'event: text\ndata: {"text":"hi"}\n\n'
 */
export const sseText = (event: string, data: unknown): string =>
  `event: ${event.replaceAll(/[\r\n]/g, ' ')}\ndata: ${JSON.stringify(data ?? null)}\n\n`;

/** Parses events from bytes in any pieces. */
export class SseParser {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #limit: number;
  #line = '';
  #data: string[] = [];
  #event = '';
  #size = 0;
  #afterReturn = false;

  /** @param limit the largest event, in UTF-16 units of all its lines */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether an event exceeded the limit. The parser reads nothing after that. */
  get overflowed(): boolean {
    return this.#size > this.#limit;
  }

  /** The events that these bytes complete. Only an empty line completes an event. */
  push(bytes: Uint8Array): readonly SseEvent[] {
    const events: SseEvent[] = [];
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === '' || this.overflowed) return events;
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1);
    this.#afterReturn = text === '' ? false : text.endsWith('\r');
    let from = 0;
    for (const { 0: ending, index } of text.matchAll(/\r\n|\n|\r/g)) {
      this.#add(text.slice(from, index));
      if (this.overflowed) return events;
      this.#endLine(events);
      from = index + ending.length;
    }
    this.#add(text.slice(from));
    return events;
  }

  #add(text: string): void {
    this.#line += text;
    this.#size += text.length;
  }

  #endLine(events: SseEvent[]): void {
    const line = this.#line;
    this.#line = '';
    if (line === '') return this.#dispatch(events);
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else {
      if (field === 'event') this.#event = value;
      // Comments and other fields are not kept, so they do not count.
      this.#size -= line.length;
    }
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0) {
      events.push({ event: this.#event === '' ? 'message' : this.#event, data: this.#data.join('\n') });
    }
    this.#data = [];
    this.#event = '';
    this.#size = 0;
  }
}
