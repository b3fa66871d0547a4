/** Records the exchanges of a program with a provider, and plays them again. */
import { WireproofError, jsonOf } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { keepLatest } from '../../../kit/world/index.ts';
import { listenForRequests, refusal } from './exchange.ts';
import type { Answer, IncomingRequest } from './exchange.ts';
import { forward, withoutSecrets } from './forward.ts';
import type { Forwarded } from './forward.ts';
import { Playback, playAgain } from './playback.ts';
import type { ReplayPacing } from './piece.ts';
import { readRecording } from './read-recording.ts';
import { dialectAt, sentenceOf } from './recording.ts';
import type { RecordedExchange, Recording, Wanted } from './recording.ts';
import { RecordingFile, assertWritten } from './recording-file.ts';

/** Options of a recorder and of a replay. */
export interface RecordingOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Origins of web pages that may call, besides pages of this machine; `*`: any. */
  readonly origins?: readonly string[];
  /** Gets a sentence for each exchange. */
  readonly onExchange?: (sentence: string) => void;
}

/** A recorder on a port. */
export interface LlmRecorder {
  /** The base URL for the program, in place of the provider's. */
  readonly url: string;
  /** The exchanges so far; those of a file are read from it. */
  readonly exchanges: readonly RecordedExchange[];
  /** The number of {@link exchanges}. */
  readonly count: number;
  /** Why nothing more is recorded, such as a full disk; undefined: the recording goes on. Requests are passed on anyway. */
  readonly problem: string | undefined;
  /** Ends everything at once. @throws WireproofError 'environment' when exchanges could not be written to the file */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A replay on a port. */
export interface LlmReplay {
  readonly url: string;
  /** Sentences about the requests that are not in the recording, the latest 1,000. */
  readonly unmatched: readonly string[];
  /** The recorded exchanges that were not played. */
  readonly unused: readonly RecordedExchange[];
  /** Ends everything at once. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The provider to record, and where to keep what it answers. */
interface LlmRecorderOptions extends RecordingOptions {
  /** The URL of the provider. */
  readonly from: string;
  /** The file of the recording; absent: it is kept in memory only. */
  readonly file?: string;
  /** Gets the sentence of {@link LlmRecorder.problem}, once. */
  readonly onProblem?: (sentence: string) => void;
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
export async function recordLlm(options: LlmRecorderOptions): Promise<LlmRecorder> {
  const { from, file: path, onExchange = () => {}, onProblem = () => {} } = options;
  const kept: RecordedExchange[] = [];
  checkUrl('from', from);
  const file = path === undefined ? undefined : new RecordingFile(path);
  const server = await listenForRequests(options, (request, answer) => {
    const wanted = wantedOf(request);
    const done = (end: Forwarded): void => {
      if ('why' in end) return onExchange(`not recorded, as ${end.why}: ${sentenceOf(wanted)}`);
      const exchange = recorded(request, wanted, end.answer);
      if (file === undefined) kept.push(exchange);
      else addTo(file, exchange, onProblem);
      if (file?.problem === undefined)
        onExchange(`recorded: ${sentenceOf(wanted)}: status ${end.answer.status}`);
    };
    forward(request, answer, { to: from, keeps: file?.problem === undefined, done });
  });
  const close = async (): Promise<void> => {
    await server.close();
    file?.close();
    if (file !== undefined) assertWritten(file);
  };
  return {
    url: server.url,
    get exchanges() {
      return path === undefined ? kept : readRecording(path).exchanges;
    },
    get count() {
      return file?.count ?? kept.length;
    },
    get problem() {
      return file?.problem;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Writes an exchange, unless an earlier one could not be written. */
function addTo(file: RecordingFile, exchange: RecordedExchange, onProblem: (sentence: string) => void): void {
  if (file.problem !== undefined) return;
  file.add(exchange);
  if (file.problem !== undefined) onProblem(file.problem);
}

/** @throws WireproofError 'usage' for a text that is no URL of HTTP */
function checkUrl(name: string, text: string): void {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new WireproofError(
      'usage',
      `${name}: expected a URL such as https://api.anthropic.com; came ${JSON.stringify(text)}`,
    );
}

function recorded(request: IncomingRequest, { body }: Wanted, answer: RecordedExchange): RecordedExchange {
  const { method, path, ...rest } = answer;
  const clean = (text: string): string => withoutSecrets(request, text);
  return {
    method,
    path,
    ...(body === undefined ? {} : { request: jsonOrText(clean(JSON.stringify(body))) }),
    ...rest,
    ...(rest.body === undefined ? {} : { body: clean(rest.body) }),
  };
}

/**
 * Plays a recording, in the pieces and with the pauses of the recording. `chunk` (bytes), `delay` (ms) and `cut` (bytes)
 * play other pieces, other pauses, and an answer that breaks off. A request that is not recorded is passed on to
 * `passOn`, or refused with 400 in its dialect's form.
 *
 * @throws WireproofError 'environment' when the port cannot be had
 */
export async function replayLlm(
  recording: Recording,
  options: RecordingOptions & ReplayPacing & { readonly passOn?: string } = {},
): Promise<LlmReplay> {
  const { passOn, onExchange = () => {} } = options;
  if (passOn !== undefined) checkUrl('passOn', passOn);
  const playback = new Playback(recording);
  const unmatched: string[] = [];
  const server = await listenForRequests(options, (request, answer) => {
    const wanted = wantedOf(request);
    const found = playback.find(wanted);
    if (found !== undefined) {
      onExchange(`played: ${sentenceOf(wanted)}: status ${found.status}`);
      return playAgain(found, answer, options);
    }
    keepLatest(unmatched, sentenceOf(wanted), mostUnmatched);
    onExchange(`not recorded${passOn === undefined ? '' : ', passed on'}: ${sentenceOf(wanted)}`);
    if (passOn === undefined) refuse(wanted, answer);
    else forward(request, answer, { to: passOn, keeps: false, done: () => {} });
  });
  return {
    ...server,
    [Symbol.asyncDispose]: () => server.close(),
    unmatched,
    get unused() {
      return playback.unused;
    },
  };
}

/** The most sentences about requests that are not in a recording. */
const mostUnmatched = 1000;

function refuse(wanted: Wanted, answer: Answer): void {
  const message = `not in the recording: ${sentenceOf(wanted)}; record it again, or pass it on with --pass-on URL`;
  const error = { type: 'invalid_request', status: 400, message };
  const dialect = dialectAt(wanted.target.replace(/\?.*/, ''));
  const body = dialect?.errorBody(error, 'req_replay').body ?? refusal(message);
  answer.json(400, body, { 'x-should-retry': 'false' });
}

function wantedOf({ method, target, bytes }: IncomingRequest): Wanted {
  return {
    method,
    target,
    body: bytes.length === 0 ? undefined : jsonOrText(Buffer.from(bytes).toString('utf8')),
  };
}

/** The JSON of a text; a text that is no JSON is kept as it is. */
function jsonOrText(text: string): Json {
  try {
    return jsonOf(text);
  } catch {
    return text;
  }
}
