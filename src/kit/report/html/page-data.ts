/** The traces of an HTML report as its script reads them: JSON in the page, short, because a page may hold thousands of events. */
import type { Json } from '../../base/index.ts';

/** One event. Positions stand for names, which {@link PageTrace} lists once. */
export interface PageEvent {
  /** The position in the trace. */
  readonly s: number;
  /** Milliseconds since the trace began. */
  readonly t: number;
  /** The kind, in `kinds`. */
  readonly k: number;
  /** The wire, connection and stream, in `places`. */
  readonly p: number;
  /** The sender and the receiver, in `peers`; -1 for an event of the kit itself. */
  readonly f: number;
  readonly o: number;
  /** The data; a text when it was cut. */
  readonly d?: Json;
  /** The length of the data before it was cut (UTF-16 units). */
  readonly w?: number;
  /** The bytes in base64. */
  readonly b?: string;
  /** The number of bytes before they were cut. */
  readonly z?: number;
  /** The note of the event. */
  readonly n?: string;
  /** The length on the wire (bytes), for long messages. */
  readonly l?: number;
  /** The ids in it, in `ids`. */
  readonly i?: readonly number[];
}

/** The wire, connection and stream of events. */
export interface PagePlace {
  readonly wire: string;
  readonly conn: string;
  readonly stream: string;
}

/** A scenario in a trace: its first and its last event. */
export interface PageScenario {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly outcome: string;
}

/** An event that shows a violation, and the violated requirements with their anchors in the page. */
export interface PageFault {
  readonly seq: number;
  readonly rows: readonly { readonly id: string; readonly anchor: string; readonly message: string }[];
}

/** A trace with all that its diagram needs. */
export interface PageTrace {
  readonly key: string;
  /** The lifelines, from left to right. */
  readonly peers: readonly string[];
  readonly kinds: readonly string[];
  readonly places: readonly PagePlace[];
  /** Values that several events share, such as the id of a request, with their keys. */
  readonly ids: readonly string[];
  readonly scenarios: readonly PageScenario[];
  readonly faults: readonly PageFault[];
  /** The scenario that is shown first; empty: all. */
  readonly initial: string;
  readonly events: readonly PageEvent[];
}
