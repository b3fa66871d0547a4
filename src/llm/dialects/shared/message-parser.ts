/** Messages of a WebSocket are items as they come. */
import type { ItemParser } from './decoder.ts';

/** Takes each message as the text of one item. */
export class MessageParser implements ItemParser<string> {
  readonly #limit: number;
  overflowed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(bytes: Uint8Array): readonly string[] {
    this.overflowed ||= bytes.length > this.#limit;
    return this.overflowed || bytes.length === 0 ? [] : [new TextDecoder().decode(bytes)];
  }
}
