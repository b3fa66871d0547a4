/**
 * Serves HTTP exchanges and WebSockets on one port: each request, and each WebSocket, becomes a {@link Link}. The body of
 * a request is one message. Each sent message is a piece of the answer's body, and leaves at once.
 */
import type { Accept } from '../world/index.ts';
import { requestMetadata, ServerExchange } from './http-exchange.ts';
import { openHttpRoom } from './http-room.ts';
import type { HttpRoomOptions, HttpServer } from './http-room.ts';
import { reportKitFault } from './kit-fault.ts';
import { webSocketLink } from './websocket-link.ts';

/** How a server is set up. */
export interface HttpServerOptions extends HttpRoomOptions {
  /**
   * Takes each exchange. Its metadata: `:carrier` (`http` or `ws`), `:method`, `:path` with its query, and the headers.
   * The acceptor gives `:status` and the headers of the answer before it sends anything.
   */
  readonly accept: Accept;
  /**
   * Whether it takes WebSockets; default true. A function says it of a path and query: a request for one elsewhere gets 426.
   * False: it is an ordinary request.
   */
  readonly webSockets?: boolean | ((target: string) => boolean);
  /** A prefix for the names of connections and exchanges, to keep them apart from others in a trace. */
  readonly prefix?: string;
}

/** Listens. @throws WireproofError 'environment' when the address cannot be bound */
export function listenHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { accept, prefix = '', fault = reportKitFault, webSockets = true } = options;
  const conns = new Names(prefix);
  let count = 0;
  const exchange = { ...options, fault };
  return openHttpRoom(options, {
    request(request, response) {
      const link = new ServerExchange(request, response, conns.of(request.socket), `${prefix}s${++count}`);
      link.begin(accept, exchange);
    },
    ...(typeof webSockets === 'function' && { takesWebSockets: webSockets }),
    ...(webSockets !== false && {
      webSocket(socket, request) {
        const named = { conn: conns.of(request.socket), stream: `${prefix}s${++count}` };
        webSocketLink(socket, named, (link) => accept(link, requestMetadata(request, 'ws')), fault);
      },
    }),
  });
}

/** Names of connections: c1, c2 and so on, in the order of their first request. */
class Names {
  readonly #names = new WeakMap<object, string>();
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(socket: object): string {
    let name = this.#names.get(socket);
    if (name === undefined) this.#names.set(socket, (name = `${this.#prefix}c${++this.#count}`));
    return name;
  }
}
