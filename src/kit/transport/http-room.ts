/**
 * The one place that opens an HTTP server or takes a WebSocket. So no server of the kit is without its bounds: connections,
 * the time of a request, open requests of a connection, the Host and Origin of web pages, the size of a message, memory of
 * unread answers, and handlers that fail. A caller may change the numbers.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Json } from '../base/index.ts';
import { Callers } from './callers.ts';
import { httpServerBounds, requestTimes } from './http-bounds.ts';
import type { HttpServerBounds } from './http-bounds.ts';
import { targetOf } from './http-metadata.ts';
import { reportKitFault } from './kit-fault.ts';
import type { OnKitFault } from './kit-fault.ts';
import { explainLimit, limitMessages } from './message-limit.ts';
import { foreignCaller } from './page-guard.ts';
import type { PageRules } from './page-guard.ts';
import { wsPackage } from './packages.ts';
import { bound } from './tcp.ts';
import { answerUnreadable } from './unreadable.ts';

/** How a room is set up, whoever is served in it. */
export interface HttpRoomOptions extends PageRules {
  /** 0: any free port. */
  readonly port: number;
  /** The largest body of a request, and the largest WebSocket message (bytes); a larger one is refused with 413, or 1009. */
  readonly maxReceive: number;
  /** Other bounds than {@link httpServerBounds}. */
  readonly bounds?: Partial<HttpServerBounds>;
  /** Makes the JSON of a refusal by the server itself: a foreign page, a body that is too large. Absent: its own form. */
  readonly refusal?: (message: string) => Json;
  /** Whether the process may end while this server listens; default false. */
  readonly background?: boolean;
  /** Takes a fault of the kit in a handler, whose exchange ends; default: it is printed, and counted. */
  readonly fault?: OnKitFault;
}

/** The handlers of a room. */
export interface HttpHandlers {
  /** Takes a request that the room lets in. What runs later, runs in `contained`: its fault ends only this exchange. */
  readonly request: (
    request: IncomingMessage,
    response: ServerResponse,
    contained: (run: () => void) => void,
  ) => void;
  /** Takes a WebSocket; absent: a request for one is an ordinary request. */
  readonly webSocket?: (socket: WebSocket, request: IncomingMessage) => void;
  /** Whether this path and query takes WebSockets; a request for one elsewhere gets 426. Absent: every path does. */
  readonly takesWebSockets?: (target: string) => boolean;
}

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** Listens. @throws WireproofError 'environment' when the address cannot be bound */
export async function openHttpRoom(options: HttpRoomOptions, handlers: HttpHandlers): Promise<HttpServer> {
  const { port, background = false } = options;
  const room = new HttpRoom(options, handlers);
  const at = await bound(room.server, options.host, port);
  if (background) room.server.unref();
  return { port: at, close: () => room.close() };
}

class HttpRoom {
  readonly server: Server;
  readonly #options: HttpRoomOptions;
  readonly #handlers: HttpHandlers;
  readonly #callers: Callers;
  readonly #fault: OnKitFault;
  #sockets: WebSocketServer | undefined;

  constructor(options: HttpRoomOptions, handlers: HttpHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#fault = options.fault ?? reportKitFault;
    const bounds = { ...httpServerBounds, ...options.bounds };
    this.#callers = new Callers(bounds);
    this.server = createServer(requestTimes(bounds));
    this.server.setTimeout(bounds.idle);
    this.server.on('connection', (socket) => {
      if (options.background === true) socket.unref();
      this.#callers.add(socket);
    });
    this.server.on('clientError', answerUnreadable);
    this.server.on('request', (request, response) => this.#request(request, response));
    // A client that waits for 100 Continue is refused before it sends a body that is too large.
    this.server.on('checkContinue', (request, response) => {
      if (!(Number(request.headers['content-length']) > options.maxReceive)) response.writeContinue();
      this.#request(request, response);
    });
    if (handlers.webSocket !== undefined)
      this.server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  close(): Promise<void> {
    for (const socket of this.#sockets?.clients ?? []) socket.terminate();
    this.#sockets?.close();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    if (this.#callers.begins(request, response)) return void request.socket.destroy();
    const foreign = foreignCaller(request.headers, this.#options);
    if (foreign !== undefined) return this.#refuse(response, 403, foreign);
    if (targetOf(request) === undefined)
      return this.#refuse(response, 400, `expected a path that begins with /; came ${shownTarget(request)}`);
    const contained = (run: () => void): void => {
      try {
        run();
      } catch (error) {
        this.#fault(error);
        failed(response);
      }
    };
    contained(() => this.#handlers.request(request, response, contained));
  }

  #refusal(type: string, message: string): Buffer {
    const json = this.#options.refusal?.(message) ?? { error: { type, message } };
    return Buffer.from(`${JSON.stringify(json)}\n`);
  }

  /** The refusal of a WebSocket at this path: clients such as codex then ask over HTTP (RFC 9110, 15.5.22). */
  #withoutUpgrade(target: string): string {
    const message = `${target.replace(/[?#].*$/, '')} takes no WebSocket; ask over HTTP`;
    const body = this.#refusal('invalid_request', message);
    const head = ['HTTP/1.1 426 Upgrade Required', 'upgrade: HTTP/1.1', 'connection: upgrade, close'];
    return [...head, ...bodyHead('application/json', body), '', body.toString('utf8')].join('\r\n');
  }

  #refuse(response: ServerResponse, status: number, message: string): void {
    const body = this.#refusal(status === 403 ? 'forbidden' : 'invalid_request', message);
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      connection: 'close',
    };
    response.writeHead(status, headers).end(body);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {}); // its close follows
    const foreign = foreignCaller(request.headers, this.#options);
    if (foreign !== undefined) return void socket.end(forbidden(foreign));
    const target = targetOf(request);
    if (target === undefined) return void socket.destroy();
    if (this.#handlers.takesWebSockets?.(target) === false)
      return void socket.end(this.#withoutUpgrade(target));
    this.#callers.upgraded(socket);
    this.#sockets ??= upgrades(this.#options.maxReceive);
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      explainLimit(ws, this.#options.maxReceive);
      limitMessages(ws, socket);
      try {
        this.#handlers.webSocket?.(ws, request);
      } catch (error) {
        this.#fault(error);
        ws.close(internalError);
      }
    });
  }
}

/** "Internal Error" (RFC 6455, 7.4.1). */
export const internalError = 1011;

/** Answers an exchange whose handler failed; one that is in the middle of its answer is reset. */
export function failed(response: ServerResponse): void {
  if (response.headersSent) return void response.req.socket.destroy();
  response.writeHead(500, { 'content-type': 'text/plain', connection: 'close' });
  response.end('the kit failed at this request; its stderr says more\n');
}

const shownTarget = ({ url = '' }: IncomingMessage): string => JSON.stringify(url.slice(0, 200));

/** The refusal of a WebSocket, as an answer of HTTP. */
function forbidden(message: string): string {
  const body = Buffer.from(`${message}\n`);
  const head = ['HTTP/1.1 403 Forbidden', 'connection: close'];
  return [...head, ...bodyHead('text/plain; charset=utf-8', body), '', body.toString('utf8')].join('\r\n');
}

/** The header lines of a body. */
const bodyHead = (type: string, { length }: Buffer): readonly string[] => [
  `content-type: ${type}`,
  `content-length: ${length}`,
];

/** The server that upgrades requests to WebSockets. */
function upgrades(maxPayload: number): WebSocketServer {
  const { WebSocketServer } = wsPackage();
  return new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false, clientTracking: true });
}
