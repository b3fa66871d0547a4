/** What a streamer remembers. */
import type { Metadata } from '../../kit/base/index.ts';
import type { LmServer, LmServerState } from '../dialects/lmstudio/server.ts';
import type { StreamExchange } from './exchange.ts';
import type { PlayerState } from './player.ts';
import type { Asked } from '../dialects/shared/units.ts';

/** One WebSocket: the namespace it speaks for is its path. */
export interface SocketSession {
  readonly machine: LmServer;
  state: LmServerState;
}

/** A request that is being taken or answered, or a WebSocket. */
export interface Link {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Metadata;
  /** Its body, once it has come. */
  asked: Asked | undefined;
  /** Why its body could not be read. */
  unreadable: string | undefined;
  readonly socket: SocketSession | undefined;
}

/** A streamer in the middle of its conversations. */
export interface StreamerState {
  player: PlayerState;
  /** Requests that were taken. */
  count: number;
  readonly links: Map<string, Link>;
  /** By key: the link, and the channel where it has several. */
  readonly exchanges: Map<string, StreamExchange>;
  /** Barriers that were released. */
  readonly released: Set<string>;
}
