/** Turns the events of hosts into trace events, in one order and without secrets. */
import type { JsonObject, TraceEvent } from '../base/index.ts';
import type { Clock } from './clock.ts';
import { hasCredentials, withoutCredentials } from './credentials.ts';
import { secretHeaders, withoutUrlSecrets } from './secrets.ts';
import type { WireEvent } from './host-link.ts';

/** The parts of events that are secrets. */
export interface Secrets {
  /** Lower-case metadata keys besides {@link secretHeaders}; a key ending in `*` is a prefix. */
  readonly metadata: readonly string[];
  /** Field names in messages, at any depth; every value below such a field is a secret. */
  readonly fields: readonly string[];
  /** Whether a message can contain a secret. Most kinds cannot, and are not searched. */
  may(message: unknown): boolean;
  /** Secrets that the kit itself has given, at least 8 characters long: they are found wherever they stand. */
  readonly values?: readonly string[];
}

/** The parts of a recorder. */
export interface RecorderOptions {
  readonly clock: Clock;
  /** The trace's id of the protocol. */
  readonly wire: string;
  readonly secrets: Secrets;
  /** The replacement of a secret; undefined: the trace contains secrets. */
  readonly redact: ((secret: string) => string) | undefined;
  /** Receives every event, in order. */
  readonly sink: (event: TraceEvent) => void;
}

/** Messages of at least this many bytes have their size in the trace. */
const largeMessage = 1 << 16;

/** The part of a trace event that depends on its kind. */
type EventContent = Pick<TraceEvent, 'kind' | 'data'> & Partial<Pick<TraceEvent, 'bytes' | 'size' | 'note'>>;

/** Numbers and records the events of one run. */
export class Recorder {
  readonly #options: RecorderOptions;
  #seq = 0;
  #muted = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Records no further event of a wire. Marks and the end of the process stay. */
  mute(): void {
    this.#muted = true;
  }

  /** Records an action of the kit. */
  mark(data: JsonObject, where: { readonly conn?: string; readonly stream?: string } = {}): void {
    this.#put({ from: 'kit', to: 'kit', kind: 'mark', data, ...where });
  }

  /** Records the end of the target's process. */
  process(exit: number | null, signal: string | null): void {
    this.#put({ from: 'target', to: 'kit', kind: 'process', data: { exit, signal } });
  }

  /** Records the start of a message that is too large to receive. Its bytes are not kept. */
  oversize(conn: string, stream: string, to: string, size: number, limit: number): void {
    if (this.#muted) return;
    const note = `a message of ${size} bytes; at most ${limit} are taken`;
    this.#put({ from: 'target', to, kind: 'undecodable', data: {}, conn, stream, size, note });
  }

  /** Records a keepalive ping of a connection. */
  ping(conn: string, from: string, to: string, data: JsonObject = {}): void {
    if (this.#muted) return;
    this.#put({ from, to, kind: 'ping', data, conn });
  }

  /** Records an event on a link of the simulated peer `peer`. `wire` names another protocol than the recorder's. */
  wire(peer: string, event: WireEvent, wire: string = this.#options.wire): void {
    if (this.#muted) return;
    const { conn, stream, incoming } = event;
    const from = incoming ? 'target' : peer;
    const to = incoming ? peer : 'target';
    const at = this.#now();
    const content = this.#withoutCredentials(this.#contentOf(event));
    this.#options.sink({ seq: this.#seq++, at, wire, conn, stream, from, to, ...content });
  }

  #contentOf(event: WireEvent): EventContent {
    switch (event.kind) {
      case 'open':
      case 'headers':
        return { kind: event.kind, data: this.#metadata(event.metadata) };
      case 'message':
        return this.#messageContent(event);
      case 'undecodable': {
        const { kind, bytes, note, code } = event;
        return { kind, data: { code }, bytes: base64(bytes), note };
      }
      case 'end': {
        const { code, message } = event.status;
        return { kind: 'end', data: { code, message } };
      }
      case 'half_close':
      case 'reset':
      case 'ping':
        return { kind: event.kind, data: {} };
      default:
        return event satisfies never;
    }
  }

  /** The content without the credentials that the user gave: a peer may send one anywhere. */
  #withoutCredentials(content: EventContent): EventContent {
    const { redact } = this.#options;
    const { values = [] } = this.#options.secrets;
    if (redact === undefined || (values.length === 0 && !hasCredentials())) return content;
    const clean = (text: string): string => withoutCredentials(text, redact, values);
    const { bytes } = content;
    if (bytes === undefined && !hasText(content.data, (text) => clean(text) !== text)) return content;
    const shown = withTexts(content, clean) as EventContent;
    if (bytes === undefined) return shown;
    const text = clean(Buffer.from(bytes, 'base64').toString('latin1'));
    return { ...shown, bytes: Buffer.from(text, 'latin1').toString('base64') };
  }

  #messageContent({ message, bytes, note }: Extract<WireEvent, { kind: 'message' }>): EventContent {
    const { secrets, redact } = this.#options;
    const secret = redact !== undefined && secrets.may(message);
    const data = (secret ? hide(message, secrets.fields, redact, false) : message) as JsonObject;
    const large = bytes.length >= largeMessage;
    if (note === undefined && !large) return { kind: 'message', data };
    const kept = note === undefined || secret ? {} : { bytes: base64(bytes) };
    const size = large ? { size: bytes.length } : {};
    return { kind: 'message', data, ...kept, ...size, ...(note === undefined ? {} : { note }) };
  }

  /** Milliseconds, to the microsecond. */
  #now(): number {
    return Math.round(this.#options.clock.now() * 1000) / 1000;
  }

  #put(event: Partial<TraceEvent> & Pick<TraceEvent, 'from' | 'to' | 'kind' | 'data'>): void {
    const { sink, wire } = this.#options;
    const { conn = '', stream = '', from, to, kind, data, ...rest } = event;
    const content = this.#withoutCredentials({ kind, data, ...rest });
    sink({ seq: this.#seq++, at: this.#now(), wire, conn, stream, from, to, ...content });
  }

  #metadata(metadata: { readonly [key: string]: string }): JsonObject {
    const { redact, secrets } = this.#options;
    if (redact === undefined) return { ...metadata };
    const { values = [] } = secrets;
    const isSecret = (key: string): boolean =>
      secretHeaders.includes(key) ||
      secrets.metadata.some((s) => (s.endsWith('*') ? key.startsWith(s.slice(0, -1)) : key === s));
    const shown = (key: string, value: string): string => {
      // A known secret is one word, whatever stands before it.
      if (isSecret(key)) return values.some((one) => value.includes(one)) ? value : redact(value);
      return key === ':path' || key === 'referer' ? withoutUrlSecrets(value, redact) : value;
    };
    return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, shown(key, value)]));
  }
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as typeof Object.prototype | null);

/** Whether any string is so. */
function hasText(value: unknown, isSo: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isSo(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((one) => hasText(one, isSo));
}

/** A copy with every string changed. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  // An object of a class, such as an answer that is kept as bytes, is more than its entries.
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, change)]));
}

/** A copy with every string below a secret field replaced. The schema bounds the depth of messages. */
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
