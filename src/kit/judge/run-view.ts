/** The part of a view that every suite has: what the kit's marks tell of a run, and the streams by name. */
import { isObject } from '../base/index.ts';
import type { TraceEvent } from '../base/index.ts';
import { forgetOldest } from './bounded.ts';

/** A place in a trace, and its time (ms). */
export interface Moment {
  readonly seq: number;
  readonly at: number;
}

/** The moment of an event, or of anything that has one. */
export const momentOf = ({ seq, at }: Moment): Moment => ({ seq, at });

/** What every view knows of a stream. */
export interface KnownStream {
  readonly id: string;
  /** Its connection and the peer that opened it, where the suite tells streams of one run apart by them. */
  readonly conn?: string;
  readonly openedBy?: string;
  /** The kit disturbed its connection: what follows is not the target's fault. */
  disturbed: boolean;
  readonly ended: Moment | undefined;
}

/** Ended streams beyond the limit that are removed together: a map that loses one at each event finds its first slowly. */
const spare = 32;

/** Streams by name, in the order in which they opened. Of those that have ended only the latest are kept. */
export class Streams<S extends KnownStream> {
  readonly #byId = new Map<string, S>();
  readonly #endedKept: number;
  readonly #most: number;
  #full = spare;
  /** A stream was forgotten that had not ended. */
  forgotten = false;

  /**
   * @param endedKept - how many streams are kept that have ended
   * @param most - how many are kept in all
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

  /** Adds a stream that opens. One of the same name before it is forgotten. */
  open(stream: S): void {
    this.#byId.set(stream.id, stream);
    if (this.#byId.size > this.#full) this.#forget();
  }

  /** Marks the streams that a fault of the kit's disturbs: the one that it names, those of a peer, or all. */
  disturb({ stream: id, conn, data: { fault, on } }: TraceEvent): void {
    if (fault !== 'cut' && fault !== 'reset' && fault !== 'stop') return;
    for (const stream of this.#byId.values()) {
      if (stream.ended !== undefined) continue;
      const { conn: own = conn, openedBy = on } = stream;
      const named = id !== '' || conn !== '';
      const meant = id === '' ? conn === '' || conn === own : id === stream.id;
      if (meant && (named || typeof on !== 'string' || on === openedBy)) stream.disturbed = true;
    }
  }

  #forget(): void {
    const ended: string[] = [];
    for (const [id, stream] of this.#byId) if (stream.ended !== undefined) ended.push(id);
    for (const id of ended.slice(0, -this.#endedKept)) this.#byId.delete(id);
    while (forgetOldest(this.#byId, this.#most)) this.forgotten = true;
    this.#full = this.#byId.size + spare;
  }
}

/** Times that rules go by (ms), by name. */
export type Times<T> = { readonly [N in keyof T]: number };

/** See the file's head. */
export interface RunView<T extends Times<T>> {
  /** How the target is driven. */
  drive: string;
  /** Longer than those of the run by what the kit held up. */
  timeouts: T;
  /** How much later than it should anything may arrive, because the kit held the network up (ms). */
  late: number;
}

/** How much a slow network is taken to hold up: its backlog outlives it (ms). */
const slowness = 60_000;

/**
 * Takes a mark of the kit's into a view: the drive, the times and the faults of a run.
 *
 * @param defaults - the times of a run that says none
 * @param fixed - times that a hold-up does not change
 */
export function takeMark<T extends Times<T>>(
  view: RunView<T>,
  { data: { run, fault, ms } }: TraceEvent,
  defaults: T,
  fixed: readonly string[] = [],
): void {
  if (isObject(run)) {
    if (typeof run['drive'] === 'string') view.drive = run['drive'];
    if (isObject(run['timeouts'])) view.timeouts = { ...defaults, ...run['timeouts'] };
  }
  if (fault === undefined) return;
  const held = fault === 'slow' ? slowness : ms;
  if (typeof held !== 'number') return;
  view.late += held;
  const longer = Object.entries<number>(view.timeouts).map(([name, time]) => [
    name,
    // A time of 0 is one that is not known.
    time === 0 || fixed.includes(name) ? time : time + held,
  ]);
  view.timeouts = Object.fromEntries(longer) as T;
}
