/**
 * Writes an answer in a dialect, piece by piece as it is read in another. A dialect opens one block at a time, so pieces of
 * a later block wait until the block before them is over. Nothing else is held back.
 */
import type { StopReason, Usage } from '../../../kit/base/index.ts';
import { dialectOf } from '../../dialects/index.ts';
import { excerpt } from '../../dialects/shared/arguments.ts';
import type { WholeResponse } from '../../dialects/shared/dialect.ts';
import type { GenerationEnd, LlmRequest, ProviderError, Renderer, Unit, Variants } from '../../messages.ts';
import type { GatewayDialect } from '../dialects.ts';
import type { AnswerPiece, AnswerUnit } from '../answer/piece.ts';
import { GrowingBlock } from './block.ts';
import { withExactInputs } from './exact-inputs.ts';
import type { TextKind } from './block.ts';

/** What an answer is written for. */
export interface AnswerWriterOptions {
  readonly dialect: GatewayDialect;
  /** The name of the model, as the client asked for it. */
  readonly model: string;
  readonly stream: boolean;
  /** Whether the client asked for the usage of a stream, where a dialect leaves it to clients. */
  readonly includeUsage: boolean;
  /** How the dialect writes it; default: as its API does, without pings and padding. */
  readonly variants?: Variants;
  /** Unix ms. */
  readonly now: number;
  /** A fresh id with this prefix. */
  readonly id: (prefix: string) => string;
}

/** Writes the pieces of one answer as units of a stream, or as one body. */
export interface PieceWriter {
  /** Whether the terminal or an error was written. */
  readonly over: boolean;
  /** Takes the next piece. @returns the units of a stream */
  take(piece: AnswerPiece): readonly Unit[];
  /** Ends the answer with an error; `unit`: the one that says so, in the provider's dialect. */
  fail(error: ProviderError, unit?: AnswerUnit): readonly Unit[];
  /** The answer that is not streamed, after its last piece. */
  whole(): WholeResponse;
}

type Growing<T> = { -readonly [K in keyof T]: T[K] };

