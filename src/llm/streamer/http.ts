/**
 * HTTP requests: answers them by their path, with a generation, a count, a fixed answer, or a refusal in the
 * dialect's form.
 */
import type { Json, JsonObject, Metadata } from '../../kit/base/index.ts';
import { isObject } from '../../kit/base/index.ts';
import { dialectOf } from '../dialects/index.ts';
import type { Dialect, ErrorResponse } from '../dialects/shared/dialect.ts';
import type { Outputs, StreamExchange } from './exchange.ts';
import { exchangeFor, start } from './flow.ts';
import { summaryOf, turnOf } from './reports.ts';
import { report, respond } from './respond.ts';
import { decoded, pathOf, routeOf } from './routes.ts';
import { metricsOf, metricsPath } from './metrics.ts';
import { notesOf } from './script-notes.ts';
import type { Link, ServedRoute, StreamerState, StreamerStep } from './state.ts';
import { preflight } from './cors.ts';
import { backgroundRoutes, beginInBackground, wantsBackground } from './background.ts';
import { backgroundApiOf } from './background-api.ts';
import { beginBody } from './body-in-pieces.ts';
import { continuedInteraction, keepInteraction } from './interactions.ts';
import { computed, faces, inPieces } from './faces/index.ts';
import type { PieceAnswer } from './faces/index.ts';
import type { Face } from './faces/face.ts';
import { signatureFault } from './signatures.ts';
import { thoughtFault } from './thoughts.ts';
import { countPrompt } from '../dialects/shared/tokenizer.ts';
import type { Tokenizer } from '../dialects/shared/tokenizer.ts';
import type { LlmRequest, ProviderError, RenderContext } from '../messages.ts';

/** The routes of a dialect or a face for generations. */
const generations = (face: Face): readonly ServedRoute[] => {
  const { paths, pattern, query } = face;
  const more = query === undefined ? {} : { query };
  return [
    ...paths.map((path) => ({ method: 'POST', path, serve: generating(face, path), ...more }) as const),
    ...(pattern === undefined
      ? []
      : [{ method: 'POST', path: '', pattern, serve: generating(face), ...more } as const]),
  ];
};

/** The routes of all dialects. Generating comes first, so that a refusal lists it first. */
const routes: readonly ServedRoute[] = [
  // A face that wants a query shares its path with a dialect.
  ...faces.filter(({ query }) => query !== undefined).flatMap(generations),
  ...Object.values(dialectOf).flatMap((dialect): readonly ServedRoute[] => [
    ...generations(dialect),
    ...countingRoutes(dialect),
  ]),
  ...faces.filter(({ query }) => query === undefined).flatMap(generations),
  ...Object.values(dialectOf).flatMap(({ fixed }) =>
    fixed.map((route) => ({ ...route, serve: answering(({ model }) => route.answer(model)) })),
  ),
  ...computed.map((route) => ({
    ...route,
    serve: answering(({ body, model, tokenizer }) => route.answer(body, model, tokenizer)),
  })),
  {
    method: 'GET',
    path: metricsPath,
    serve({ state, out }, peer, link) {
      report(peer, link, {}, out);
      respond(peer, { status: 200, body: metricsOf(state) }, out);
    },
  },
  ...backgroundRoutes,
  ...inPieces.map((route) => ({ ...route, method: 'POST' as const, serve: piecewise(route) })),
];

/** The route of a dialect's counting endpoint, if it has one. */
function countingRoutes(dialect: Dialect): readonly ServedRoute[] {
  const { count } = dialect;
  if (count === undefined) return [];
  const { path, pattern, answer } = count;
  const serve = counting(dialect, answer, pattern === undefined ? path : undefined);
  return [{ method: 'POST', path, serve, ...(pattern && { pattern }) }];
}

