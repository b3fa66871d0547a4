/** A stream of messages, seen from one of its ends: a link to act on, and the events that it reports. */
import type { Metadata, Status } from '../base/index.ts';

/** The actions on one end of a stream of messages. Transports and the simulated network make links. */
export interface Link {
  /** The names of the connection and of the stream in a trace. */
  readonly conn: string;
  readonly stream: string;
  /** Sends response headers: once, from a server, before any message. */
  headers(metadata: Metadata): void;
  /** Sends one message. @returns false when the carrier is full; {@link LinkEvents.drained} follows */
  send(bytes: Uint8Array): boolean;
  /** Sends nothing more from this end. */
  halfClose(): void;
  /** Ends the stream. A server gives its status; a client cancels. */
  close(status: Status, metadata?: Metadata): void;
  /** Reads nothing more until {@link Link.resume}, so that the sender has to wait. */
  pause(): void;
  /** Reads messages again. */
  resume(): void;
}

/** The events of one end of a stream. `ended` is the last one. */
export interface LinkEvents {
  /** Response headers came, before any message. */
  headers(metadata: Metadata): void;
  /** One whole message came; `binary` where its carrier should have carried it as text. */
  message(bytes: Uint8Array, form?: 'binary'): void;
  /** The other side will send no more. */
  halfClose(): void;
  /** The stream ended: with the other side's status, or with undefined when the connection was lost. */
  ended(status: Status | undefined): void;
  /** The carrier has room again after {@link Link.send} returned false. */
  drained(): void;
  /** A keepalive ping came from the other side. */
  ping(): void;
  /**
   * The other side takes no further stream on this connection (GOAWAY with NO_ERROR). This stream goes on. Only the
   * simulated network reports it: gRPC libraries hide it from their users.
   */
  goaway?(): void;
}

export const ignoredEvents: LinkEvents = {
  headers: () => {},
  message: () => {},
  halfClose: () => {},
  ended: () => {},
  drained: () => {},
  ping: () => {},
};

/** Opens a stream to the listener. Events may come as soon as this has returned. */
export type Dial = (
  options: { readonly metadata: Metadata; readonly keepalive?: number },
  events: LinkEvents,
) => Link;

/** Takes a stream that the other side opened. */
export type Accept = (link: Link, metadata: Metadata) => LinkEvents;

/**
 * Codes of a GOAWAY. NO_ERROR: open streams go on until their end, a new stream needs a new connection.
 * ENHANCE_YOUR_CALM: the connection ends, with {@link tooManyPings} as the reason.
 */
export type GoawayCode = 'NO_ERROR' | 'ENHANCE_YOUR_CALM';

/** The debug data of a GOAWAY with ENHANCE_YOUR_CALM, as gRPC servers send it to a client that pings too often. */
export const tooManyPings = 'too_many_pings';

/** Disturbances of a connection, as scenarios name them. */
export type Fault =
  /** The connection is lost at once, in both directions. */
  | { readonly kind: 'cut' }
  /** The connection is reset (TCP RST). */
  | { readonly kind: 'reset' }
  /** For `ms` milliseconds nothing crosses; then everything does. */
  | { readonly kind: 'stall'; readonly ms: number }
  /** From now on bytes cross at this rate (bytes/s). */
  | { readonly kind: 'slow'; readonly rate: number }
  /** Ends `slow`, `split` and `gather`. */
  | { readonly kind: 'restore' }
  /** Every write arrives in pieces of `size` bytes. */
  | { readonly kind: 'split'; readonly size: number }
  /** The next `size` writes of the kit arrive as one, on a carrier of bytes; others ignore it. */
  | { readonly kind: 'gather'; readonly size: number }
  /** The kit's HTTP/2 server sends GOAWAY (RFC 9113, 6.8); other carriers ignore it. */
  | { readonly kind: 'goaway'; readonly code: GoawayCode };
