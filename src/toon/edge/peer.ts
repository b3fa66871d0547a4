/** The part that both simulated peers of TOON share: the instructions of their connections. */
import type { Role } from '../../kit/base/index.ts';
import { LinkPeer, defaultTraceLimit } from '../../kit/transport/index.ts';
import { toonCodec } from '../codec.ts';
import { toonFraming } from '../frame/stream.ts';
import type { ScriptedCommand, Side, ToonMessage } from '../messages.ts';
import type { SimulateToonOptions, SimulatedToonPeer } from './simulated-peer.ts';
import { TaskLog } from './tasks.ts';
import type { ToonTask } from './tasks.ts';

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
