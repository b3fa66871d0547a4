/**
 * Writes an answer in the dialect in which it came: each unit passes, with the members and events that nobody knows (LLM-G47).
 * Comments are left out, and errors of the gateway are added. A gateway that edits pieces writes what it edits again.
 */
import { exactText, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import type { WholeResponse } from '../../dialects/shared/dialect.ts';
import type { ProviderError, Unit } from '../../messages.ts';
import type { AnswerPiece, AnswerUnit, RawPiece } from '../answer/piece.ts';
import type { GatewayDialect } from '../dialects.ts';
import { refusal } from '../failure.ts';
import type { PieceWriter } from './answer-writer.ts';
import { grafted } from './grafted.ts';

/** How an answer is relayed. */
export interface RelayOptions {
  readonly dialect: GatewayDialect;
  readonly id: (prefix: string) => string;
  /** How the gateway changes pieces, and makes a writer for changed ones; absent: everything passes. */
  readonly edits?: {
    readonly edit: (piece: AnswerPiece) => readonly AnswerPiece[];
    readonly writer: () => PieceWriter;
  };
}

/** Writes one answer as it came. */
export class RelayWriter implements PieceWriter {
  readonly #options: RelayOptions;
  /** Gets all pieces, so that it can go on where one is changed. */
  readonly #writer: PieceWriter | undefined;
  #last: RawPiece | undefined;
  /** The items of Responses that have passed whole: their ends are not written again. */
  readonly #passed = new Set<Json | undefined>();
  #changed = false;
  #over = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#writer = options.edits?.writer();
  }

  get over(): boolean {
    return this.#over || (this.#changed && this.#writer?.over === true);
  }

  take(piece: AnswerPiece): readonly Unit[] {
    if (piece.do === 'raw') return this.#pass(piece);
    if (this.#writer !== undefined) {
      this.#changed = true;
      return this.#unpassed(this.#writer.take(piece));
    }
    return piece.do === 'terminal' ? this.#end() : [];
  }

  fail(error: ProviderError, unit?: AnswerUnit): readonly Unit[] {
    this.#over = true;
    if (this.#changed && this.#writer !== undefined) return this.#unpassed(this.#writer.fail(error));
    return [unit === undefined ? this.#errorUnit(error) : written(unit)];
  }

  whole(): WholeResponse {
    const { edits } = this.#options;
    const body = this.#last?.unit.data ?? null;
    if (!this.#changed || this.#writer === undefined || edits === undefined) return { status: 200, body };
    const plain = edits.writer();
    for (const piece of this.#last?.pieces ?? []) plain.take(piece);
    const whole = this.#writer.whole();
    return { ...whole, body: grafted(whole.body, body, plain.whole().body) };
  }

  #pass(raw: RawPiece): readonly Unit[] {
    this.#last = raw;
    const { edits } = this.#options;
    const edited = edits === undefined ? raw.pieces : raw.pieces.flatMap(edits.edit);
    this.#changed ||= edits !== undefined && exactText(edited) !== exactText(raw.pieces);
    const units = edited.flatMap((piece) => this.#writer?.take(piece) ?? []);
    if (this.#changed) return this.#unpassed(units);
    const { data } = raw.unit;
    if (isObject(data) && data['type'] === 'response.output_item.done')
      this.#passed.add(data['output_index']);
    this.#over = raw.pieces.some((piece) => piece.do === 'terminal');
    return [written(raw.unit)];
  }

  #unpassed(units: readonly Unit[]): readonly Unit[] {
    return units.filter(({ data }) => !isObject(data) || !this.#passed.has(data['output_index'] ?? null));
  }

  /** A stream of Chat Completions that ends without [DONE] is whole; a client may wait for it. */
  #end(): readonly Unit[] {
    this.#over = true;
    const isOwed = this.#options.dialect === 'openai-chat' && this.#last?.unit.data !== '[DONE]';
    return isOwed ? [{ data: '[DONE]' }] : [];
  }

  #errorUnit(error: ProviderError): Unit {
    const { dialect, id } = this.#options;
    const { body } = refusal(dialect, error, id('req_'));
    if (dialect === 'anthropic') return { event: 'error', data: body };
    if (dialect !== 'openai-responses') return { data: body };
    const number = numberOf(this.#last?.unit.data);
    const next = number === undefined ? {} : { sequence_number: number + 1 };
    return {
      event: 'error',
      data: { type: 'error', code: null, message: error.message, param: null, ...next },
    };
  }
}

/** The number of an event of Responses. */
function numberOf(data: Json | undefined): number | undefined {
  const number = isObject(data) ? data['sequence_number'] : undefined;
  return typeof number === 'number' ? number : undefined;
}

/** A unit as it came, with all digits of its numbers. */
function written({ event, data }: AnswerUnit): Unit {
  // The default of SSE.
  const named = event === undefined || event === 'message' ? {} : { event };
  return typeof data === 'string' ? { ...named, data } : { ...named, data, json: exactText(data) };
}
