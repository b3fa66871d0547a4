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

/** The units of an answer as bytes. */
interface KeptUnits {
  readonly framing: Framing;
  readonly place: { -readonly [Member in keyof RingPlace]: RingPlace[Member] };
  /** The bytes of each message of a WebSocket; elsewhere the framing shows where a unit ends. */
  readonly lengths: number[];
}

/** An event, with the units of an answer that it stands for. */
interface Kept {
  readonly event: TraceEvent;
  count: number;
  readonly units?: KeptUnits;
}

/** Messages of one link that are so close (ms) are kept together, with the time of the first. */
const close = 1;

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
    this.#count += this.#keep(event);
    // A tenth at a time, since to drop the oldest moves all others.
    if (this.#count > this.#limit * 1.1 || this.#kept.length > this.#limit * 1.1) this.#drop();
  }

  /** @returns the number of events that came */
  #keep(event: TraceEvent): number {
    const write: unknown = event.data;
    const place =
      write instanceof ResponseWrite && write.framing !== undefined
        ? this.#ring.put(write.bytes())
        : undefined;
    if (!(write instanceof ResponseWrite) || write.framing === undefined || place === undefined) {
      this.#kept.push({ event, count: 1 });
      return 1;
    }
    const { framing, units: count } = write;
    if (framing === 'message' && this.#joins(event, place)) return 1;
    const units = { framing, place, lengths: framing === 'message' ? [place.length] : [] };
    this.#kept.push({ event: { ...event, data: {} }, count, units });
    return count;
  }

  /** Keeps a message with those that came just before it. @returns whether there are such */
  #joins({ at, conn, stream }: TraceEvent, { slab, from, length }: RingPlace): boolean {
    const last = this.#kept.at(-1);
    const units = last?.units;
    if (last === undefined || units?.framing !== 'message') return false;
    const { event } = last;
    const { place } = units;
    if (event.stream !== stream || event.conn !== conn || at - event.at > close) return false;
    if (place.slab !== slab || place.from + place.length !== from) return false;
    place.length += length;
    units.lengths.push(length);
    last.count++;
    return true;
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

  #readUnits(event: TraceEvent, { framing, place, lengths }: KeptUnits): void {
    const bytes = this.#ring.bytes(place);
    const parts = framing === 'message' ? cut(bytes, lengths) : [bytes];
    for (const unit of parts.flatMap((part) => unitsOf(framing, part))) {
      const data = new ResponseWrite(new Uint8Array(), unit) as unknown as JsonObject;
      this.#read.push({ ...event, seq: this.#seq++, data });
    }
  }
}

function cut(bytes: Uint8Array, lengths: readonly number[]): readonly Uint8Array[] {
  let at = 0;
  return lengths.map((length) => bytes.subarray(at, (at += length)));
}
