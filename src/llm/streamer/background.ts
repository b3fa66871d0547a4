/**
 * Responses in the background (OpenAI API: Background mode; Gemini API: Interactions, background): they go on without a reader,
 * and can be read again from any event, asked for, and cancelled. Each is an exchange on a link that does not exist; what it sends
 * is kept, and passed on to its readers.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { ResponseWrite } from '../dialects/shared/units.ts';
import type { LlmRequest, ProviderError } from '../messages.ts';
import { backgroundApis } from './background-api.ts';
import type { BackgroundApi } from './background-api.ts';
import type { BackgroundResponse } from './background-response.ts';
import type { Face } from './faces/face.ts';
import { abort, exchangeFor, start } from './flow.ts';
import type { Outputs, StreamExchange } from './exchange.ts';
import { keptInteraction } from './interactions.ts';
import { summaryOf, turnOf } from './reports.ts';
import { report, respond } from './respond.ts';
import { decoded, pathOf } from './routes.ts';
import { notesOf } from './script-notes.ts';
import type { Link, ServedRoute, StreamerState, StreamerStep } from './state.ts';

/** The most responses in the background that are kept. */
const mostKept = 100;

/** Whether a request wants its response in the background. */
export const wantsBackground = (body: Json | undefined): boolean =>
  isObject(body) && body['background'] === true;

/** A request for a response in the background. */
interface BackgroundRequest {
  readonly api: BackgroundApi;
  readonly peer: string;
  readonly link: Link;
  readonly request: LlmRequest;
  readonly number: number;
  readonly face: Face;
  readonly refuse: (error: ProviderError, more: JsonObject) => void;
  /** The response is over. */
  readonly ended: (exchange: StreamExchange) => void;
}

/** Begins a response in the background. It is stored, so a request that stores nothing is refused. */
export function beginInBackground(step: StreamerStep, asked: BackgroundRequest): void {
  const { api, peer, link, request, number, face, refuse } = asked;
  const { state, out } = step;
  if (isObject(link.body) && link.body['store'] === false)
    return refuse({ type: 'invalid_request', status: 400, message: api.unstored }, { place: 'store' });
  const key = `${peer} background`;
  const answer = exchangeFor({ ...step, joins: false }, { ...request, stream: true }, number, {
    key,
    peer: key,
    dialect: face,
    finish: (exchange, end) => {
      if (exchange.options.context.end.transport === 'stall') return;
      asked.ended(exchange);
      end.push({ type: 'close', peer: key, status: { code: 0, message: '' } });
    },
  });
  if ('error' in answer) return refuse(answer.error, turnOf(answer.index));
  const { exchange, index } = answer;
  const { context, generation } = exchange.options;
  const breaks = context.end.transport === 'reset';
  if (breaks) context.end = { ...context.end, transport: 'clean', signal: 'honest' };
  state.background.set(key, {
    api,
    events: [],
    pieces: [],
    response: undefined,
    streams: request.stream,
    breaks,
    over: () => exchange.settled,
    readers: new Set(request.stream ? [peer] : []),
    asker: request.stream ? undefined : peer,
  });
  forget(state);
  const notes = notesOf(request, generation.blocks, link.body);
  report(peer, link, { ...summaryOf(request), exchange: key, turn: index, background: true, ...notes }, out);
  if (request.stream) out.push(streamHead(peer, api));
  start(step, exchange);
}

const streamHead = (peer: string, { dialect }: BackgroundApi): Outputs[number] => ({
  type: 'headers',
  peer,
  metadata: { ':status': '200', 'content-type': dialect.contentType, 'cache-control': 'no-cache' },
});

/** Forgets the oldest responses that are over. */
function forget({ background }: StreamerState): void {
  for (const [key, { over }] of background) {
    if (background.size <= mostKept) return;
    if (over()) background.delete(key);
  }
}

/** Keeps what the responses in the background send in this step, and passes it on to their readers. */
export function passBackgroundOn({ state, out }: StreamerStep): void {
  if (state.background.size === 0) return;
  for (const output of out.splice(0)) {
    const response = 'peer' in output ? state.background.get(output.peer) : undefined;
    if (response === undefined) out.push(output);
    else if (output.type === 'send') take(response, output.message, out);
    else if (output.type === 'close') endReaders(response, out);
  }
}

function take(response: BackgroundResponse, write: ResponseWrite, out: Outputs): void {
  const { api } = response;
  const { data } = write;
  response.pieces.push(write);
  if (response.breaks && isObject(data) && api.isLast(data))
    endReaders(response, out, { code: 14, message: 'reset' });
  for (const peer of response.readers) out.push({ type: 'send', peer, message: write });
  if (data === undefined) return;
  response.events.push({ id: isObject(data) ? api.idOf(data) : '', writes: response.pieces });
  response.pieces = [];
  const object = isObject(data) ? api.objectIn(data) : undefined;
  if (object === undefined) return;
  response.response = object;
  if (response.asker !== undefined) respond(response.asker, { status: 200, body: api.begun(object) }, out);
  response.asker = undefined;
}

