/**
 * The operator face over HTTP: JSON requests, server-sent events. Each request becomes a link given to the
 * gateway, which hears the one operator call and answers it. Requests are checked here, in words that say which
 * field was wrong; who may call at all is the guard's.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WireproofError, ok, refuse } from '../../../kit/base/index.ts';
import type { Result } from '../../../kit/base/index.ts';
import type { Accept } from '../../../kit/world/index.ts';
import { operatorCallCodec, operatorPath } from '../../operator.ts';
import { HttpAnswer, answerJson } from './answer.ts';
import { httpGuard } from './guard.ts';
import type { GuardOptions, HttpRefusal } from './guard.ts';
import { pageOf, routeNames, routesOf } from './routes.ts';
import type { Route } from './routes.ts';

/** How the face is served. */
export interface HttpFaceOptions extends GuardOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly accept: Accept;
  /** Largest request body (bytes); default 4 MiB. */
  readonly maxBody?: number;
}

/** A face that listens. */
export interface HttpFace {
  readonly port: number;
  /** Ends everything at once; resolves when nothing listens any more. */
  close(): Promise<void>;
}

/** A request's whole text has to be here within this time (ms). */
const requestWithin = 30_000;
/** Requests of one connection that may be open at a time: HTTP/1.1 lets a client send them all at once. */
const mostOpen = 16;
const mostConnections = 1024;

/**
 * Listens.
 *
 * @throws WireproofError 'usage' without a token on an address that others reach, 'environment' when the address
 * cannot be had
 * @example
 * const serve = (accept: HttpFaceOptions['accept']) => serveHttpFace({ host: '127.0.0.1', port: 8080, accept });
 */
export async function serveHttpFace(options: HttpFaceOptions): Promise<HttpFace> {
  const face = new Face(options);
  const server = createServer({ requestTimeout: requestWithin, headersTimeout: requestWithin / 2 });
  server.maxConnections = mostConnections;
  server.on('connection', (socket: Socket) => face.watch(socket));
  server.on('request', (request, response) => face.handle(request, response));
  // A client that asks first is refused before it sends what is too large.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!face.tooLarge(request)) response.writeContinue();
    face.handle(request, response);
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, close };
}

function listen(server: Server, { host, port }: HttpFaceOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const used = cause.code === 'EADDRINUSE';
      const why = used ? 'the port is in use; give another, or 0 for any free one' : cause.message;
      reject(new WireproofError('environment', `cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen({ host: host.replaceAll(/^\[|\]$/g, ''), port }, resolve);
  });
}

class Face {
  readonly #options: HttpFaceOptions;
  readonly #guard: ReturnType<typeof httpGuard>;
  readonly #maxBody: number;
  /** What to do when a connection closes, a function an open request: later ones of a pipeline hear it too. */
  readonly #open = new WeakMap<Socket, Set<() => void>>();
  #streams = 0;

  constructor(options: HttpFaceOptions) {
    this.#options = options;
    this.#guard = httpGuard(options);
    this.#maxBody = options.maxBody ?? 4 << 20;
  }

  watch(socket: Socket): void {
    const open = new Set<() => void>();
    this.#open.set(socket, open);
    socket.once('close', () => {
      for (const gone of open) gone();
      open.clear();
    });
  }

  tooLarge(request: IncomingMessage): boolean {
    return Number(request.headers['content-length'] ?? 0) > this.#maxBody;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {}); // a client that left; the socket's close says it
    // A target with a scheme, or a query, leads nowhere else.
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const refusal = this.#guard(request, path === '/health');
    if (refusal !== undefined) return refuseHttp(response, refusal);
    const found = this.#route(request, path, response);
    if (found !== undefined) void this.#call(found.route, found.segment, request, response);
  }

  /** The route of a request; answers itself where there is none, or where it is the face's own. */
  #route(
    request: IncomingMessage,
    path: string,
    response: ServerResponse,
  ): { readonly route: Route; readonly segment: string } | undefined {
    const own = path === '/' || path === '/health';
    const { found, segment } = routesOf(path);
    const methods = own ? ['GET'] : found.map(({ method }) => method);
    const method = request.method ?? '';
    if (methods.length === 0) {
      const error = `no route ${JSON.stringify(path.slice(0, 200))}; there are: ${routeNames.join(', ')}`;
      answerJson(response, 404, { error, routes: routeNames });
    } else if (!methods.some((one) => one === method)) {
      const allow = methods.join(', ');
      const error = `${path}: expected ${allow}; came ${method}`;
      refuseHttp(response, { status: 405, error, headers: { allow } });
    } else if (own) this.#say(path, request, response);
    else {
      const route = found.find((one) => one.method === method);
      const decoded = decodeSegment(segment);
      if (route !== undefined && decoded !== undefined) return { route, segment: decoded };
      refuseHttp(response, { status: 400, error: `${path}: expected a thread's id, percent-encoded` });
    }
    return undefined;
  }

  #say(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (path === '/health') return answerJson(response, 200, { status: 'ok' });
    const page = pageOf(request.headers.host ?? '', (this.#options.token ?? '') !== '');
    response.writeHead(200, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    response.end(page);
  }

  async #call(
    route: Route,
    segment: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = route.method === 'GET' ? ok(new Uint8Array()) : await this.#body(request);
    if (body === undefined) return; // the client left
    if (!body.ok) return refuseHttp(response, body.error);
    const call = route.call(segment, body.value);
    if (!call.ok) return refuseHttp(response, { status: 400, error: call.error });
    const open = this.#open.get(request.socket);
    if (open === undefined || request.socket.destroyed) return;
    if (open.size >= mostOpen) {
      // Not answered: Node stops reading a connection that has much to be written, and would not see it close.
      request.socket.destroy();
      return;
    }
    const answer = new HttpAnswer(response, route.shape, `h${++this.#streams}`);
    const gone = (): void => answer.gone();
    open.add(gone);
    response.once('close', () => {
      open.delete(gone);
      gone();
    });
    const events = this.#options.accept(answer.link, { ':path': operatorPath });
    answer.hears(events);
    events.message(operatorCallCodec.encode(call.value));
    events.halfClose();
    answer.begin();
  }

  /** The body, a refusal, or nothing when the client left before its end. */
  #body(request: IncomingMessage): Promise<Result<Uint8Array, HttpRefusal> | undefined> {
    const limit = this.#maxBody;
    const tooLarge: HttpRefusal = {
      status: 413,
      error: `expected a body of at most ${limit} bytes; came more`,
    };
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      const error = `expected a body as it is; came content-encoding ${JSON.stringify(encoding)}`;
      return Promise.resolve(refuse({ status: 415, error }));
    }
    if (this.tooLarge(request)) return Promise.resolve(refuse(tooLarge));
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        // What is too much is read on and forgotten, so that the client comes to read why it was refused.
        if (size <= limit) chunks.push(chunk);
        else {
          chunks.length = 0;
          resolve(refuse(tooLarge));
        }
      });
      request.once('end', () => resolve(ok(Buffer.concat(chunks))));
      request.once('error', () => resolve(undefined));
      request.once('close', () => resolve(undefined));
    });
  }
}

function refuseHttp(response: ServerResponse, { status, error, headers }: HttpRefusal): void {
  answerJson(response, status, { error }, headers);
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
