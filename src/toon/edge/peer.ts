/** The part that both simulated peers of TOON share: their address, their trace, and what was sent and received. */
import { addressText, hostPortOf, WireproofError } from '../../kit/base/index.ts';
import type { Role, TraceEvent } from '../../kit/base/index.ts';
import { connectTcp, connectWebSocket, listenTcp, listenWebSocket } from '../../kit/transport/index.ts';
import type { ByteEndpoint } from '../../kit/transport/index.ts';
import { Host, PeerTrace, framed, keepLatest, realClock } from '../../kit/world/index.ts';
import type { Accept, WireEvent } from '../../kit/world/index.ts';
import { toonCodec } from '../codec.ts';
import { toonFraming } from '../frame/stream.ts';
import type { ScriptedCommand, Side, ToonMessage } from '../messages.ts';
import { TaskLog } from './tasks.ts';
import type { ToonTask } from './tasks.ts';

/** The options of both simulated peers. */
export interface SimulateToonOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default `tcp`. */
  readonly carrier?: 'tcp' | 'ws';
  /** Dial this address instead of listening: host:port, or a URL of a WebSocket. */
  readonly connect?: string;
  /** The longest wait of the methods without a time of their own (ms). Default 10,000. */
  readonly within?: number;
  /** The most events, messages and instructions that are kept. Default 100,000. */
  readonly traceLimit?: number;
}

/** What both simulated peers have. */
export interface SimulatedToonPeer {
  /** host:port, where the peer listens, or which it dialled. */
  readonly address: string;
  /** The URL of the WebSocket; of TCP, such as `tcp://127.0.0.1:40123`. */
  readonly url: string;
  /** The trace so far. */
  readonly trace: readonly TraceEvent[];
  /** The messages from the other side, in order. */
  readonly received: readonly ToonMessage[];
  /** The messages to the other side, in order. */
  readonly sent: readonly ToonMessage[];
  /** The instructions, in order, with what the subagent did. */
  readonly tasks: readonly ToonTask[];
  /** Waits for a connection. @throws WireproofError 'environment' when none opens within the time (ms) */
  connected(within?: number): Promise<void>;
  /** Ends everything at once. A peer that is not closed does not keep its process alive, unless it dialled. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Above the limit of the protocol, so that larger messages are seen. */
const maxReceive = 32 << 20;

/** A running peer. */
export class ToonPeer<S> implements SimulatedToonPeer {
  readonly received: ToonMessage[] = [];
  readonly sent: ToonMessage[] = [];
  readonly within: number;
  readonly kept: PeerTrace;
  readonly #side: Side;
  readonly #limit: number;
  readonly #tasks: TaskLog;
  readonly #host: Host<S, ToonMessage, ToonMessage, ScriptedCommand>;
  readonly #open = new Set<string>();
  #endpoint: ByteEndpoint | undefined;
  #address = '';
  #url = '';

  constructor(
    side: Side,
    role: Role<S, ToonMessage, ToonMessage, ScriptedCommand>,
    { within = 10_000, traceLimit = 100_000 }: SimulateToonOptions,
  ) {
    this.#side = side;
    this.within = within;
    this.#limit = traceLimit;
    this.#tasks = new TaskLog(traceLimit);
    const clock = realClock({ background: true });
    const secrets = { metadata: [], fields: [], may: () => false };
    this.kept = new PeerTrace({ clock, wire: 'toon', secrets, redact: undefined, limit: traceLimit });
    this.#host = new Host({
      role,
      clock,
      receives: toonCodec,
      sends: toonCodec,
      tap: (event) => this.#take(event),
    });
  }

  /** Listens or dials. @throws WireproofError 'environment' when the port cannot be had, or nothing listens there */
  async open(options: SimulateToonOptions): Promise<void> {
    const { host = '127.0.0.1', port = 0, connect, carrier = schemeOf(connect) } = options;
    const accept: Accept = carrier === 'ws' ? this.#host.accept : framed(this.#host.accept, toonFraming);
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
    this.#endpoint = await (place === undefined || carrier === 'ws'
      ? connectWebSocket({ url: this.#url, accept, maxReceive })
      : connectTcp({ ...place, accept }));
  }

  get address(): string {
    return this.#address;
  }

  get url(): string {
    return this.#url;
  }

  get trace(): readonly TraceEvent[] {
    return this.kept.events;
  }

  get tasks(): readonly ToonTask[] {
    return this.#tasks.all;
  }

  /** Gives the role a command. */
  command(command: ScriptedCommand): void {
    this.#host.command(command);
  }

  async connected(within: number = this.within): Promise<void> {
    await this.kept.until(
      () => (this.#open.size > 0 ? true : undefined),
      within,
      () => `no connection is open at ${this.address}`,
    );
  }

  async close(): Promise<void> {
    this.#host.stop();
    this.#endpoint?.close();
    this.kept.close('the peer was closed');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #take(event: WireEvent): void {
    const { kind, stream, incoming } = event;
    this.kept.wire(this.#side, event);
    if (kind === 'open') this.#open.add(stream);
    if (kind === 'message') {
      const message = event.message as ToonMessage;
      keepLatest(incoming ? this.received : this.sent, message, this.#limit);
      this.#tasks.add(stream, message, incoming === (this.#side === 'orchestrator'));
    }
    if (kind === 'end' || kind === 'reset') {
      this.#open.delete(stream);
      this.#tasks.lost(stream);
    }
    this.kept.changed();
  }
}

const schemeOf = (connect: string | undefined): 'tcp' | 'ws' =>
  connect !== undefined && /^wss?:/.test(connect) ? 'ws' : 'tcp';
