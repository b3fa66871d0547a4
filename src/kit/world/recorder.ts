/** Makes trace events of what a simulated peer's host shows, redacts secrets, and hands them on in one order. */
import type { JsonObject, TraceEvent } from '../base/index.ts';
import type { Clock } from './clock.ts';
import type { WireEvent } from './host.ts';

/** Which parts of events are secrets. */
export interface Secrets {
  /** Lower-case metadata keys; a key ending in `*` is a prefix. */
  readonly metadata: readonly string[];
  /** Field names in messages, at any depth; every value below such a field is one. */
  readonly fields: readonly string[];
  /** Whether a message can hold one at all: most cannot, and need no search. */
  may(message: unknown): boolean;
}

/** What a recorder needs. */
export interface RecorderOptions {
  readonly clock: Clock;
  readonly wire: string;
  readonly secrets: Secrets;
  /** Turns a secret into what the trace shows; undefined: the trace shows secrets. */
  readonly redact: ((secret: string) => string) | undefined;
  /** Hears every event, in order. */
  readonly sink: (event: TraceEvent) => void;
}

/** Messages of this many bytes and more carry their size in the trace. */
const sizeShownFrom = 1 << 16;

/** The one order in which everything is recorded. */
export class Recorder {
  readonly #options: RecorderOptions;
  #seq = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Something the kit did. */
  mark(data: JsonObject, where: { readonly conn?: string; readonly stream?: string } = {}): void {
    this.#put({ from: 'kit', to: 'kit', kind: 'mark', data, ...where });
  }

  /** The target's process ended. */
  process(exit: number | null, signal: string | null): void {
    this.#put({ from: 'target', to: 'kit', kind: 'process', data: { exit, signal } });
  }

  /** A message that is too large to take began; its bytes are not kept. */
  oversize(conn: string, stream: string, to: string, size: number, limit: number): void {
    const note = `a message of ${size} bytes; at most ${limit} are taken`;
    this.#put({ from: 'target', to, kind: 'undecodable', data: {}, conn, stream, size, note });
  }

  /** A keepalive ping, seen below the streams. */
  ping(conn: string, from: string, to: string): void {
    this.#put({ from, to, kind: 'ping', data: {}, conn });
  }

  /** Something that crossed the wire of the simulated peer `peer`; `wire` where it is not the protocol's own. */
  wire(peer: string, event: WireEvent, wire: string = this.#options.wire): void {
    if (event.kind === 'message' && this.#isPlain(event)) return this.#plain(peer, event, wire);
    const where = {
      wire,
      conn: event.conn,
      stream: event.stream,
      from: event.incoming ? 'target' : peer,
      to: event.incoming ? peer : 'target',
    };
    switch (event.kind) {
      case 'open':
      case 'headers':
        return this.#put({ ...where, kind: event.kind, data: this.#metadata(event.metadata) });
      case 'message':
        return this.#message(where, event);
      case 'undecodable':
        return this.#put({
          ...where,
          kind: 'undecodable',
          data: { code: event.code },
          bytes: base64(event.bytes),
          note: event.note,
        });
      case 'end':
        return this.#put({
          ...where,
          kind: 'end',
          data: { code: event.status.code, message: event.status.message },
        });
      case 'half_close':
      case 'reset':
      case 'ping':
        return this.#put({ ...where, kind: event.kind, data: {} });
      default:
        event satisfies never;
    }
  }

  /** Whether nothing about a message has to be hidden or added: so it is with most, and there are many. */
  #isPlain({ message, bytes, note }: Extract<WireEvent, { kind: 'message' }>): boolean {
    const { redact, secrets } = this.#options;
    return (
      note === undefined && bytes.length < sizeShownFrom && (redact === undefined || !secrets.may(message))
    );
  }

  #plain(
    peer: string,
    { conn, stream, incoming, message }: Extract<WireEvent, { kind: 'message' }>,
    wire: string,
  ): void {
    const from = incoming ? 'target' : peer;
    const to = incoming ? peer : 'target';
    const data = message as JsonObject;
    this.#options.sink({
      seq: this.#seq++,
      at: this.#now(),
      wire,
      conn,
      stream,
      from,
      to,
      kind: 'message',
      data,
    });
  }

  /** Milliseconds, to the microsecond. */
  #now(): number {
    return Math.round(this.#options.clock.now() * 1000) / 1000;
  }

  #put(event: Partial<TraceEvent> & Pick<TraceEvent, 'from' | 'to' | 'kind' | 'data'>): void {
    const { sink } = this.#options;
    const at = this.#now();
    const { wire = this.#options.wire, conn = '', stream = '', from, to, kind, data, ...rest } = event;
    sink({ seq: this.#seq++, at, wire, conn, stream, from, to, kind, data, ...rest });
  }

  #message(
    where: Pick<TraceEvent, 'wire' | 'conn' | 'stream' | 'from' | 'to'>,
    event: Extract<WireEvent, { kind: 'message' }>,
  ): void {
    const { secrets, redact } = this.#options;
    const secret = redact !== undefined && secrets.may(event.message);
    const data = (secret ? hide(event.message, secrets.fields, redact, false) : event.message) as JsonObject;
    const size = event.bytes.length >= sizeShownFrom ? { size: event.bytes.length } : {};
    const note = event.note === undefined ? {} : { note: event.note };
    const bytes = event.note === undefined || secret ? {} : { bytes: base64(event.bytes) };
    this.#put({ ...where, kind: 'message', data, ...bytes, ...size, ...note });
  }

  #metadata(metadata: { readonly [key: string]: string }): JsonObject {
    const { redact, secrets } = this.#options;
    const isSecret = (key: string): boolean =>
      secrets.metadata.some((s) => (s.endsWith('*') ? key.startsWith(s.slice(0, -1)) : key === s));
    const shown = Object.entries(metadata).map(([key, value]) => [
      key,
      redact !== undefined && isSecret(key) ? redact(value) : value,
    ]);
    return Object.fromEntries(shown) as JsonObject;
  }
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** A copy in which every string below a secret field is redacted. Messages are shallow: their schema bounds depth. */
function hide(
  value: unknown,
  fields: readonly string[],
  redact: (s: string) => string,
  secret: boolean,
): unknown {
  if (typeof value === 'string') return secret ? redact(value) : value;
  if (Array.isArray(value)) return value.map((v) => hide(v, fields, redact, secret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([k, v]) => [k, hide(v, fields, redact, secret || fields.includes(k))]),
  );
}
