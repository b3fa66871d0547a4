/**
 * The note about a server that refuses every request, or every request for a stream. Its rows are not observed; the reason is
 * often a key or a model, or a failure of the server.
 */
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
import { purposeOf, requestOf } from './asked.ts';
import { noSuchModel } from './prompts.ts';
import { textOf } from './words.ts';

/** The most characters of a body that the note shows. */
const shown = 200;

/** The answer to a request: whether it was to be a stream, its status, and its body as one line. */
interface Answered {
  readonly streams: boolean;
  readonly status: number;
  readonly body: string;
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'give an API key: --token-env NAME, or operator.token_env';
  if (status === 404) return 'name a model (--model NAME), or the base URL (operator.url)';
  return status >= 500 ? 'the log of the server may say why' : 'the kit cannot see more';
}

/** Whether a refusal of the request is right: its body is invalid, or names a model that no server has. */
function mayBeRefused(path: string, body: Json | undefined): boolean {
  const purpose = purposeOf(path);
  if (purpose === undefined || body === undefined) return false;
  const request = requestOf(purpose.dialect, body, path);
  return request === undefined || request.model === noSuchModel;
}

/** Whether a request asks for a stream. Ollama streams unless the request says no. */
const asksForStream = (path: string, body: Json | undefined): boolean =>
  requestOf(purposeOf(path)?.dialect ?? 'openai-chat', body ?? null, path)?.stream === true;

/** The answers to the requests of one trace that should be answered. */
function answersIn(events: readonly TraceEvent[]): readonly Answered[] {
  return events.flatMap(({ kind, stream, data }) => {
    if (kind !== 'open' || data[':method'] !== 'POST') return [];
    const of = events.filter((event) => event.stream === stream);
    const path = textOf(data[':path']);
    const asked = of.find((event) => event.from !== 'target' && event.kind === 'message')?.data['body'];
    const status = Number(of.find((event) => event.kind === 'headers')?.data[':status']);
    if (Number.isNaN(status) || mayBeRefused(path, asked)) return [];
    const body = of.find((event) => event.from === 'target' && event.kind === 'message');
    const text = body === undefined ? '' : JSON.stringify(body.data['data'] ?? body.data);
    return [{ streams: asksForStream(path, asked), status, body: text }];
  });
}

/** The sentence about connections that all end without a status, such as those of a port that speaks no HTTP. */
function withoutAnswer(traces: readonly (readonly TraceEvent[])[]): string | undefined {
  const fromServer = traces.flat().filter(({ wire, from }) => wire === 'llm' && from === 'target');
  if (fromServer.some(({ kind }) => kind !== 'end')) return undefined;
  const why = fromServer.map(({ data }) => textOf(data['message'])).find((text) => text !== '');
  return why === undefined
    ? undefined
    : `no request got an answer; the first connection ended so: ${why.slice(0, shown)}; is this the port of the model server?`;
}

/** The sentence about answers that are all refusals. Undefined when one is not. */
function sentence(answers: readonly Answered[], what: string): string | undefined {
  const [first] = answers;
  if (first === undefined || answers.some(({ status }) => status < 400)) return undefined;
  const { status, body } = first;
  const text = body.length > shown ? `${body.slice(0, shown)}…` : body;
  const one = answers.every((answer) => answer.status === status);
  if (one && status >= 500)
    return `every ${what} was answered with ${status}: ${text === '' ? 'no JSON body' : text}; ${adviceFor(status)}`;
  return `the server refused all ${answers.length} ${what.replace('request', 'requests')}; the first answer was ${status} ${text}; ${adviceFor(status)}`;
}

/**
 * A sentence about the refusals, when a server refused every request for an answer, or every request for a stream; or about
 * connections that all ended without an answer.
 * Requests that a server should refuse do not count. `traces`: the events of each scenario.
 */
export function refusalNote(traces: readonly (readonly TraceEvent[])[]): string | undefined {
  const answers = traces.flatMap(answersIn);
  const streams = answers.filter((answer) => answer.streams);
  return sentence(answers, 'request') ?? sentence(streams, 'request for a stream') ?? withoutAnswer(traces);
}
