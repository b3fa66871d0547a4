/** From bytes to messages: carriers like TCP and pipes know no messages, so a protocol's framing cuts them out. */
import type { Accept, Link, LinkEvents } from './link.ts';
import type { Metadata } from '../base/index.ts';

/** Cuts one direction of one connection. */
export interface Framer {
  /** The messages that are whole with this chunk, each with its own framing bytes as its codec wants them. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** The connection is over: what is left of a message that was cut off; undefined when nothing is. */
  end(): Uint8Array | undefined;
}

/** Makes a framer for a fresh connection. */
export type Framing = () => Framer;

/**
 * Takes links of bytes for somebody who takes links of messages. What is sent goes as it is: it carries its framing.
 *
 * @param flushes - hears, for each link, how to give out what is left of a message though the connection is not over
 */
export function framed(
  accept: Accept,
  framing: Framing,
  flushes: (flush: () => void) => void = () => {},
): Accept {
  return (link: Link, metadata: Metadata): LinkEvents => {
    const framer = framing();
    const events = accept(link, metadata);
    const rest = (): void => {
      const cut = framer.end();
      if (cut !== undefined) events.message(cut);
    };
    flushes(rest);
    return {
      headers: (headers) => events.headers(headers),
      message(chunk) {
        for (const message of framer.push(chunk)) events.message(message);
      },
      halfClose() {
        rest();
        events.halfClose();
      },
      ended(status) {
        rest();
        events.ended(status);
      },
      drained: () => events.drained(),
      ping: () => events.ping(),
    };
  };
}
