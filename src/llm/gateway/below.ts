/** The bytes of a provider's answer as pieces, whether it is a stream or one body. */
import { SseParser, exactJsonOf } from '../../kit/base/index.ts';
import type { Json, Metadata } from '../../kit/base/index.ts';
import { dialectOf } from '../dialects/index.ts';
import { excerpt } from '../dialects/shared/arguments.ts';
import { NdjsonLines } from '../dialects/shared/ndjson.ts';
import type { ProviderError } from '../messages.ts';
import { answerReader, refusalOf } from './answer/index.ts';
import type { GatewayDialect } from './dialects.ts';
import type { AnswerPiece, AnswerReader, AnswerUnit } from './answer/piece.ts';

/** The largest event or line (bytes). */
const largestUnit = 16 << 20;

/** The largest body by default (bytes): providers take up to 32 MB (Anthropic API, Errors, request_too_large). */
export const largestBody: number = 32 << 20;

/** Splits the bytes of a stream into units. A unit that is no JSON has its text as data. */
type UnitsOf = (bytes: Uint8Array) => readonly AnswerUnit[];

/** Reads one answer from its bytes. Any cutting of the bytes gives the same pieces. */
export class AnswerBelow {
  readonly #dialect: GatewayDialect;
  readonly #reader: AnswerReader;
  readonly #status: number;
  readonly #units: UnitsOf | undefined;
  readonly #body: Uint8Array[] = [];
  readonly #most: number;
  /** Whether each unit, or the body, comes with its pieces, to pass as it came. */
  raw = false;
  #size = 0;

  /**
   * @param stream - whether a stream was asked for; an answer that says that it is JSON is one body in any case
   * @param most - the largest body (bytes)
   */
  constructor(dialect: GatewayDialect, headers: Metadata, stream: boolean, most: number = largestBody) {
    this.#most = most;
    this.#dialect = dialect;
    this.#reader = answerReader(dialect);
    this.#status = Number(headers[':status'] ?? 0);
    const isBody = /^application\/json\b/i.test(headers['content-type'] ?? '');
    if (stream && !isBody && this.#status < 400) this.#units = unitsOf(dialect);
  }

  /** Whether the answer is one body. */
  get isBody(): boolean {
    return this.#units === undefined;
  }

  /** Whether the answer refuses the request. */
  get isRefusal(): boolean {
    return this.#status >= 400;
  }

  /** The pieces that these bytes complete. */
  push(bytes: Uint8Array): readonly AnswerPiece[] {
    if (this.#units !== undefined) return this.#units(bytes).flatMap((unit) => this.#piecesOf(unit));
    this.#size += bytes.length;
    if (this.#size <= this.#most) this.#body.push(bytes);
    return [];
  }

  /** The pieces that the end of the answer completes. */
  end(): readonly AnswerPiece[] {
    if (this.#units !== undefined) return [];
    if (this.#size > this.#most) return [broken(`expected an answer of at most ${this.#most} bytes`)];
    const text = Buffer.concat(this.#body).toString('utf8');
    const body = jsonIn(text);
    if (this.#status >= 400)
      return [{ do: 'error', error: refusalOf(this.#dialect, this.#status, body ?? text) }];
    if (body === undefined) return [broken(`expected an answer of JSON; came ${excerpt(text)}`)];
    return this.#withUnit({ data: body }, this.#reader.whole(body));
  }

  #piecesOf(unit: AnswerUnit): readonly AnswerPiece[] {
    const { data } = unit;
    if (typeof data === 'string' && data !== '[DONE]' && unit.event === 'message')
      return [broken(`expected an event of JSON; came ${excerpt(data)}`)];
    return this.#withUnit(unit, this.#reader.unit(unit));
  }

  #withUnit(unit: AnswerUnit, pieces: readonly AnswerPiece[]): readonly AnswerPiece[] {
    if (!this.raw) return pieces;
    const failure = pieces.find((piece) => piece.do === 'error');
    if (failure !== undefined) return [{ ...failure, unit }];
    return [{ do: 'raw', unit, pieces }];
  }
}

/** An answer that cannot be read. */
function broken(message: string): AnswerPiece {
  const error: ProviderError = { type: 'server', message };
  return { do: 'error', error };
}

function jsonIn(text: string): Json | undefined {
  try {
    return exactJsonOf(text);
  } catch {
    return undefined;
  }
}

const dataOf = (text: string): Json => jsonIn(text) ?? text;

function unitsOf(dialect: GatewayDialect): UnitsOf {
  if (dialectOf[dialect].framing === 'sse') {
    const events = new SseParser(largestUnit);
    return (bytes) => events.push(bytes).map(({ event, data }) => ({ event, data: dataOf(data) }));
  }
  const lines = new NdjsonLines(largestUnit);
  return (bytes) => lines.push(bytes).map((line) => ({ event: 'message', data: dataOf(line) }));
}
