/** The part of a view that every suite has: the facts of the kit's marks, and the streams by name. */
import { isObject } from '../base/index.ts';
import type { TraceEvent } from '../base/index.ts';
import { forgetOldest } from './bounded.ts';

/** A place in a trace, and its time (ms). */
export interface Moment {
  readonly seq: number;
  readonly at: number;
}

/** The moment of an event. */
export const momentOf = ({ seq, at }: Moment): Moment => ({ seq, at });

/** The part of a stream's view that every suite has. */
export interface KnownStream {
  readonly id: string;
  /** Its connection, for suites with several connections in one run. */
  readonly conn?: string;
  /** The peer that opened it, for suites with several peers in one run. */
  readonly openedBy?: string;
  /** Whether the kit disturbed its connection. Later events on it are not the target's fault. */
  disturbed: boolean;
  /** When the kit sent GOAWAY with NO_ERROR on its connection (ms): the target may move to a new connection. */
  drained?: number;
  readonly ended: Moment | undefined;
}

/** The least number of ended streams that are removed together. Removing them one at a time is slow for a large map. */
const spare = 32;

/** Streams by name, in the order of their opening. Only the latest of the ended streams are kept. */
export class Streams<S extends KnownStream> {
  readonly #byId = new Map<string, S>();
  readonly #endedKept: number;
  readonly #most: number;
  #full = spare;
  /** Whether a stream was evicted before its end. */
  forgotten = false;

  /**
   * @param endedKept - the most ended streams that are kept
   * @param most - the most streams that are kept
   */
  constructor(endedKept = 64, most = 65_536) {
    this.#endedKept = endedKept;
    this.#most = most;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): S | undefined {
    return this.#byId.get(id);
  }

  values(): IterableIterator<S> {
    return this.#byId.values();
  }

  /** Adds a stream that opens. It replaces an earlier stream of the same name. */
  open(stream: S): void {
    this.#byId.set(stream.id, stream);
    if (this.#byId.size > this.#full) this.#forget();
  }

  /** Marks the streams that a fault of the kit disturbs: the named stream, the streams of a peer, or all. */
  disturb({ at, stream: id, conn, data: { fault, code, on } }: TraceEvent): void {
    const drains = fault === 'goaway' && code === 'NO_ERROR';
    if (fault !== 'cut' && fault !== 'reset' && fault !== 'stop' && fault !== 'goaway') return;
    for (const stream of this.#byId.values()) {
      if (stream.ended !== undefined) continue;
      const { conn: own = conn, openedBy = on } = stream;
      const named = id !== '' || conn !== '';
      const meant = id === '' ? conn === '' || conn === own : id === stream.id;
      if (!meant || (!named && typeof on === 'string' && on !== openedBy)) continue;
      if (drains) stream.drained ??= at;
      else stream.disturbed = true;
    }
  }

  #forget(): void {
    const ended: string[] = [];
    for (const [id, stream] of this.#byId) if (stream.ended !== undefined) ended.push(id);
    for (const id of ended.slice(0, -this.#endedKept)) this.#byId.delete(id);
    while (forgetOldest(this.#byId, this.#most)) this.forgotten = true;
    // A share of the open ones, so that the removals of many streams take linear time.
    this.#full = this.#byId.size + Math.max(spare, this.#byId.size >> 5);
  }
}

/** The time limits of rules (ms), by name. */
export type Times<T> = { readonly [N in keyof T]: number };

export interface RunView<T extends Times<T>> {
  /** How the target is driven. */
  drive: string;
  /** The time limits of the run, plus the delay that the kit or a busy machine caused. */
  timeouts: T;
  /** The delay that the kit has caused on the network, or a busy machine (ms). Events may arrive this much later. */
  late: number;
}

/**
 * A time limit of the run as it is without any delay (ms). A rule that blames what comes soon after another event looks no
 * further when the machine is busy.
 *
 * @param limit - a time limit of the view
 */
export const undelayed = <T extends Times<T>>(limit: number, { late }: RunView<T>): number =>
  Math.max(0, limit - late);

/** The assumed delay of a slow network (ms). Its backlog lasts longer than the fault. */
const slowness = 60_000;

/**
 * Takes a mark of the kit into a view: the drive, the time limits, the faults of a run, and the delays of a busy machine.
 *
 * @param defaults - the time limits of a run whose mark has none
 * @param fixed - the names of time limits that a delay does not change
 */
export function takeMark<T extends Times<T>>(
  view: RunView<T>,
  { data: { run, fault, ms, busy } }: TraceEvent,
  defaults: T,
  fixed: readonly string[] = [],
): void {
  if (isObject(run)) {
    if (typeof run['drive'] === 'string') view.drive = run['drive'];
    if (isObject(run['timeouts'])) view.timeouts = { ...defaults, ...run['timeouts'] };
  }
  const held = busy ?? (fault === undefined ? undefined : fault === 'slow' ? slowness : ms);
  if (typeof held !== 'number') return;
  view.late += held;
  const longer = Object.entries<number>(view.timeouts).map(([name, time]) => [
    name,
    // A time limit of 0 is unknown.
    time === 0 || fixed.includes(name) ? time : time + held,
  ]);
  view.timeouts = Object.fromEntries(longer) as T;
}