/** Writes one answer in another dialect. */
export class AnswerWriter implements PieceWriter {
  readonly #options: AnswerWriterOptions;
  readonly #end: Growing<GenerationEnd> & { usage: Usage } = {
    stop: 'end_turn',
    signal: 'honest',
    transport: 'clean',
    usage: { inputTokens: 0, outputTokens: 0 },
    cutCall: false,
  };
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  readonly #blocks: GrowingBlock[] = [];
  /** The block that the renderer has open, or opens next. */
  #head = 0;
  #renderer: Renderer | undefined;
  #over = false;

  constructor(options: AnswerWriterOptions) {
    this.#options = options;
  }

  /** Whether the terminal or an error was written. */
  get over(): boolean {
    return this.#over;
  }

  /** Takes the next piece. @returns the units of a stream */
  take(piece: AnswerPiece): readonly Unit[] {
    if (this.#over || piece.do === 'raw') return [];
    switch (piece.do) {
      case 'start':
        return this.#begin();
      case 'text':
      case 'refusal':
      case 'thought':
        return this.#grow(piece.do, piece.text);
      case 'border':
        return this.#border();
      case 'signature':
        this.#last('thought')?.sign(piece.signature);
        return [];
      case 'redacted':
        return this.#redacted(piece.data);
      case 'call':
      case 'arguments':
      case 'call_end':
        return this.#call(piece);
      case 'cite':
        this.#last('text')?.cite(piece.citation);
        return [];
      case 'usage':
        this.#usage = { ...this.#usage, ...piece.usage };
        this.#end.usage = this.#options.dialect === 'ollama' ? withCache(this.#usage) : this.#usage;
        return [];
      case 'stop':
        this.#end.stop = this.#reason(piece.reason);
        if (piece.sequence !== undefined) this.#end.stopSequence = piece.sequence;
        return [];
      case 'terminal':
        return this.#finish();
      case 'error':
        return this.fail(piece.error);
      default:
        return piece satisfies never;
    }
  }

  /** Ends the answer with an error. */
  fail(error: ProviderError): readonly Unit[] {
    this.#end.error = error;
    return this.#finish();
  }

  /** The answer that is not streamed, after its last piece. */
  whole(): WholeResponse {
    const { dialect, id } = this.#options;
    const broken = this.#hasObjects
      ? this.#blocks.find((block) => block.kind === 'call' && block.isCut)
      : undefined;
    if (broken !== undefined && !this.#isLimited)
      return dialectOf[dialect].errorBody(noArguments(broken), id('req_'));
    const kept = this.#blocks.filter((block) => block !== broken);
    const blocks = kept.map((block) => block.generated());
    const whole = dialectOf[dialect].whole({ blocks, steps: [], end: this.#end }, this.#context());
    const texts = blocks.flatMap((block) => (block.kind === 'tool_call' ? [block.text] : []));
    return { ...whole, body: withExactInputs(dialect, whole.body, texts) };
  }

  /** Whether arguments are objects in bodies, so that a text that is no JSON has no place. */
  get #hasObjects(): boolean {
    const { dialect } = this.#options;
    return dialect === 'anthropic' || dialect === 'ollama';
  }

  /** Whether a limit or a failure cut the answer. */
  get #isLimited(): boolean {
    const { stop, error } = this.#end;
    return stop === 'max_tokens' || stop === 'context_window' || error !== undefined;
  }

  /**
   * A refusal in words ends as one. Where the provider only said so, the dialects without a word for it say that the content
   * was filtered (spec/llm/translation/ends.yaml).
   */
  #reason(reason: StopReason): StopReason {
    if (reason === 'unknown') return 'end_turn';
    const said = this.#blocks.some(({ kind }) => kind === 'refusal');
    if (said && reason === 'end_turn') return 'refusal';
    const { dialect } = this.#options;
    const hasWord = dialect === 'anthropic' || dialect === 'ollama';
    return reason === 'refusal' && !said && !hasWord ? 'content_filter' : reason;
  }

  #context(): Parameters<(typeof dialectOf)['anthropic']['renderer']>[0] {
    const { dialect, model, stream, includeUsage, variants, now, id } = this.#options;
    const request: LlmRequest = {
      dialect,
      model,
      stream,
      includeUsage,
      messages: [],
      tools: [],
      obfuscation: false,
    };
    return {
      request,
      end: this.#end,
      variants: { startPing: false, obfuscation: false, ...variants },
      now,
      id,
    };
  }

  #begin(): readonly Unit[] {
    if (this.#renderer !== undefined || !this.#options.stream) return [];
    this.#renderer = dialectOf[this.#options.dialect].renderer(this.#context());
    return this.#renderer.begin();
  }

  #last(kind: GrowingBlock['kind']): GrowingBlock | undefined {
    return this.#blocks.findLast((block) => block.kind === kind);
  }

  #add(kind: GrowingBlock['kind'], more: ConstructorParameters<typeof GrowingBlock>[2] = {}): GrowingBlock {
    const block = new GrowingBlock(kind, this.#blocks.length, more);
    this.#blocks.push(block);
    return block;
  }

  #grow(kind: TextKind, text: string): readonly Unit[] {
    const last = this.#blocks.at(-1);
    const block = last?.kind === kind && !last.ended ? last : this.#add(kind);
    block.add(text);
    return this.#pump();
  }

  #border(): readonly Unit[] {
    const last = this.#blocks.at(-1);
    if (last === undefined || last.kind === 'call') return [];
    last.ended = true;
    return [];
  }

  #redacted(data: string): readonly Unit[] {
    const block = this.#add('redacted');
    block.add(data);
    block.unsent();
    block.ended = true;
    return this.#pump();
  }

  #call(piece: Extract<AnswerPiece, { do: 'call' | 'arguments' | 'call_end' }>): readonly Unit[] {
    if (piece.do === 'call') {
      const { call, name } = piece;
      const id = piece.id ?? this.#options.id(dialectOf[this.#options.dialect].callIdPrefix);
      this.#add('call', { call, name, id });
      return this.#pump();
    }
    const block = this.#blocks.find(({ call }) => call === piece.call);
    if (block === undefined) return [];
    if (piece.do === 'arguments') block.add(piece.text);
    else block.ended = true;
    return this.#pump();
  }

  /** Writes what can be written: the open block, and those after it as far as the ones before are over. */
  #pump(isLast = false): readonly Unit[] {
    if (!this.#options.stream) return [];
    const units: Unit[] = [...this.#begin()];
    for (; this.#head < this.#blocks.length; this.#head++) {
      const block = this.#blocks[this.#head];
      if (block === undefined || this.#renderer === undefined) break;
      units.push(...this.#written(block, this.#renderer));
      const hasNext = this.#head < this.#blocks.length - 1;
      if (!isLast && !(hasNext && block.isOver) && !block.isClosedCall) break;
      units.push(...this.#renderer.close(block.generated()));
    }
    return units;
  }

  #written(block: GrowingBlock, renderer: Renderer): readonly Unit[] {
    const units: Unit[] = [];
    if (!block.opened) units.push(...renderer.open(block.opening(this.#options.dialect)));
    block.opened = true;
    const text = block.unsent();
    if (text !== '') units.push(...renderer.piece(text, block.generated('')));
    return units;
  }

  #finish(): readonly Unit[] {
    if (this.#over) return [];
    this.#markCut();
    const units = [...this.#begin(), ...this.#pump(true), ...(this.#renderer?.end() ?? [])];
    this.#over = true;
    return units;
  }

  /** A limit or a failure cuts the last block, and a call whose arguments are no JSON is never whole (LLM-G09). */
  #markCut(): void {
    const last = this.#blocks.at(-1);
    const isLimited = this.#isLimited;
    for (const block of this.#blocks.slice(this.#head)) {
      const isCall = block.kind === 'call';
      if (isCall && !isLimited) block.ended = true;
      const isEmptied = isLimited && block === last && block.text.trim() === '';
      const isShort = block === last && isLimited && !block.ended && !block.isCited;
      block.isCut = isCall ? !block.isJson || isEmptied : isShort;
      if (isCall && block.isCut) this.#end.cutCall = true;
    }
  }
}

const noArguments = (block: GrowingBlock): ProviderError => ({
  type: 'server',
  message: `the provider's call has arguments that are no JSON: ${excerpt(block.text)}`,
});

/** Ollama counts the whole prompt as one. */
const withCache = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, ...more }: Usage): Usage => ({
  ...more,
  inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
});
