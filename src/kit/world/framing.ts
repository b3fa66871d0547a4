/** Cuts a stream of bytes (TCP, pipes) into the messages of a protocol, by that protocol's framing. */
import type { Accept, Link, LinkEvents } from './link.ts';
import type { Metadata } from '../base/index.ts';

/** Cuts the bytes of one direction of one connection. */
export interface Framer {
  /** The messages that this chunk completes, each with the framing bytes that its codec expects. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** The connection ended. @returns the bytes of an unfinished message; undefined without one */
  end(): Uint8Array | undefined;
  /** The bytes of a sent message with its framing; absent: the codec writes the framing. */
  wrap?(message: Uint8Array): Uint8Array;
}

/** Makes the framer of a new connection. */
export type Framing = () => Framer;

/**
 * Turns an `accept` of messages into an `accept` of bytes.
 *
 * @param flushes - receives, for each link, a function that delivers an unfinished message before the connection ends
 */
export function framed(
  accept: Accept,
  framing: Framing,
  flushes: (flush: () => void) => void = () => {},
): Accept {
  return (link: Link, metadata: Metadata): LinkEvents => {
    const framer = framing();
    const events = accept(framer.wrap === undefined ? link : wrapped(link, framer.wrap), metadata);
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

/** A link whose messages get their framing when they are sent. */
function wrapped(link: Link, wrap: (message: Uint8Array) => Uint8Array): Link {
  return {
    conn: link.conn,
    stream: link.stream,
    headers: (metadata) => link.headers(metadata),
    send: (message) => link.send(wrap(message)),
    halfClose: () => link.halfClose(),
    close: (status, metadata) => link.close(status, metadata),
    pause: () => link.pause(),
    resume: () => link.resume(),
  };
}
