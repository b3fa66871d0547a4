/** One answer of a trace, read unit by unit as it crosses its wire: what the provider said, or what the client heard. */
import { exactJsonOf, isObject } from '../../../src/kit/base/index.ts';
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
import { momentOf } from '../../../src/kit/judge/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import { AnswerGatherer, answerReader, refusalOf } from '../../../src/llm/gateway/index.ts';
import type { AnswerPiece, GatewayDialect, NeutralAnswer } from '../../../src/llm/gateway/index.ts';
import { CallIndexes } from './call-index.ts';
import { Noise } from './noise-words.ts';

/** How the carrier ended an answer. */
export type AnswerEnd = 'clean' | 'broken';

/** The pieces that are content: with the first of them an answer has begun. */
const contents: ReadonlySet<AnswerPiece['do']> = new Set([
  'text',
  'refusal',
  'thought',
  'redacted',
  'call',
  'arguments',
]);

/** A unit that was written as text, such as a line whose numbers no double can hold. */
function jsonIn(data: Json): Json {
  if (typeof data !== 'string' || !data.startsWith('{')) return data;
  try {
    return exactJsonOf(data);
  } catch {
    return data;
  }
}

export class AnswerReading {
  readonly #dialect: GatewayDialect;
  readonly #gatherer = new AnswerGatherer();
  readonly #reader: ReturnType<typeof answerReader>;
  #streamed = true;
  status = 0;
  /** The content type of the answer. */
  type = '';
  /** `retry-after`. */
  retryAfter: string | undefined;
  /** The body of a refusal, or of an answer that is not streamed. */
  body: Json | undefined;
  /** The size of that body (bytes), from 64 KiB on. */
  bodySize = 0;
  /** The reason why a unit cannot be read. */
  garbled: string | undefined;
  /** When its first content came. */
  began: Moment | undefined;
  /** When its first piece of text came, and its second. */
  firstText: Moment | undefined;
  second: Moment | undefined;
  /** The calls of a stream of Chat Completions. */
  readonly indexes: CallIndexes = new CallIndexes();
  /** The number of writes, with comments and pings. */
  writes = 0;
  /** The number of writes that completed no unit: its units were cut into pieces. */
  cuts = 0;
  /** What came that no client reads: comments and pings, and the words of the kit's noise. */
  readonly noise: Noise = new Noise();
  end: AnswerEnd | undefined;
  /** When its first event came, and its latest one (ms). */
  first: number | undefined;
  latest: number | undefined;
  /** The longest time between two of its events (ms). */
  silence = 0;
  #texts = 0;

  constructor(dialect: GatewayDialect) {
    this.#dialect = dialect;
    this.#reader = answerReader(dialect);
  }

  /** Whether its terminal or an error came. */
  get over(): boolean {
    return this.#gatherer.over;
  }

  /** Whether it came as a stream. */
  get streamed(): boolean {
    return this.#streamed;
  }

  /** What it says so far. */
  answer(): NeutralAnswer {
    return this.#gatherer.answer();
  }

  /** Takes an event of the side that answers. */
  take(event: TraceEvent): void {
    const { kind, data, at } = event;
    this.silence = Math.max(this.silence, at - (this.latest ?? at));
    this.first ??= at;
    this.latest = at;
    if (kind === 'headers') return this.#headers(data);
    if (kind === 'message') return this.#unit(event);
    if (kind === 'undecodable') {
      if (data['code'] !== 'cut') this.garbled ??= event.note ?? 'bytes that are no unit';
      return;
    }
    if (kind === 'end' || kind === 'reset')
      this.end ??= kind === 'end' && data['code'] === 0 ? 'clean' : 'broken';
  }

  #headers(data: TraceEvent['data']): void {
    this.status = Number(data[':status']);
    this.type = typeof data['content-type'] === 'string' ? data['content-type'] : '';
    this.#streamed = !/^application\/json\b/i.test(this.type) && this.status < 400;
    const hint = data['retry-after'];
    if (typeof hint === 'string') this.retryAfter = hint;
  }

  #unit(event: TraceEvent): void {
    const { event: name, data } = event.data;
    this.writes++;
    if (event.data['piece'] !== undefined) this.cuts++;
    this.noise.take(event.data);
    if (data === undefined) return;
    if (!this.#streamed) {
      this.body = data;
      this.bodySize = event.size ?? 0;
    } else if (this.#dialect === 'openai-chat') this.indexes.take(data);
    for (const piece of this.#pieces(data, typeof name === 'string' ? name : undefined))
      this.#gather(piece, event);
  }

  #pieces(data: Json, event: string | undefined): readonly AnswerPiece[] {
    if (this.status >= 400) return [{ do: 'error', error: refusalOf(this.#dialect, this.status, data) }];
    if (!this.#streamed) return isObject(data) ? this.#reader.whole(data) : [];
    const value = jsonIn(data);
    return this.#reader.unit(event === undefined ? { data: value } : { event, data: value });
  }

  #gather(piece: AnswerPiece, event: TraceEvent): void {
    this.#gatherer.take(piece);
    if (contents.has(piece.do)) this.began ??= momentOf(event);
    if (piece.do !== 'text') return;
    this.#texts++;
    if (this.#texts === 1) this.firstText = momentOf(event);
    else this.second ??= momentOf(event);
  }
}
