/**
 * The view of the rules of servers: the exchanges of a trace, each with the reader of its dialect, and the facts of the
 * current event. Readers read the event before any rule. No rule changes them.
 */
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { Streams, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type { Judging, KnownStream, Moment, RunView } from '../../../src/kit/judge/index.ts';
import { purposeOf, socketDialect } from './asked.ts';
import { openDrive } from './drives.ts';
import { HttpReader } from './exchange.ts';
import type { ExchangeReader } from './exchange.ts';
import { textOf } from './words.ts';
import type { Fact } from './answer.ts';
import { ResponsesSocketReader } from './responses-socket.ts';
import { SocketReader } from './socket.ts';
import { WitnessReader } from './witness-reader.ts';
import { witnessMark } from './witness.ts';

/** Default timeouts of the rules (ms). An answer may take one step; its body ends soon after its terminal. */
export const defaultTimeouts = { step: 120_000, body_end: 10_000 } as const;

/** One exchange, or one WebSocket. */
interface Exchange extends KnownStream {
  readonly reading: ExchangeReader;
  ended: Moment | undefined;
}

/** The view of the rules of servers. */
export interface ServerView extends RunView<{ readonly [name in keyof typeof defaultTimeouts]: number }> {
  readonly exchanges: Streams<Exchange>;
  /** The facts of the current event. */
  facts: readonly Fact[];
  /** The bodies of requests that were answered on the kept connection. */
  readonly kept: Set<string>;
  /** The ids of responses that the server was asked to store (Open Responses). */
  readonly stored: Set<string>;
}

/** The most exchanges that are kept, and the most ended ones among them. */
const exchangesKept = { all: 1024, over: 1 } as const;

/** The view before the first event. */
const startView = (): ServerView => ({
  drive: '',
  timeouts: defaultTimeouts,
  late: 0,
  exchanges: new Streams(exchangesKept.over, exchangesKept.all),
  facts: [],
  kept: new Set(),
  stored: new Set(),
});

const nothing: readonly Fact[] = [];

/** Reads the current event. */
function readEvent(view: ServerView, event: TraceEvent): void {
  const exchange = view.exchanges.get(event.stream);
  view.facts =
    exchange === undefined || exchange.ended !== undefined ? nothing : exchange.reading.take(event);
}

function stepView(view: ServerView, event: TraceEvent): void {
  if (event.kind === 'mark') return takeMark(view, event, defaultTimeouts);
  if (event.kind === 'open') return open(view, event);
  const exchange = view.exchanges.get(event.stream);
  if (exchange?.reading.over === true) exchange.ended ??= momentOf(event);
}

function open(view: ServerView, { data, stream: id }: TraceEvent): void {
  const shares = data[':connection'] !== undefined;
  const reading =
    witnessReading(data) ??
    socketReading(data) ??
    httpReading(
      textOf(data[':path']),
      shares ? view.kept : undefined,
      view.drive === openDrive ? view.stored : undefined,
    );
  if (reading === undefined) return;
  view.exchanges.open({ id, reading, disturbed: false, ended: undefined });
}

const witnessReading = (data: JsonObject): ExchangeReader | undefined =>
  data[witnessMark] === undefined ? undefined : new WitnessReader();

function socketReading(data: JsonObject): ExchangeReader | undefined {
  const dialect = socketDialect(data);
  if (dialect === undefined) return undefined;
  return dialect === 'lmstudio' ? new SocketReader() : new ResponsesSocketReader();
}

function httpReading(
  path: string,
  kept: Set<string> | undefined,
  stored: Set<string> | undefined,
): ExchangeReader | undefined {
  const purpose = purposeOf(path);
  if (purpose === undefined || purpose.dialect === 'lmstudio') return undefined;
  const { dialect, what } = purpose;
  return new HttpReader({ dialect, what, path }, kept, stored);
}

/** The view and topics of the rules, for a judge. The topic of an event is `answer` in an exchange, else its kind. */
export const serverJudging: Omit<Judging<ServerView>, 'rules'> = {
  topicOf: (event) => (event.stream === '' ? event.kind : 'answer'),
  view: { start: startView, look: readEvent, step: stepView },
  forgot: ({ exchanges }) => (exchanges.forgotten ? 'there were too many exchanges at once' : undefined),
};
