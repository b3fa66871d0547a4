import type { JsonObject } from './json.ts';

/** What can happen on a wire, or beside it. */
export const eventKinds = [
  /** A stream was opened; `data` is its metadata. */
  'open',
  /** Response headers (the initial metadata of a gRPC call). */
  'headers',
  /** A message; `data` is it, as its protocol's JSON. */
  'message',
  /** Bytes that are no message; `bytes` has them, `note` the reason. */
  'undecodable',
  'half_close',
  /** The stream ended with a status; `data` is `{code, message}`. */
  'end',
  'reset',
  /** A keepalive ping of the carrier. */
  'ping',
  'timer',
  /** Something the kit did: a scenario's begin, step or end; `data` says what. */
  'mark',
  /** The target's process ended; `data` is `{exit, signal}`. */
  'process',
  'request',
  'response',
] as const;

/** One of {@link eventKinds}. */
export type EventKind = (typeof eventKinds)[number];

/** One line of a trace after the first: something that crossed a wire, or that the kit did. */
export interface TraceEvent {
  /** Position in the trace, from 0, without gaps. */
  readonly seq: number;
  /** Milliseconds since the trace began; never falls. */
  readonly at: number;
  /** Protocol id, such as `fold`. */
  readonly wire: string;
  /** The connection, unique in the trace; empty for what belongs to none. */
  readonly conn: string;
  /** The stream, unique in the trace; empty for what belongs to none. */
  readonly stream: string;
  /** A scenario's name for its peer, `target` for the implementation under test, `kit` for the kit. */
  readonly from: string;
  readonly to: string;
  readonly kind: EventKind;
  readonly data: JsonObject;
  /** The message as it was on the wire, base64: where decoding hides something, and where it failed. */
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
  /** What a hand-written trace cites. */
  readonly note?: string;
}
