/**
 * The reference gateway, as a pure role: a client asks in one dialect, a provider answers in another, and the answer comes
 * back piece by piece. Nothing is kept after an exchange.
 */
import type { Metadata, PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import { dialectOf } from '../dialects/index.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { ErrorResponse } from '../dialects/shared/dialect.ts';
import type { RequestBody } from '../dialects/shared/units.ts';
import { seededIds } from '../streamer/ids.ts';
import { GatewayExchange } from './exchange.ts';
import type { GatewayOutputs } from './above.ts';
import type { GatewayOptions } from './options.ts';
import { largestBody } from './below.ts';
import { readFullRequest } from './request/index.ts';
import type { GatewayDialect } from './dialects.ts';
import { dialectAt, routeFor } from './route.ts';
import { isChunk } from './wire.ts';
import type { GatewayIn, GatewayOut } from './wire.ts';

/** A client's link before its request is whole. */
interface ClientLink {
  readonly metadata: Metadata;
  body: RequestBody | undefined;
  unreadable: string | undefined;
}

export interface GatewayState {
  count: number;
  readonly clients: Map<string, ClientLink>;
  /** By the client's link. */
  readonly exchanges: Map<string, GatewayExchange>;
}

type Command = PeerCommand<GatewayOut>;
export type GatewayRole = Role<GatewayState, GatewayIn, GatewayOut, Command>;

/** A gateway with these routes. */
export function llmGateway(options: GatewayOptions): GatewayRole {
  return {
    name: 'llm/gateway',
    start: () => ({ count: 0, clients: new Map(), exchanges: new Map() }),
    step(state, input, now) {
      const outputs: GatewayOutputs = [];
      new GatewayStep(options, state, now, outputs).take(input);
      return { state, outputs };
    },
  };
}

/** The types of refusals. */
const refusals: ReadonlyMap<number, string> = new Map([
  [404, 'not_found'],
  [413, 'too_large'],
]);

class GatewayStep {
  readonly #options: GatewayOptions;
  readonly #state: GatewayState;
  readonly #now: number;
  readonly #out: GatewayOutputs;

  constructor(options: GatewayOptions, state: GatewayState, now: number, out: GatewayOutputs) {
    this.#options = options;
    this.#state = state;
    this.#now = now;
    this.#out = out;
  }

  take(input: RoleInput<GatewayIn, Command>): void {
    switch (input.type) {
      case 'opened':
        return this.#opened(input.peer, input.metadata);
      case 'headers':
        this.#at(input.peer, (exchange) => exchange.headers(input.metadata, this.#out));
        return;
      case 'message':
        return this.#message(input.peer, input.message);
      case 'undecodable':
        return this.#undecodable(input.peer, input.reason);
      case 'half_close':
        return this.#halfClosed(input.peer);
      case 'left':
        return this.#left(input.peer, input.status?.code === 0);
      case 'full':
      case 'drained':
        this.#state.exchanges.get(input.peer)?.flow(input.type === 'drained', this.#out);
        return;
      case 'timer':
        this.#timer(input.id);
        return this.#forget();
      case 'command':
        return this.#command(input.command);
      default:
    }
    this.#forget();
  }

  /** A client's link. One to a provider has the URL that was dialled. A body that says that it is too large is not awaited. */
  #opened(peer: string, metadata: Metadata): void {
    if (metadata[':url'] !== undefined) return;
    const { request: most = largestBody } = this.#options.largest ?? {};
    if (Number(metadata['content-length']) > most) return this.#tooLarge(peer, metadata, most);
    this.#state.clients.set(peer, { metadata, body: undefined, unreadable: undefined });
  }

  #tooLarge(peer: string, metadata: Metadata, most: number): void {
    const dialect = dialectAt(metadata[':method'] ?? 'GET', metadata[':path'] ?? '/', metadata);
    const message = `expected a request of at most ${most} bytes; came ${metadata['content-length'] ?? ''}`;
    this.#refuse(peer, typeof dialect === 'string' ? dialect : 'openai-chat', 413, message);
  }

  #timer(id: string): void {
    for (const [peer, exchange] of this.#state.exchanges) {
      if (peer === id) return exchange.timer(this.#out);
      if (exchange.unitsTimer === id) return exchange.flush(this.#out);
    }
  }

  #message(peer: string, message: GatewayIn): void {
    if (isChunk(message)) {
      this.#at(peer, (exchange) => exchange.bytes(message.chunk, this.#out));
      return this.#forget();
    }
    const client = this.#state.clients.get(peer);
    if (client !== undefined) client.body = message;
  }

  #undecodable(peer: string, reason: string): void {
    const client = this.#state.clients.get(peer);
    if (client !== undefined) client.unreadable = reason;
  }

  /** A client's request is whole, or a provider's answer is. */
  #halfClosed(peer: string): void {
    const client = this.#state.clients.get(peer);
    if (client !== undefined && !this.#state.exchanges.has(peer)) return this.#begin(peer, client);
    this.#at(peer, (exchange) => exchange.ended(true, this.#out));
    this.#forget();
  }

  #left(peer: string, inOrder: boolean): void {
    if (this.#state.clients.delete(peer)) this.#state.exchanges.get(peer)?.left(this.#out);
    else this.#at(peer, (exchange) => exchange.ended(inOrder, this.#out));
    this.#forget();
  }

  #begin(peer: string, { metadata, body, unreadable }: ClientLink): void {
    const dialect = dialectAt(metadata[':method'] ?? 'GET', metadata[':path'] ?? '/', metadata);
    if (typeof dialect !== 'string') return this.#refuse(peer, 'openai-chat', 404, noPath(metadata));
    if (body === undefined) return this.#refuse(peer, dialect, 400, unreadable ?? 'expected a JSON body');
    const route = routeFor(this.#options.routes, dialect, body.body);
    if (route === undefined) return this.#refuse(peer, dialect, 404, 'no route has this model');
    const { random, epoch = 0 } = this.#options;
    const exchange = new GatewayExchange({
      peer,
      route,
      request: readFullRequest(dialect, body.body),
      headers: metadata,
      gateway: this.#options,
      now: epoch + this.#now,
      id: seededIds(random(`ids of request ${this.#state.count++}`)),
    });
    this.#state.exchanges.set(peer, exchange);
    exchange.ask(this.#out);
  }

  #refuse(peer: string, dialect: GatewayDialect, status: number, message: string): void {
    const type = refusals.get(status) ?? 'invalid_request';
    const refused: ErrorResponse = dialectOf[dialect].errorBody({ type, status, message }, 'req_refused');
    const bytes = Buffer.from(JSON.stringify(refused.body));
    const headers = {
      ...refused.headers,
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    };
    this.#out.push(
      { type: 'headers', peer, metadata: { ':status': String(refused.status), ...headers } },
      { type: 'send', peer, message: new ResponseWrite(bytes, undefined) },
      { type: 'close', peer, status: { code: 0, message: '' } },
    );
  }

  #command(command: Command): void {
    if (command.do === 'send' || command.do === 'raw') return;
    const status = command.do === 'end' ? command.status : { code: 0, message: '' };
    for (const peer of this.#state.clients.keys()) this.#out.push({ type: 'close', peer, status });
  }

  /** The exchange of a link to a provider. */
  #at(link: string, what: (exchange: GatewayExchange) => void): void {
    for (const exchange of this.#state.exchanges.values()) if (exchange.link === link) return what(exchange);
  }

  /** Forgets exchanges that are over. */
  #forget(): void {
    for (const [peer, exchange] of this.#state.exchanges)
      if (exchange.over && exchange.link === undefined) this.#state.exchanges.delete(peer);
  }
}

const noPath = (metadata: Metadata): string => `nothing is at ${metadata[':path'] ?? '/'}`;
