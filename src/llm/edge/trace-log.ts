/**
 * The trace of a simulated provider. Answers are kept as the bytes that were written, and become events where the trace
 * is read: an event a token would cost more than the answer ("LLM simulator" of `npm run bench`).
 */
import type { JsonObject, TraceEvent } from '../../kit/base/index.ts';
import { unitsOf } from '../dialects/shared/unframe.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';

/** Most bytes of answers that are kept beside the events that were read. */
const mostBytes = 8 << 20;

/** An event, with the events that it stands for. */
interface Kept {
  readonly event: TraceEvent;
  readonly count: number;
  readonly bytes: number;
}

/** Keeps the latest events of a trace. */
export class TraceLog {
  readonly #limit: number;
  readonly #read: TraceEvent[] = [];
  #kept: Kept[] = [];
  /** Events and bytes in `#kept`. */
  #count = 0;
  #bytes = 0;
  /** The number of the next event that is read. */
  #seq = 0;

  /** @param limit - the most events that are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes an event. */
  add(event: TraceEvent): void {
    const write: unknown = event.data;
    const joined = write instanceof ResponseWrite && write.framing !== undefined;
    const kept = {
      event,
      count: joined ? write.units : 1,
      bytes: joined ? write.bytes().length : 0,
    };
    this.#kept.push(kept);
    this.#count += kept.count;
    this.#bytes += kept.bytes;
    if (this.#count > this.#limit * 1.1 || this.#bytes > mostBytes * 1.1) this.#drop();
  }

  /** Drops the oldest. A tenth at a time, since to drop the oldest moves all others. */
  #drop(): void {
    let n = 0;
    for (; n < this.#kept.length - 1; n++) {
      if (this.#count <= this.#limit && this.#bytes <= mostBytes) break;
      const { count, bytes } = this.#kept[n] ?? { count: 0, bytes: 0 };
      this.#count -= count;
      this.#bytes -= bytes;
      this.#seq += count;
    }
    this.#kept = this.#kept.slice(n);
    if (n > 0) this.#read.length = 0;
  }

  /** The events so far. */
  get events(): readonly TraceEvent[] {
    for (const { event } of this.#kept)
      for (const one of eventsOf(event)) this.#read.push({ ...one, seq: this.#seq++ });
    this.#kept = [];
    this.#count = 0;
    this.#bytes = 0;
    if (this.#read.length > this.#limit) this.#read.splice(0, this.#read.length - this.#limit);
    return this.#read;
  }
}

/** The events that an event stands for: one for each unit of a write that joins several. */
function eventsOf(event: TraceEvent): readonly TraceEvent[] {
  const write: unknown = event.data;
  if (!(write instanceof ResponseWrite) || write.framing === undefined) return [event];
  return unitsOf(write.framing, Buffer.from(write.bytes()).toString('utf8')).map((unit) => ({
    ...event,
    data: new ResponseWrite(new Uint8Array(), unit) as unknown as JsonObject,
  }));
}
