/**
 * The operator's interface over HTTP: JSON requests, JSON and server-sent events as answers. Each request becomes one
 * operator call of the gateway. The guard decides who may call; the routes check the fields of a request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { openHttpRoom } from '../../../kit/transport/index.ts';
import type { HttpServer } from '../../../kit/transport/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Accept } from '../../../kit/world/index.ts';
import type { OperatorRequest } from '../../operator.ts';
import { HttpAnswer, answerJson } from './answer.ts';
import { readBody } from './body.ts';
import { httpGuard } from './guard.ts';
import type { GuardOptions, HttpRefusal } from './guard.ts';
import { callOf, findRoute, methodOf, pageOf, routeNames, routes } from './routes.ts';
import type { HttpVerb } from './routes.ts';

export interface HttpFaceOptions extends GuardOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly accept: Accept;
  /** Largest request body (bytes); default 4 MiB. */
  readonly maxBody?: number;
  /** Whether the process may end while the face listens; default false. */
  readonly background?: boolean;
}

/** A listening face. */
export type HttpFace = HttpServer;

/** The bounds on operators, who are few. */
const bounds = { request: 30_000, connections: 1024, pipelined: 16 };

/**
 * Listens.
 *
 * @throws WireproofError 'usage' without a token on an address that other machines can reach, 'environment' when the
 * address is in use or not available
 * @example
 * const serve = (accept: HttpFaceOptions['accept']) => serveHttpFace({ host: '127.0.0.1', port: 8080, accept });
 */
export async function serveHttpFace(options: HttpFaceOptions): Promise<HttpFace> {
  const { host, port, background = false, maxBody = defaultMaxBody, allowHosts } = options;
  const face = new Face({ ...options, maxBody });
  const refusal = (error: string): JsonObject => ({ error });
  return openHttpRoom(
    { host, port, background, maxReceive: maxBody, bounds, refusal, hosts: allowHosts },
    { request: (request, response, contained) => face.handle(request, response, contained) },
  );
}

/** The largest body of a request (bytes). */
const defaultMaxBody = 4 << 20;

type Contained = (run: () => void) => void;

class Face {
  readonly #options: HttpFaceOptions & { readonly maxBody: number };
  readonly #guard: ReturnType<typeof httpGuard>;
  /** The open answers of each connection. All of them hear its end, also those that wait in a pipeline. */
  readonly #open = new WeakMap<Socket, Set<HttpAnswer>>();
  #streams = 0;

  constructor(options: HttpFaceOptions & { readonly maxBody: number }) {
    this.#options = options;
    this.#guard = httpGuard(options);
  }

  #openOf(socket: Socket): Set<HttpAnswer> {
    const known = this.#open.get(socket);
    if (known !== undefined) return known;
    const open = new Set<HttpAnswer>();
    this.#open.set(socket, open);
    socket.once('close', () => {
      for (const answer of open) answer.gone();
      open.clear();
    });
    return open;
  }

  handle(request: IncomingMessage, response: ServerResponse, contained: Contained): void {
    response.on('error', () => {}); // the client left; the socket's close reports it
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const refusal = this.#guard(request, path === '/health');
    if (refusal !== undefined) return refuseHttp(response, refusal);
    const own = path === '/' || path === '/health';
    const route = findRoute(path);
    if (route === undefined && !own) {
      const error = `no route ${JSON.stringify(path.slice(0, 200))}; there are: ${routeNames.join(', ')}`;
      return answerJson(response, 404, { error, routes: routeNames });
    }
    const allow = route === undefined ? 'GET' : methodOf(routes[route.verb]);
    if (request.method !== allow) {
      const error = `${path}: expected ${allow}; came ${request.method ?? ''}`;
      return refuseHttp(response, { status: 405, error, headers: { allow } });
    }
    if (route === undefined) return this.#answerOwn(path, request, response);
    const segment = decodeSegment(route.segment);
    if (segment === undefined)
      return refuseHttp(response, { status: 400, error: `${path}: expected a thread's id, percent-encoded` });
    const answer = (body: Uint8Array): void => {
      const call = callOf(route.verb, segment, body);
      if (call.ok) this.#answer(call.value, route.verb, response);
      else refuseHttp(response, { status: 400, error: call.error });
    };
    if (allow === 'GET') answer(new Uint8Array());
    else this.#body(request, response, (body) => contained(() => answer(body)));
  }

  #answerOwn(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (path === '/health') return answerJson(response, 200, { status: 'ok' });
    const page = pageOf(request.headers.host ?? '', (this.#options.token ?? '') !== '');
    response.writeHead(200, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    response.end(page);
  }

  #answer(call: OperatorRequest, verb: HttpVerb, response: ServerResponse): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const open = this.#openOf(socket);
    const answer = new HttpAnswer(response, verb);
    open.add(answer);
    response.once('close', () => {
      open.delete(answer);
      answer.gone();
    });
    answer.begin(this.#options.accept, `h${++this.#streams}`, call);
  }

  /** Reads the body and gives it to `then`; or refuses it. */
  #body(request: IncomingMessage, response: ServerResponse, then: (body: Uint8Array) => void): void {
    const { maxBody: limit } = this.#options;
    const tooLarge = { status: 413, error: `expected a body of at most ${limit} bytes; came more` };
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      const error = `expected a body as it is; came content-encoding ${JSON.stringify(encoding)}`;
      return refuseHttp(response, { status: 415, error });
    }
    if (Number(request.headers['content-length'] ?? 0) > limit) return refuseHttp(response, tooLarge);
    readBody(request, limit, (body) => {
      if (body === 'too large') refuseHttp(response, tooLarge);
      else if (body !== undefined) then(body);
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
