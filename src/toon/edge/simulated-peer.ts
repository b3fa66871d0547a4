/** What users see of both simulated peers of TOON. It names no type of a package, which users would need to install. */
import type { LinkPeerPlace, TraceEvent } from '../../kit/base/index.ts';
import type { ToonMessage } from '../messages.ts';
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