/** Answers the complete request on this link, or begins to. */
export function answerRequest(step: StreamerStep, peer: string): void {
  const link = step.state.links.get(peer);
  if (link === undefined || link.socket !== undefined) return;
  if (link.method === 'OPTIONS' && 'origin' in link.headers) {
    step.out.push({ type: 'headers', peer, metadata: preflight(link.headers) });
    step.out.push({ type: 'close', peer, status: { code: 0, message: '' } });
    return;
  }
  const route = routeOf(routes, link);
  if (route !== undefined && 'serve' in route) {
    route.serve(step, peer, link);
    // The answer has all that it needs; an answer may take hours.
    link.body = undefined;
    return;
  }
  report(peer, link, {}, step.out);
  const path = pathOf(link.target);
  const known = [...new Set(routes.map((one) => one.path))].filter((one) => /[^*]$/.test(one)).join(', ');
  if (route === undefined)
    respond(peer, missing(404, path, `nothing is at ${path}; the paths are ${known}`), step.out);
  else {
    const { allow } = route;
    respond(peer, { ...missing(405, path, `${path} takes ${allow}`), headers: { allow } }, step.out);
  }
}

/** Client libraries show `error.message`, and that of Ollama shows `error`. */
const missing = (status: number, path: string, message: string): ErrorResponse => ({
  status,
  headers: {},
  body: /^\/api\/(?!v\d)/.test(path)
    ? { error: message }
    : { type: 'error', error: { type: 'not_found_error', message, code: null, param: null } },
});

/** The parts of a request for an answer without the script. */
interface PlainRequest {
  readonly body: Json | undefined;
  /** The model of the request, or the script's. */
  readonly model: string;
  readonly tokenizer: Tokenizer;
}

function answering(answer: (request: PlainRequest) => JsonObject | string): ServedRoute['serve'] {
  return ({ player, out }, peer, link) => {
    report(peer, link, {}, out);
    respond(peer, { status: 200, body: answer(plainOf(link, player)) }, out);
  };
}

function plainOf({ body }: Link, { tokenizer, script }: StreamerStep['player']): PlainRequest {
  const named = isObject(body) && typeof body['model'] === 'string' ? body['model'] : undefined;
  return { body, model: named ?? script.model, tokenizer };
}

/** An answer that is larger than its request: it is made as its client reads, or refused. */
function piecewise({ answer, refusals }: PieceAnswer): ServedRoute['serve'] {
  return (step, peer, link) => {
    const { body, model, tokenizer } = plainOf(link, step.player);
    const made = answer(body, model, tokenizer);
    report(peer, link, made.ok ? {} : { error: made.error, status: 400 }, step.out);
    if (made.ok) return beginBody(step, peer, made.value);
    const error = { type: 'invalid_request', status: 400, message: made.error };
    respond(peer, refusals.errorBody(error, 'req_embeddings'), step.out);
  };
}

function counting(dialect: Face, count: (tokens: number) => JsonObject, path?: string): ServedRoute['serve'] {
  return ({ player, out, state }, peer, link) => {
    report(peer, link, {}, out);
    const read = readOf(dialect, link, state, path);
    if ('error' in read) return void respond(peer, dialect.errorBody(read.error, 'req_count'), out);
    const tokens = countPrompt(read.request, player.tokenizer);
    respond(peer, { status: 200, body: count(tokens) }, out);
  };
}

