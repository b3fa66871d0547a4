/**
 * Responses in the background (OpenAI API: Background mode): they go on without a reader, and can be read again from any event,
 * asked for, and cancelled. Each is an exchange on a link that does not exist; what it sends is kept, and passed on to its readers.
 */
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { openaiResponses } from '../dialects/openai-responses/index.ts';
import { backgroundStatus } from '../dialects/openai-responses/status.ts';
import type { ResponseWrite } from '../dialects/shared/units.ts';
import type { LlmRequest, ProviderError } from '../messages.ts';
import type { BackgroundResponse } from './background-response.ts';
import type { Face } from './faces/face.ts';
import { abort, exchangeFor, start } from './flow.ts';
import type { Outputs } from './exchange.ts';
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
  readonly peer: string;
  readonly link: Link;
  readonly request: LlmRequest;
  readonly number: number;
  readonly face: Face;
  readonly refuse: (error: ProviderError, more: JsonObject) => void;
}

/** Begins a response in the background. It is stored, so a request that stores nothing is refused. */
export function beginInBackground(
  step: StreamerStep,
  { peer, link, request, number, face, refuse }: BackgroundRequest,
): void {
  const { state, out } = step;
  if (isObject(link.body) && link.body['store'] === false)
    return refuse({ type: 'invalid_request', status: 400, message: unstored }, { place: 'store' });
  const key = `${peer} background`;
  const asked = { ...request, stream: true };
  const answer = exchangeFor({ ...step, joins: false }, asked, number, {
    key,
    peer: key,
    dialect: face,
    finish: ({ options: { context } }, end) => {
      if (context.end.transport !== 'stall')
        end.push({ type: 'close', peer: key, status: { code: 0, message: '' } });
    },
  });
  if ('error' in answer) return refuse(answer.error, turnOf(answer.index));
  const { exchange, index } = answer;
  const { context, generation } = exchange.options;
  const breaks = context.end.transport === 'reset';
  if (breaks) context.end = { ...context.end, transport: 'clean', signal: 'honest' };
  state.background.set(key, {
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
  if (request.stream) out.push(streamHead(peer));
  start(step, exchange);
}

const unstored = 'Background mode requires store to be true.';

const streamHead = (peer: string): Outputs[number] => ({
  type: 'headers',
  peer,
  metadata: {
    ':status': '200',
    'content-type': openaiResponses.contentType,
    'cache-control': 'no-cache',
  },
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

const typeOf = ({ type }: JsonObject): string => (typeof type === 'string' ? type : '');

const terminal = /^response\.(completed|incomplete|failed)$/;

function take(response: BackgroundResponse, write: ResponseWrite, out: Outputs): void {
  const { data } = write;
  response.pieces.push(write);
  if (response.breaks && isObject(data) && terminal.test(typeOf(data)))
    endReaders(response, out, { code: 14, message: 'reset' });
  for (const peer of response.readers) out.push({ type: 'send', peer, message: write });
  if (!isObject(data)) return;
  const { response: object, sequence_number: number } = data;
  response.events.push({ number: Number(number), writes: response.pieces });
  response.pieces = [];
  if (!isObject(object)) return;
  response.response = { ...object, background: true };
  if (response.asker !== undefined)
    respond(
      response.asker,
      { status: 200, body: { ...response.response, status: backgroundStatus.queued } },
      out,
    );
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

/** A response by its id, and its key. */
function find({ background }: StreamerState, id: string): readonly [string, BackgroundResponse] | undefined {
  return [...background].find(([, { response }]) => response?.['id'] === id);
}

/** Answers a request about a response in the background. The path has its id. */
const about =
  (
    serve: (
      step: StreamerStep,
      peer: string,
      found: { readonly key: string; readonly response: BackgroundResponse; readonly target: string },
    ) => void,
  ): ServedRoute['serve'] =>
  (step, peer, link) => {
    const { target } = link;
    const id = decoded(/\/responses\/([^/]+)/.exec(pathOf(target))?.[1] ?? '');
    const found = find(step.state, id);
    const error = found === undefined ? { error: `no response ${id}`, status: 404 } : {};
    report(peer, link, error, step.out);
    if (found === undefined)
      return refuse(step, peer, { type: 'invalid_request', status: 404, message: notFound(id) });
    const [key, response] = found;
    serve(step, peer, { key, response, target });
  };

const notFound = (id: string): string =>
  `Response with id '${id}' not found. The simulated provider keeps those of background: true.`;

const refuse = ({ out }: StreamerStep, peer: string, error: ProviderError): void =>
  void respond(peer, openaiResponses.errorBody(error, 'req_background'), out);

/** The response object, or the events after `starting_after`, and those that follow. */
const retrieve = about((step, peer, { response, target }) => {
  const { out } = step;
  const query = new URLSearchParams(target.replace(/^[^?]*\??/, ''));
  if (query.get('stream') !== 'true')
    return void respond(peer, { status: 200, body: response.response ?? {} }, out);
  if (!response.streams)
    return refuse(step, peer, { type: 'invalid_request', status: 400, message: noStream });
  const after = Number(query.get('starting_after') ?? -1);
  out.push(streamHead(peer));
  for (const { number, writes } of response.events)
    if (number > after) for (const message of writes) out.push({ type: 'send', peer, message });
  if (!response.over()) return void response.readers.add(peer);
  // The end of a stream of Open Responses is no event.
  for (const message of response.pieces) out.push({ type: 'send', peer, message });
  out.push({ type: 'close', peer, status: { code: 0, message: '' } });
});

const noStream = 'Only a response that was created with stream set to true can be streamed.';

/** Ends a response. A further cancel gets the response as it is. */
const cancel = about((step, peer, { key, response }) => {
  const { state, out } = step;
  const exchange = state.exchanges.get(key);
  if (!response.over() && exchange !== undefined) {
    abort(step, exchange);
    exchange.settled = true;
    response.response = { ...response.response, status: backgroundStatus.cancelled };
    endReaders(response, out);
  }
  respond(peer, { status: 200, body: response.response ?? {} }, out);
});

/** The routes of responses in the background. */
export const backgroundRoutes: readonly ServedRoute[] = [
  { method: 'GET', path: '', pattern: /\/responses\/[^/]+$/, serve: retrieve },
  { method: 'POST', path: '', pattern: /\/responses\/[^/]+\/cancel$/, serve: cancel },
];