function endReaders({ readers }: BackgroundResponse, out: Outputs, status = { code: 0, message: '' }): void {
  for (const peer of readers) out.push({ type: 'close', peer, status });
  readers.clear();
}

/** A reader left. The response goes on. */
export function leaveBackground({ background }: StreamerState, peer: string): void {
  for (const { readers } of background.values()) readers.delete(peer);
}

/** A response of an API by its id, and its key. */
const find = (
  { background }: StreamerState,
  api: BackgroundApi,
  id: string,
): readonly [string, BackgroundResponse] | undefined =>
  [...background].find(([, one]) => one.api === api && one.response?.['id'] === id);

/** A response in the background that was asked for. */
interface Found {
  readonly key: string;
  readonly response: BackgroundResponse;
  readonly target: string;
}

/** Answers a request about a response in the background. The path has its id. */
const about =
  (
    api: BackgroundApi,
    serve: (step: StreamerStep, peer: string, found: Found) => void,
  ): ServedRoute['serve'] =>
  (step, peer, link) => {
    const { target } = link;
    const id = decoded(new RegExp(`/${api.room}/([^/]+)`).exec(pathOf(target))?.[1] ?? '');
    const found = find(step.state, api, id);
    const kept = found === undefined ? keptInteraction(step.state, id) : undefined;
    const isKnown = found !== undefined || kept !== undefined;
    report(peer, link, isKnown ? {} : { error: `no response ${id}`, status: 404 }, step.out);
    if (found !== undefined) return serve(step, peer, { key: found[0], response: found[1], target });
    if (kept === undefined)
      return refuse(step, peer, api, { type: notFoundType(api), status: 404, message: notFound(api, id) });
    if (isStream(target))
      return refuse(step, peer, api, { type: 'invalid_request', message: onlyBackground });
    respond(peer, { status: 200, body: kept }, step.out);
  };

/** Responses has no type of its own for it. */
const notFoundType = ({ room }: BackgroundApi): string =>
  room === 'responses' ? 'invalid_request' : 'not_found';

const notFound = ({ room }: BackgroundApi, id: string): string =>
  room === 'responses'
    ? `Response with id '${id}' not found. The simulated provider keeps those of background: true.`
    : `Interaction '${id}' not found.`;

const onlyBackground =
  'The simulated provider keeps the events of interactions with background: true only; the interaction itself can be had without stream.';

const refuse = (
  { out }: StreamerStep,
  peer: string,
  { dialect }: BackgroundApi,
  error: ProviderError,
): void => void respond(peer, dialect.errorBody(error, 'req_background'), out);

const queryOf = (target: string): URLSearchParams => new URLSearchParams(target.replace(/^[^?]*\??/, ''));

const isStream = (target: string): boolean => queryOf(target).get('stream') === 'true';

/** The response object, or the events behind one, and those that follow. */
const retrieve = (step: StreamerStep, peer: string, { response, target }: Found): void => {
  const { out } = step;
  const { api, events } = response;
  if (!isStream(target)) return void respond(peer, { status: 200, body: response.response ?? {} }, out);
  if (!response.streams)
    return refuse(step, peer, api, { type: 'invalid_request', status: 400, message: noStream });
  const after = queryOf(target).get(api.after);
  const skipped = after === null ? 0 : api.skipped(events, after);
  if (skipped === undefined)
    return refuse(step, peer, api, {
      type: 'invalid_request',
      message: `${api.after}: no event '${after}'.`,
    });
  out.push(streamHead(peer, api));
  for (const { writes } of events.slice(skipped))
    for (const message of writes) out.push({ type: 'send', peer, message });
  if (response.over()) out.push({ type: 'close', peer, status: { code: 0, message: '' } });
  else response.readers.add(peer);
};

const noStream = 'Only a response that was created with stream set to true can be streamed.';

/** Ends a response. A further cancel gets the response as it is. */
const cancel = (step: StreamerStep, peer: string, { key, response }: Found): void => {
  const { state, out } = step;
  const exchange = state.exchanges.get(key);
  if (!response.over() && exchange !== undefined) {
    abort(step, exchange);
    exchange.settled = true;
    response.response = response.api.cancelled(response.response ?? {});
    endReaders(response, out);
  }
  respond(peer, { status: 200, body: response.response ?? {} }, out);
};

/** The routes of responses in the background. */
export const backgroundRoutes: readonly ServedRoute[] = backgroundApis.flatMap((api): ServedRoute[] => [
  { method: 'GET', path: '', pattern: new RegExp(`/${api.room}/[^/]+$`), serve: about(api, retrieve) },
  { method: 'POST', path: '', pattern: new RegExp(`/${api.room}/[^/]+/cancel$`), serve: about(api, cancel) },
]);
