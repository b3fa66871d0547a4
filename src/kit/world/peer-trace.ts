/** The trace of a simulated peer in a test: the latest events, and waits for them that end. */
import { WireproofError } from '../base/index.ts';
import type { TraceEvent } from '../base/index.ts';
import type { Clock } from './clock.ts';
import type { WireEvent } from './host-link.ts';
import { Recorder } from './recorder.ts';
import type { Secrets } from './recorder.ts';

/** The parts of the trace of a peer. */
export interface PeerTraceOptions {
  readonly clock: Clock;
  /** The id of the protocol. */
  readonly wire: string;
  readonly secrets: Secrets;
  /** The replacement of a secret; undefined: the trace contains secrets. */
  readonly redact: ((secret: string) => string) | undefined;
  /** The most events that are kept; older ones are dropped. */
  readonly limit: number;
}

/** A wait of a test. */
interface Wait {
  /** @returns whether the wait is over */
  look(): boolean;
  stop(why: string): void;
}

export class PeerTrace {
  readonly #recorder: Recorder;
  readonly #waits = new Set<Wait>();
  readonly #events: TraceEvent[] = [];
  #closed: string | undefined;

  constructor({ limit, ...options }: PeerTraceOptions) {
    const sink = (event: TraceEvent): void => keepLatest(this.#events, event, limit);
    this.#recorder = new Recorder({ ...options, sink });
    this.#recorder.mark({ run: { drive: 'directive' } });
  }

  /** The events so far. */
  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  /** Records an event on a link of the peer; see {@link Recorder.wire}. */
  wire(peer: string, event: WireEvent, wire?: string): void {
    this.#recorder.wire(peer, event, wire);
  }

  /** Looks whether a wait is over. */
  changed(): void {
    for (const wait of this.#waits) if (wait.look()) this.#waits.delete(wait);
  }

  /**
   * Waits until `find` finds something. A wait keeps the process alive, unlike the peer.
   *
   * @param within - the longest wait (ms)
   * @param missed - the sentence when nothing was found
   * @throws WireproofError 'environment' with that sentence
   */
  until<T>(find: () => T | undefined, within: number, missed: () => string): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = (why: string): void => {
        clearTimeout(timer);
        this.#waits.delete(wait);
        reject(new WireproofError('environment', why));
      };
      const look = (): boolean => {
        const found = find();
        if (found === undefined) return false;
        clearTimeout(timer);
        resolve(found);
        return true;
      };
      const wait: Wait = { look, stop: (why) => stop(`${missed()}; ${why}`) };
      const timer = setTimeout(() => stop(`${missed()} (waited ${within} ms)`), within);
      if (look()) return;
      if (this.#closed === undefined) this.#waits.add(wait);
      else wait.stop(this.#closed);
    });
  }

  /** Ends all waits; `why`: the reason in their sentence. */
  close(why: string): void {
    this.#closed ??= why;
    for (const wait of this.#waits) wait.stop(why);
    this.#recorder.mute();
  }
}

/** Adds to a list that keeps at most `limit` members, or a tenth more: dropping the oldest moves all others. */
export function keepLatest<T>(list: T[], one: T, limit: number): void {
  list.push(one);
  if (list.length > limit * 1.1) list.splice(0, list.length - limit);
}
