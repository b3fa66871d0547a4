import type { Metadata, Status } from '../base/index.ts';

/** One end of a stream of messages: what may be done to it. Transports and the simulated network make these. */
export interface Link {
  /** The connection and the stream, as the trace names them. */
  readonly conn: string;
  readonly stream: string;
  /** Sends response headers: once, from a server, before any message. */
  headers(metadata: Metadata): void;
  /** Sends one message. @returns false when the carrier is full; {@link LinkEvents.drained} follows */
  send(bytes: Uint8Array): boolean;
  /** No more will be sent from this end. */
  halfClose(): void;
  /** Ends the stream: with a status from a server, by cancelling from a client. */
  close(status: Status, metadata?: Metadata): void;
  /** Takes nothing more off the wire until {@link Link.resume}, so that the sender has to hold back. */
  pause(): void;
  /** Takes messages off the wire again. */
  resume(): void;
}

/** What one end of a stream hears. After `ended` nothing more comes. */
export interface LinkEvents {
  /** Response headers came, before any message. */
  headers(metadata: Metadata): void;
  /** One whole message came. */
  message(bytes: Uint8Array): void;
  /** The other side will send no more. */
  halfClose(): void;
  /** The stream is over: with the other side's status, or without one when it vanished. */
  ended(status: Status | undefined): void;
  /** The carrier has room again after {@link Link.send} said it was full. */
  drained(): void;
  /** A keepalive ping of the other side's arrived. */
  ping(): void;
}

/** Opens a stream to whoever listens; events may come at once after it returns. */
export type Dial = (
  options: { readonly metadata: Metadata; readonly keepalive?: number },
  events: LinkEvents,
) => Link;

/** Takes a stream that was opened by the other side. */
export type Accept = (link: Link, metadata: Metadata) => LinkEvents;

/** Disturbances of a connection, as scenarios name them. */
export type Fault =
  /** The connection vanishes at once, in both directions. */
  | { readonly kind: 'cut' }
  /** The connection is reset (TCP RST). */
  | { readonly kind: 'reset' }
  /** Nothing crosses for so long (ms), then everything does. */
  | { readonly kind: 'stall'; readonly ms: number }
  /** Bytes cross at this rate (bytes/s) from now on. */
  | { readonly kind: 'slow'; readonly rate: number }
  /** Bytes cross freely again. */
  | { readonly kind: 'restore' }
  /** Every write arrives in pieces of this many bytes. */
  | { readonly kind: 'split'; readonly size: number };