function generating(dialect: Face, path?: string): ServedRoute['serve'] {
  return (step, peer, link) => {
    const { state, out } = step;
    const number = state.count++;
    const refuse = (error: ProviderError, more: JsonObject): void => {
      const response = dialect.errorBody(error, step.ids(number)('req_'));
      const { status } = response;
      report(peer, link, { dialect: dialect.name, error: error.message, status, ...more }, out);
      respond(peer, response, out);
    };
    const read = readOf(dialect, link, state, path);
    if ('error' in read) return refuse(read.error, read.path === undefined ? {} : { place: read.path });
    const { request } = read;
    const api = wantsBackground(link.body) ? backgroundApiOf(dialect.name) : undefined;
    const ended = keeping(step, dialect, link.body, number);
    if (api !== undefined)
      return beginInBackground(step, { api, peer, link, request, number, face: dialect, refuse, ended });
    const answer = exchangeFor(step, request, number, {
      key: peer,
      peer,
      dialect,
      finish(exchange, outputs) {
        finish(exchange, outputs);
        ended(exchange);
      },
    });
    if ('error' in answer) return refuse(answer.error, turnOf(answer.index));
    const { exchange, index } = answer;
    const { generation, context } = exchange.options;
    const notes = notesOf(request, generation.blocks, link.body);
    report(peer, link, { ...summaryOf(request), turn: index, ...notes }, out);
    const instead = request.stream ? dialect.instead?.(generation, context) : undefined;
    if (instead !== undefined) return void respond(peer, instead, out);
    if (request.stream) out.push({ type: 'headers', peer, metadata: streamHeaders(dialect, context) });
    start(step, exchange);
  };
}

/** Keeps an interaction that is over. Its id is the first of its request. */
const keeping =
  ({ state, ids }: StreamerStep, { name }: Face, body: Json | undefined, number: number) =>
  (exchange: StreamExchange): void => {
    if (name === 'gemini-interactions') keepInteraction(state, body, ids(number)('v1_'), exchange);
  };

const streamHeaders = ({ contentType, headers }: Face, { id }: RenderContext): Metadata => ({
  ':status': '200',
  'content-type': contentType,
  'cache-control': 'no-cache',
  ...headers?.(id('req_')),
});

/** Ends a response: a stream with the end of the body, any other with the whole body. */
function finish(exchange: StreamExchange, out: Outputs): void {
  const { peer, dialect, generation, context } = exchange.options;
  const { transport } = context.end;
  if (!context.request.stream) {
    const { status, headers, body } = dialect.whole(generation, context);
    const more = { ...(headers ?? dialect.headers?.(context.id('req_'))) };
    exchange.bytes = respond(peer, { status, headers: more, body }, out, transport === 'clean');
    exchange.units = 1;
  } else if (transport === 'clean') out.push({ type: 'close', peer, status: { code: 0, message: '' } });
}

/** The request in the body of a link. `path`: the dialect's own, where the target may have a prefix. */
function readOf(
  dialect: Face,
  link: Link,
  state: StreamerState,
  path: string = link.target,
): { readonly request: LlmRequest } | { readonly error: ProviderError; readonly path?: string } {
  const { body, headers, target } = link;
  const message = unreadableIn(dialect, link);
  if (body === undefined || message !== undefined)
    return { error: { type: 'invalid_request', status: 400, message: message ?? noBody } };
  const { given, thoughts, signatures } = state;
  const whole =
    dialect.name === 'gemini-interactions'
      ? continuedInteraction(state, body)
      : { body: withModel(body, target) };
  if ('error' in whole) return whole;
  const read = dialect.readRequest(whole.body, headers, path, given);
  if (!read.ok) return read.error;
  const fault =
    dialect.name === 'anthropic'
      ? thoughtFault(thoughts, body)
      : dialect.name === 'gemini'
        ? signatureFault(signatures, body)
        : undefined;
  return fault ?? { request: read.value };
}

const noBody = 'expected a JSON body; the request has none';

/** Why a body cannot be read, in the words of its dialect where they are known. */
const unreadableIn = ({ badBytes }: Face, { unreadable, badUtf8 }: Link): string | undefined =>
  badUtf8 && badBytes !== undefined ? badBytes : unreadable;

/** Azure names the model in the path. */
function withModel(body: Json, target: string): Json {
  const [, deployment] = /\/deployments\/([^/]+)\//.exec(target) ?? [];
  if (deployment === undefined || !isObject(body) || 'model' in body) return body;
  return { model: decoded(deployment), ...body };
}
