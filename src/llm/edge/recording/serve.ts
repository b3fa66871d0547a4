/** Records the exchanges of a program with a provider, and plays them again. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonOf } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { foreignPage } from '../../../kit/transport/page-guard.ts';
import { bound } from '../../../kit/transport/tcp.ts';
import { forward, withoutSecrets } from './forward.ts';
import type { IncomingRequest } from './forward.ts';
import { Playback, bodyOf, dialectAt, sentenceOf, writeRecording } from './recording.ts';
import type { RecordedExchange, Recording, Wanted } from './recording.ts';

/** Options of a recorder and of a replay. */
export interface RecordingOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Origins of web pages that may call, beside pages of this machine; `*`: any. */
  readonly origins?: readonly string[];
  /** Gets a sentence for each exchange. */
  readonly onExchange?: (sentence: string) => void;
}

/** A recorder on a port. */
export interface LlmRecorder {
  /** The base URL for the program, in place of the provider's. */
  readonly url: string;
  /** The exchanges so far. */
  readonly exchanges: readonly RecordedExchange[];
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** A replay on a port. */
export interface LlmReplay {
  readonly url: string;
  /** Sentences about the requests that are not in the recording. */
  readonly unmatched: readonly string[];
  /** The recorded exchanges that were not played. */
  readonly unused: readonly RecordedExchange[];
  /** Ends everything at once. */
  close(): Promise<void>;
}

/**
 * Stands between a program and a provider, and writes each exchange to a recording once its answer is whole. No key is
 * written.
 *
 * @throws WireproofError 'environment' when the port or the file cannot be had
 *
 * @example
 * import { script } from 'wireproof/llm';
 * import { recordLlm, replayLlm, simulateLlm } from 'wireproof/llm/simulate';
 *
 * const real = await simulateLlm(script().text('Hello.'));
 * const recorder = await recordLlm({ from: real.url });
 * const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
 * const first = await (await fetch(`${recorder.url}/api/chat`, { method: 'POST', body })).text();
 * const replay = await replayLlm({ wireproof: 'recording/1', exchanges: recorder.exchanges });
 * const second = await (await fetch(`${replay.url}/api/chat`, { method: 'POST', body })).text();
 * first === second; // true
 * await Promise.all([real.close(), recorder.close(), replay.close()]);
 */
export async function recordLlm(
  options: RecordingOptions & { readonly from: string; readonly file?: string },
): Promise<LlmRecorder> {
  const { from, file, onExchange = () => {} } = options;
  const exchanges: RecordedExchange[] = [];
  const write = (): void => void (file !== undefined && writeRecording(file, exchanges));
  write();
  const server = await listening(options, async (request, response) => {
    const wanted = wantedOf(request);
    const answer = await forward(request, from, response);
    if (answer === undefined)
      return onExchange(`not recorded, as its answer did not end: ${sentenceOf(wanted)}`);
    exchanges.push(recorded(request, wanted, answer));
    write();
    onExchange(`recorded: ${sentenceOf(wanted)}: status ${answer.status}`);
  });
  return { ...server, exchanges };
}

function recorded(request: IncomingRequest, { body }: Wanted, answer: RecordedExchange): RecordedExchange {
  const { method, path, ...rest } = answer;
  const clean = (text: string): string => withoutSecrets(request, text);
  return {
    method,
    path,
    ...(body === undefined ? {} : { request: jsonOf(clean(JSON.stringify(body))) }),
    ...rest,
    ...(rest.body === undefined ? {} : { body: clean(rest.body) }),
  };
}

/**
 * Plays a recording. A request that is not recorded is passed on to `passOn`, or refused with 400 in its dialect's form.
 *
 * @throws WireproofError 'environment' when the port cannot be had
 */
export async function replayLlm(
  recording: Recording,
  options: RecordingOptions & { readonly passOn?: string } = {},
): Promise<LlmReplay> {
  const { passOn, onExchange = () => {} } = options;
  const playback = new Playback(recording);
  const unmatched: string[] = [];
  const server = await listening(options, async (request, response) => {
    const wanted = wantedOf(request);
    const found = playback.find(wanted);
    if (found !== undefined) {
      onExchange(`played: ${sentenceOf(wanted)}: status ${found.status}`);
      return playAgain(found, response);
    }
    unmatched.push(sentenceOf(wanted));
    onExchange(`not recorded${passOn === undefined ? '' : ', passed on'}: ${sentenceOf(wanted)}`);
    if (passOn === undefined) refuse(wanted, response);
    else await forward(request, passOn, response);
  });
  return {
    ...server,
    unmatched,
    get unused() {
      return playback.unused;
    },
  };
}

function playAgain(exchange: RecordedExchange, response: ServerResponse): void {
  response.writeHead(exchange.status, { ...exchange.headers });
  response.end(bodyOf(exchange));
}

function refuse(wanted: Wanted, response: ServerResponse): void {
  const message = `not in the recording: ${sentenceOf(wanted)}; record it again, or pass it on with --pass-on URL`;
  const error = { type: 'invalid_request', status: 400, message };
  const dialect = dialectAt(wanted.target.replace(/\?.*/, ''));
  const body = dialect?.errorBody(error, 'req_replay').body ?? { error: { ...error, code: null } };
  response.writeHead(400, { 'content-type': 'application/json', 'x-should-retry': 'false' });
  response.end(JSON.stringify(body));
}

function wantedOf({ method, target, bytes }: IncomingRequest): Wanted {
  return { method, target, body: bytes.length === 0 ? undefined : bodyJson(bytes) };
}

/** The JSON of a body; a body that is no JSON is kept as text. */
function bodyJson(bytes: Buffer): Json {
  const text = bytes.toString('utf8');
  try {
    return jsonOf(text);
  } catch {
    return text;
  }
}

async function listening(
  { host = '127.0.0.1', port = 0, origins }: RecordingOptions,
  answer: (request: IncomingRequest, response: ServerResponse) => Promise<void> | void,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    const foreign = foreignPage(request.headers, { host, origins });
    if (foreign !== undefined)
      return void response.writeHead(403, { connection: 'close' }).end(`${foreign}\n`);
    void wholeOf(request).then((whole) => whole && answer(whole, response));
  });
  server.on('clientError', (_, socket) => socket.destroy());
  const at = await bound(server, host, port);
  return {
    url: `http://${host}:${at}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A request with its body; undefined when the client left before its end. */
async function wholeOf(request: IncomingMessage): Promise<IncomingRequest | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  const { method = 'GET', url: target = '/', headers } = request;
  return { method, target, headers, bytes: Buffer.concat(chunks) };
}
