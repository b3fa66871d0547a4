import type { JsonObject } from './json.ts';

/** The kinds of events in a trace. */
export const eventKinds = [
  /** A stream was opened; `data` is its metadata. */
  'open',
  /** Response headers (the initial metadata of a gRPC call). */
  'headers',
  /** A message; `data` is the message in the JSON of its protocol. */
  'message',
  /** Bytes that are not a message; `bytes` holds them, `note` gives the reason. */
  'undecodable',
  'half_close',
  /** The stream ended with a status; `data` is `{code, message}`. */
  'end',
  'reset',
  /** A keepalive ping of the carrier. */
  'ping',
  'timer',
  /** An action of the kit, such as the start or end of a scenario; `data` describes it. */
  'mark',
  /** The target's process ended; `data` is `{exit, signal}`. */
  'process',
  'request',
  'response',
] as const;

/** One of {@link eventKinds}. */
export type EventKind = (typeof eventKinds)[number];

/** One line of a trace after the first: an event on a wire, or an action of the kit. */
export interface TraceEvent {
  /** Position in the trace, from 0, without gaps. */
  readonly seq: number;
  /** Milliseconds since the trace began; never falls. */
  readonly at: number;
  /** Protocol id, such as `fold`. */
  readonly wire: string;
  /** The connection, unique in the trace; empty for an event of no connection. */
  readonly conn: string;
  /** The stream, unique in the trace; empty for an event of no stream. */
  readonly stream: string;
  /** A scenario's name for its peer, `target` for the implementation under test, `kit` for the kit. */
  readonly from: string;
  readonly to: string;
  readonly kind: EventKind;
  readonly data: JsonObject;
  /** The bytes on the wire in base64: when decoding hides a detail, and when it failed. */
  readonly bytes?: string;
  /** Length on the wire in bytes, for messages of 64 KiB and more. */
  readonly size?: number;
  readonly note?: string;
}

/** The first line of a trace. */
export interface TraceHeader {
  readonly wireproof: 'trace/1';
  readonly suite: string;
  /** Revision of the protocol's requirement list. */
  readonly revision: string;
  readonly seed: string;
  /** The scenario, or several joined by a comma when they shared one connection. */
  readonly scenario: string;
  readonly target: string;
  /** Unix milliseconds; 0 in the simulated world. */
  readonly started: number;
  /** The clause that a hand-written trace cites. */
  readonly note?: string;
}
