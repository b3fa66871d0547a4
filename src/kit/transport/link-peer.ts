/** A simulated peer in the process of a test: a role on TCP or WebSocket, its trace, and the messages that it sent and received. */
import { WireproofError, addressText, hostPortOf } from '../base/index.ts';
import type { Codec, LinkPeerPlace, Role, TraceEvent } from '../base/index.ts';
import { Host, PeerTrace, framed, keepLatest, realClock } from '../world/index.ts';
import type { Accept, Framing, WireEvent } from '../world/index.ts';
import type { ByteEndpoint } from './connections.ts';
import { connectTcp, listenTcp } from './tcp.ts';
import { connectWebSocket, listenWebSocket } from './websocket.ts';

/** The protocol of a peer. */
export interface LinkPeerProtocol<S, In, Out, C> {
  /** The name of its wire in the trace. */
  readonly wire: string;
  /** The name of the peer in the trace. */
  readonly name: string;
  readonly role: Role<S, In, Out, C>;
  readonly receives: Codec<In>;
  readonly sends: Codec<Out>;
  readonly framing: Framing;
  /** The largest message that the peer reads from a WebSocket (bytes). */
  readonly maxReceive: number;
}

export const defaultTraceLimit = 100_000;
const defaultWithin = 10_000;

/** A protocol's peer extends it, and notes in {@link saw} and {@link lost} what its tests ask for. */
export class LinkPeer<S, In, Out, C> {
  readonly received: In[] = [];
  readonly sent: Out[] = [];
  readonly within: number;
  readonly kept: PeerTrace;
  readonly #protocol: LinkPeerProtocol<S, In, Out, C>;
  readonly #limit: number;
  readonly #host: Host<S, In, Out, C>;
  readonly #open = new Set<string>();
  #endpoint: ByteEndpoint | undefined;
  #address = '';
  #url = '';

  constructor(
    protocol: LinkPeerProtocol<S, In, Out, C>,
    { within = defaultWithin, traceLimit = defaultTraceLimit }: LinkPeerPlace,
  ) {
    const { wire, role, receives, sends } = protocol;
    this.#protocol = protocol;
    this.within = within;
    this.#limit = traceLimit;
    const clock = realClock({ background: true });
    const secrets = { metadata: [], fields: [], may: () => false };
    this.kept = new PeerTrace({ clock, wire, secrets, redact: undefined, limit: traceLimit });
    this.#host = new Host({
      role,
      clock,
      receives,
      sends,
      tap: (event) => this.#onEvent(event),
    });
  }

  /** Listens or dials. @throws WireproofError 'environment' when the port cannot be had, or nothing listens there */
  async open(place: LinkPeerPlace): Promise<void> {
    const { host = '127.0.0.1', port = 0, connect, carrier = schemeOf(connect) } = place;
    const { framing, maxReceive } = this.#protocol;
    const accept: Accept = carrier === 'ws' ? this.#host.accept : framed(this.#host.accept, framing);
    if (connect !== undefined) return this.#dial(connect, carrier, accept);
    const at = { host, port, accept, background: true };
    this.#endpoint = await (carrier === 'ws' ? listenWebSocket({ ...at, maxReceive }) : listenTcp(at));
    this.#address = addressText({ host, port: this.#endpoint.port });
    this.#url = `${carrier}://${this.#address}`;
  }

  async #dial(connect: string, carrier: 'tcp' | 'ws', accept: Accept): Promise<void> {
    const place = hostPortOf(connect);
    if (place === undefined && carrier === 'tcp')
      throw new WireproofError(
        'usage',
        `connect ${connect}: expected host:port, such as 127.0.0.1:50071, or the URL of a WebSocket`,
      );
    this.#url = connect.includes('://') ? connect : `${carrier}://${connect}`;
    this.#address = place === undefined ? '' : addressText(place);
    const { maxReceive } = this.#protocol;
    this.#endpoint = await (place === undefined || carrier === 'ws'
      ? connectWebSocket({ url: this.#url, accept, maxReceive })
      : connectTcp({ ...place, accept }));
  }

  /** host:port, where the peer listens, or which it dialled. */
  get address(): string {
    return this.#address;
  }

  /** The URL of the WebSocket; of TCP, such as `tcp://127.0.0.1:40123`. */
  get url(): string {
    return this.#url;
  }

  /** The trace so far. */
  get trace(): readonly TraceEvent[] {
    return this.kept.events;
  }

  /** Gives the role a command. */
  command(command: C): void {
    this.#host.command(command);
  }

  /** Waits for a connection. @throws WireproofError 'environment' when none opens within the time (ms) */
  async connected(within: number = this.within): Promise<void> {
    await this.kept.until(
      () => (this.#open.size > 0 ? true : undefined),
      within,
      () => `no connection is open at ${this.address}`,
    );
  }

  /** Ends everything at once. A peer that is not closed does not keep its process alive, unless it dialled. */
  async close(): Promise<void> {
    this.#host.stop();
    this.#endpoint?.close();
    this.kept.close('the peer was closed');
  }

  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A message crossed a connection. */
  protected saw(_stream: string, _message: In | Out, _incoming: boolean): void {}

  /** A connection has ended. */
  protected lost(_stream: string): void {}

  #onEvent(event: WireEvent): void {
    const { kind, stream, incoming } = event;
    this.kept.wire(this.#protocol.name, event);
    if (kind === 'open') this.#open.add(stream);
    if (kind === 'message') {
      // The codecs have made it: one that came is an In, one that was sent an Out.
      const message = event.message as In & Out;
      if (incoming) keepLatest(this.received, message, this.#limit);
      else keepLatest(this.sent, message, this.#limit);
      this.saw(stream, message, incoming);
    }
    if (kind === 'end' || kind === 'reset') {
      this.#open.delete(stream);
      this.lost(stream);
    }
    this.kept.changed();
  }
}

const schemeOf = (connect: string | undefined): 'tcp' | 'ws' =>
  connect !== undefined && /^wss?:/.test(connect) ? 'ws' : 'tcp';
