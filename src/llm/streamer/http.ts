/** Requests of HTTP: what is asked for is looked up, generated, counted, or refused in the dialect's own form. */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { isObject } from '../../kit/base/index.ts';
import { dialectOf } from '../dialects/index.ts';
import type { Dialect } from '../dialects/shared/dialect.ts';
import type { Draft, StreamExchange, Outputs } from './exchange.ts';
import { fixedAnswer } from './answers.ts';
import { start } from './flow.ts';
import { fieldsOf, summaryOf } from './generate.ts';
import type { Provider } from './generate.ts';
import { routeOf } from './routes.ts';
import type { Generating } from './routes.ts';
import type { Link, StreamerState } from './state.ts';
import type { ProviderError, Unit } from '../messages.ts';
import { Sent } from '../dialects/shared/units.ts';

/** The request on this link is all there: answers it, or begins to. */
export function requested(
  provider: Provider,
  state: StreamerState,
  peer: string,
  now: number,
  out: Outputs,
): void {
  const link = state.links.get(peer);
  if (link === undefined || link.socket !== undefined) return;
  const route = routeOf(link.method, link.target);
  if (route.kind === 'generate') return generated(provider, state, { peer, link, route }, now, out);
  tellRequest(peer, link, {}, out);
  if (route.kind === 'count') return counted(provider, { peer, link, route }, out);
  const asked = link.asked?.body;
  const named = isObject(asked) && typeof asked['model'] === 'string' ? asked['model'] : undefined;
  const answer = fixedAnswer(route, named ?? provider.model, 'anthropic-version' in link.headers);
  const type = typeof answer.body === 'string' ? 'text/plain' : 'application/json';
  whole(peer, answer.status, { 'content-type': type, ...answer.headers }, answer.body, out);
}

interface Asking {
  readonly peer: string;
  readonly link: Link;
  readonly route: Generating;
}

function generated(
  provider: Provider,
  state: StreamerState,
  asking: Asking,
  now: number,
  out: Outputs,
): void {
  const { peer, link, route } = asking;
  const dialect = dialectOf[route.dialect];
  const number = state.count++;
  const refuse = (error: ProviderError, turn?: number): void => {
    const { status, headers, body } = dialect.errorBody(error, provider.id(number)('req_'));
    tellRequest(
      peer,
      link,
      { dialect: route.dialect, error: error.message, status, ...(turn === undefined ? {} : { turn }) },
      out,
    );
    whole(peer, status, { 'content-type': 'application/json', ...headers }, body, out);
  };
  const read = readOf(dialect, asking);
  if (!read.ok) return refuse(read.error);
  const request = read.value;
  const outlet = { peer, wrap: (unit: Unit): Unit => unit };
  const { state: player, answer } = provider.answer(state.player, {
    request,
    dialect,
    key: peer,
    number,
    outlet,
  });
  state.player = player;
  if (answer.kind === 'error') return refuse(answer.error, answer.turn);
  tellRequest(peer, link, { ...summaryOf(request), turn: answer.turn }, out);
  const instead = request.stream ? dialect.instead?.(answer.generation, answer.exchange.context) : undefined;
  if (instead !== undefined) {
    const { status, headers, body } = instead;
    whole(peer, status, { 'content-type': 'application/json', ...headers }, body, out);
    return;
  }
  if (request.stream) out.push({ type: 'headers', peer, metadata: streamHeaders(dialect) });
  start(state, { ...answer.exchange, ...ends(peer, dialect, answer.exchange) }, now, out);
}

const streamHeaders = ({ contentType }: Dialect): { readonly [name: string]: string } => ({
  ':status': '200',
  'content-type': contentType,
  'cache-control': 'no-cache',
});

/** How an exchange ends on HTTP: with the end of the body; where it was not streamed, with all of it. */
function ends(peer: string, dialect: Dialect, exchange: Draft): Pick<StreamExchange, 'finish'> {
  const { context, kept, said } = exchange;
  const { transport } = context.end;
  const finish = (out: Outputs): void => {
    if (exchange.renderer === undefined) {
      const { status, body } = dialect.whole({ beats: kept, end: context.end }, context);
      said.bytes = wholeUntil(peer, status, body, transport === 'clean', out);
      said.units = 1;
    } else if (transport === 'clean') out.push({ type: 'close', peer, status: { code: 0, message: '' } });
  };
  return { finish };
}

/** A body whole, or only its first half. @returns the bytes that were sent */
function wholeUntil(peer: string, status: number, body: Json, complete: boolean, out: Outputs): number {
  if (complete) return whole(peer, status, { 'content-type': 'application/json' }, body, out);
  const bytes = Buffer.from(JSON.stringify(body));
  const half = bytes.subarray(0, bytes.length >> 1);
  const metadata = { ':status': String(status), 'content-type': 'application/json' };
  out.push({ type: 'headers', peer, metadata });
  out.push({ type: 'send', peer, message: new Sent(half, undefined) });
  return half.length;
}

/** Sends a whole answer. @returns the bytes of its body */
function whole(
  peer: string,
  status: number,
  headers: { readonly [name: string]: string },
  body: Json,
  out: Outputs,
): number {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const metadata = { ':status': String(status), 'content-length': String(bytes.length), ...headers };
  out.push({ type: 'headers', peer, metadata });
  out.push({ type: 'send', peer, message: new Sent(bytes, { data: body }) });
  out.push({ type: 'close', peer, status: { code: 0, message: '' } });
  return bytes.length;
}

type Read = { readonly ok: true; readonly value: Parameters<Provider['count']>[0] } | Unread;
interface Unread {
  readonly ok: false;
  readonly error: ProviderError;
}

/** The request that the body of a link is. */
function readOf(dialect: Dialect, { link, route }: Asking): Read {
  const invalid = (message: string): Unread => ({
    ok: false,
    error: { type: 'invalid_request', status: 400, message },
  });
  if (link.unreadable !== undefined) return invalid(link.unreadable);
  if (link.asked === undefined) return invalid('expected a JSON body; the request has none');
  const read = dialect.readRequest(link.asked.body, fieldsOf(link.headers), route.path);
  return read.ok ? read : { ok: false, error: read.error.error };
}

function counted(provider: Provider, asking: Asking, out: Outputs): void {
  const { peer, route } = asking;
  const dialect = dialectOf[route.dialect];
  const read = readOf(dialect, asking);
  if (!read.ok) {
    const { status, headers, body } = dialect.errorBody(read.error, 'req_count');
    whole(peer, status, { 'content-type': 'application/json', ...headers }, body, out);
    return;
  }
  const tokens = provider.count(read.value);
  whole(peer, 200, { 'content-type': 'application/json' }, dialect.count?.answer(tokens) ?? {}, out);
}

function tellRequest(peer: string, { method, target }: Link, detail: JsonObject, out: Outputs): void {
  out.push({
    type: 'tell',
    what: 'request',
    detail: JSON.stringify({ exchange: peer, method, path: target, ...detail }),
  });
}
