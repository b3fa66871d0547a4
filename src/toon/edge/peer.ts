/** The part that both simulated peers of TOON share: the instructions of their connections. */
import type { Role, TraceEvent } from '../../kit/base/index.ts';
import { LinkPeer, defaultTraceLimit } from '../../kit/transport/index.ts';
import type { LinkPeerPlace } from '../../kit/transport/index.ts';
import { toonCodec } from '../codec.ts';
import { toonFraming } from '../frame/stream.ts';
import type { ScriptedCommand, Side, ToonMessage } from '../messages.ts';
import { TaskLog } from './tasks.ts';
import type { ToonTask } from './tasks.ts';

/** The options of both simulated peers. */
export type SimulateToonOptions = LinkPeerPlace;

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

const link = {
  receives: toonCodec,
  sends: toonCodec,
  framing: toonFraming,
  /** Above the limit of the protocol, so that larger messages are seen. */
  maxReceive: 32 << 20,
};

/** A running peer. */
export class ToonPeer<S>
  extends LinkPeer<S, ToonMessage, ToonMessage, ScriptedCommand>
  implements SimulatedToonPeer
{
  readonly #side: Side;
  readonly #tasks: TaskLog;

  constructor(
    side: Side,
    role: Role<S, ToonMessage, ToonMessage, ScriptedCommand>,
    options: SimulateToonOptions,
  ) {
    super({ wire: 'toon', name: side, role, ...link }, options);
    this.#side = side;
    this.#tasks = new TaskLog(options.traceLimit ?? defaultTraceLimit);
  }

  get tasks(): readonly ToonTask[] {
    return this.#tasks.all;
  }

  protected override saw(stream: string, message: ToonMessage, incoming: boolean): void {
    this.#tasks.add(stream, message, incoming === (this.#side === 'orchestrator'));
  }

  protected override lost(stream: string): void {
    this.#tasks.lost(stream);
  }
}
