/** One open link of a host: decodes its messages for the role, encodes the role's messages, and shows both. */
import { refuse } from '../base/index.ts';
import type {
  Codec,
  Decoded,
  Metadata,
  Result,
  RoleInput,
  RoleOutput,
  Status,
  Violation,
} from '../base/index.ts';
import type { Link, LinkEvents } from './link.ts';

/** An event on a host's links, as it happens. A message that came is shown before the role's answer to it. */
export type WireEvent = { readonly conn: string; readonly stream: string; readonly incoming: boolean } & (
  | { readonly kind: 'open' | 'headers'; readonly metadata: Metadata }
  | {
      readonly kind: 'message';
      readonly message: unknown;
      readonly bytes: Uint8Array;
      readonly note?: string;
    }
  | {
      readonly kind: 'undecodable';
      readonly bytes: Uint8Array;
      readonly note: string;
      /** The code of the codec's violation. */
      readonly code: string;
    }
  | { readonly kind: 'half_close' | 'reset' | 'ping' }
  | { readonly kind: 'end'; readonly status: Status }
);

/** The codecs of one link, from the role's side. */
export interface LinkCodecs<In, Out> {
  readonly receives: Codec<In>;
  readonly sends: Codec<Out>;
}

/** The part of a host that its links need. */
export interface LinkHost<In> {
  readonly tap: ((event: WireEvent) => void) | undefined;
  step(input: RoleInput<In, never>): void;
  /** The other side ended the stream. */
  removed(peer: string): void;
}

/** The outputs of a role that act on one link. */
export type LinkOutput<Out> = Exclude<
  RoleOutput<Out>,
  { type: 'dial' | 'start_timer' | 'stop_timer' | 'tell' | 'effect' }
>;

/** An open link. A class, so that the links of ten thousand peers share their functions. */
export class HostLink<In, Out> implements LinkEvents {
  readonly #host: LinkHost<In>;
  readonly #peer: string;
  readonly #codecs: LinkCodecs<In, Out>;
  /** Undefined before the link is open and after it has ended: its events are then ignored. */
  #link: Link | undefined;

  constructor(host: LinkHost<In>, peer: string, codecs: LinkCodecs<In, Out>) {
    this.#host = host;
    this.#peer = peer;
    this.#codecs = codecs;
  }

  /** Begins to hear the link. `incoming`: the other side opened it. */
  open(link: Link, incoming: boolean, metadata: Metadata): void {
    this.#link = link;
    this.#host.tap?.({ kind: 'open', conn: link.conn, stream: link.stream, incoming, metadata });
  }

  /** Ends the link. */
  stop(status: Status): void {
    const link = this.#link;
    this.#show({ kind: 'end', status }, false);
    this.#link = undefined;
    link?.close(status);
  }

  headers(metadata: Metadata): void {
    if (this.#link === undefined) return;
    this.#show({ kind: 'headers', metadata }, true);
    this.#host.step({ type: 'headers', peer: this.#peer, metadata });
  }

  message(bytes: Uint8Array, form?: 'binary'): void {
    const link = this.#link;
    if (link === undefined) return;
    const peer = this.#peer;
    const decoded = form === 'binary' ? binaryMessage : this.#codecs.receives.decode(bytes);
    this.#host.tap?.(decodedEvent(link, true, bytes, decoded));
    if (decoded.ok) return this.#host.step({ type: 'message', peer, message: decoded.value.message });
    const { code, message: reason } = decoded.error;
    this.#host.step({ type: 'undecodable', peer, reason, code });
  }

  halfClose(): void {
    if (this.#link === undefined) return;
    this.#show({ kind: 'half_close' }, true);
    this.#host.step({ type: 'half_close', peer: this.#peer });
  }

  ended(status: Status | undefined): void {
    if (this.#link === undefined) return;
    const peer = this.#peer;
    this.#show(status === undefined ? { kind: 'reset' } : { kind: 'end', status }, true);
    this.#link = undefined;
    this.#host.removed(peer);
    this.#host.step(status === undefined ? { type: 'left', peer } : { type: 'left', peer, status });
  }

  drained(): void {
    if (this.#link !== undefined) this.#host.step({ type: 'drained', peer: this.#peer });
  }

  ping(): void {
    this.#show({ kind: 'ping' }, true);
  }

  /** Does one output of the role. */
  put(output: LinkOutput<Out>): void {
    const link = this.#link;
    if (link === undefined) return;
    switch (output.type) {
      case 'headers':
        this.#show({ kind: 'headers', metadata: output.metadata }, false);
        return link.headers(output.metadata);
      case 'send': {
        const { message } = output;
        const bytes = this.#codecs.sends.encode(message);
        const { conn, stream } = link;
        this.#host.tap?.({ kind: 'message', conn, stream, incoming: false, message, bytes });
        return this.#send(link, bytes);
      }
      case 'send_raw':
        this.#host.tap?.(decodedEvent(link, false, output.bytes, this.#codecs.sends.decode(output.bytes)));
        return this.#send(link, output.bytes);
      case 'pause':
        return link.pause();
      case 'resume':
        return link.resume();
      case 'half_close':
        this.#show({ kind: 'half_close' }, false);
        return link.halfClose();
      case 'close':
        this.#show({ kind: 'end', status: output.status }, false);
        this.#link = undefined;
        return link.close(output.status, output.metadata);
      default:
        output satisfies never;
    }
  }

  #send(link: Link, bytes: Uint8Array): void {
    if (!link.send(bytes)) this.#host.step({ type: 'full', peer: this.#peer });
  }

  #show(event: UnnamedEvent<WireEvent>, incoming: boolean): void {
    const link = this.#link;
    if (link !== undefined) this.#host.tap?.({ ...event, conn: link.conn, stream: link.stream, incoming });
  }
}

/** The fault of a binary message on a carrier of texts. */
const binaryMessage = refuse({
  code: 'binary-message',
  path: '',
  message: 'expected a text message; a binary one came',
});

/** An event without the names of its link. */
type UnnamedEvent<E> = E extends unknown ? Omit<E, 'conn' | 'stream' | 'incoming'> : never;

function decodedEvent(
  { conn, stream }: Link,
  incoming: boolean,
  bytes: Uint8Array,
  decoded: Result<Decoded<unknown>, Violation>,
): WireEvent {
  if (!decoded.ok) {
    const { code, message: note } = decoded.error;
    return { kind: 'undecodable', conn, stream, incoming, bytes, note, code };
  }
  const { message, note } = decoded.value;
  return note === undefined
    ? { kind: 'message', conn, stream, incoming, message, bytes }
    : { kind: 'message', conn, stream, incoming, message, bytes, note };
}
