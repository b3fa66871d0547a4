/** The state of a streamer, and the context of its steps. */
import type { Json, JsonObject, Metadata } from '../../kit/base/index.ts';
import type { GivenWords } from '../dialects/shared/body-reader.ts';
import type { LmServer, LmServerState } from '../dialects/lmstudio/server.ts';
import type { KnownResponses } from '../dialects/openai-responses/socket-memory.ts';
import type { ResponsesSocket } from '../dialects/openai-responses/socket-server.ts';
import type { BackgroundResponse } from './background-response.ts';
import type { ExchangeOptions, Outputs, StreamExchange } from './exchange.ts';
import type { Ids } from './ids.ts';
import type { PlayerState } from './conversations.ts';
import type { Player } from './player.ts';
import type { Route } from './routes.ts';
import type { GivenSignatures } from './signatures.ts';
import type { GivenThoughts } from './thoughts.ts';

/** A WebSocket of LM Studio. Its path is its namespace. */
export interface LmSocket {
  readonly dialect: 'lmstudio';
  readonly machine: LmServer;
  state: LmServerState;
}

/** A WebSocket of Responses. */
export interface ResponsesSocketSession {
  readonly dialect: 'openai-responses';
  readonly target: string;
  readonly machine: ResponsesSocket;
}

/** One WebSocket. */
export type SocketSession = LmSocket | ResponsesSocketSession;

/** A connection with one request, or a WebSocket. */
export interface Link {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Metadata;
  /** The body of the request, once it has come. */
  body: Json | undefined;
  /** Whether the body has bytes that are no UTF-8; they came as U+FFFD. */
  badUtf8: boolean;
  /** Why the body is unreadable. */
  unreadable: string | undefined;
  readonly socket: SocketSession | undefined;
}

/** A body that is made piece by piece. */
export interface BodyInPieces {
  readonly pieces: Iterator<string>;
  /** Whether the carrier has no room. */
  full: boolean;
}

/** A streamer in the middle of its exchanges. */
export interface StreamerState {
  player: PlayerState;
  /** Requests so far. */
  count: number;
  readonly links: Map<string, Link>;
  /** By key: the link, and the channel where it has several. */
  readonly exchanges: Map<string, StreamExchange>;
  /** Answers in pieces that are not whole yet, by link. */
  readonly bodies: Map<string, BodyInPieces>;
  /** The ids and names that the script gave, where their form is unusual. */
  given: GivenWords;
  /** The thoughts that were given next to calls. */
  readonly thoughts: GivenThoughts;
  /** The responses that any connection can continue. */
  readonly responses: KnownResponses;
  /** The WebSockets on which a response has ended in this step, so that another may begin. */
  readonly freed: Set<string>;
  /** The signatures that were given on calls. */
  readonly signatures: GivenSignatures;
  /** The responses that are made in the background, by their pseudo link. */
  readonly background: Map<string, BackgroundResponse>;
  /** The interactions that can be asked for, by their id. */
  readonly interactions: Map<string, JsonObject>;
  /** Whether pages of browsers have asked. */
  pages: boolean;
  /** The numbers of the requests whose answers are being sent. */
  readonly open: Set<number>;
  /** Barriers that were released. */
  readonly released: Set<string>;
}

export interface StreamerStep {
  readonly player: Player;
  /** Ids for the request of this number. */
  readonly ids: (number: number) => Ids;
  readonly state: StreamerState;
  readonly now: number;
  readonly out: Outputs;
  readonly joins: ExchangeOptions['joins'];
}

/** A route with its handler. */
export interface ServedRoute extends Route {
  readonly serve: (step: StreamerStep, peer: string, link: Link) => void;
}
