/**
 * The trace of a simulated provider. Answers are kept as the bytes that were written, and become events where the trace
 * is read: an event a token would cost more than the answer ("LLM simulator" of `npm run bench`).
 */
import type { JsonObject, TraceEvent } from '../../kit/base/index.ts';
import { unitsOf } from '../dialects/shared/unframe.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { Framing } from '../messages.ts';
import { ByteRing } from './byte-ring.ts';
import type { RingPlace } from './byte-ring.ts';

/** Most bytes of answers that are kept until the trace is read. */
const mostBytes = 2 << 20;

/** An event, with the units of an answer that it stands for. */
interface Kept {
  readonly event: TraceEvent;
  readonly count: number;
  readonly units?: { readonly framing: Framing; readonly place: RingPlace };
}

/** Keeps the latest events of a trace. */
export class TraceLog {
  readonly #limit: number;
  readonly #ring: ByteRing = new ByteRing(mostBytes);
  readonly #read: TraceEvent[] = [];
  #kept: Kept[] = [];
  /** The events for which `#kept` stands. */
  #count = 0;
  /** The number of the next event that is read. */
  #seq = 0;

  /** @param limit - the most events that are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes an event. */
  add(event: TraceEvent): void {
    const kept = this.#keep(event);
    this.#kept.push(kept);
    this.#count += kept.count;
    // A tenth at a time, since to drop the oldest moves all others.
    if (this.#count > this.#limit * 1.1 || this.#kept.length > this.#limit * 1.1) this.#drop();
  }

  #keep(event: TraceEvent): Kept {
    const write: unknown = event.data;
    if (!(write instanceof ResponseWrite) || write.framing === undefined) return { event, count: 1 };
    const { framing, units } = write;
    const place = this.#ring.put(write.bytes());
    if (place === undefined) return { event, count: 1 };
    return { event: { ...event, data: {} }, count: units, units: { framing, place } };
  }

  /** Drops the oldest. */
  #drop(): void {
    let n = 0;
    for (; n < this.#kept.length - 1 && this.#count > this.#limit; n++) {
      const { count = 0 } = this.#kept[n] ?? {};
      this.#count -= count;
      this.#seq += count;
    }
    this.#kept = this.#kept.slice(n);
    this.#read.length = 0;
  }

  /** The events so far. Behind a gap in the bytes, everything before it is dropped. */
  get events(): readonly TraceEvent[] {
    for (const { event, count, units } of this.#kept) {
      if (units === undefined) this.#read.push({ ...event, seq: this.#seq++ });
      else if (this.#ring.has(units.place)) this.#readUnits(event, units);
      else {
        this.#read.length = 0;
        this.#seq += count;
      }
    }
    this.#kept = [];
    this.#count = 0;
    if (this.#read.length > this.#limit) this.#read.splice(0, this.#read.length - this.#limit);
    return this.#read;
  }

  #readUnits(event: TraceEvent, { framing, place }: NonNullable<Kept['units']>): void {
    for (const unit of unitsOf(framing, this.#ring.text(place))) {
      const data = new ResponseWrite(new Uint8Array(), unit) as unknown as JsonObject;
      this.#read.push({ ...event, seq: this.#seq++, data });
    }
  }
}
