/** An answer in no dialect's words, gathered from its pieces. */
import type { StopReason, Usage } from '../../../kit/base/index.ts';
import type { Citation, ProviderError } from '../../messages.ts';
import type { AnswerPiece } from './piece.ts';

/** A call. Its arguments are the text that came, also where that is no JSON. */
export interface AnsweredCall {
  readonly id?: string;
  readonly name: string;
  readonly text: string;
  /** Whether the dialect said that it is over. */
  readonly closed: boolean;
}

/** A thought, or one that is not shown. */
export interface AnsweredThought {
  readonly text: string;
  readonly signature?: string;
  readonly redacted?: string;
}

/** A gathered answer. */
export interface NeutralAnswer {
  readonly id?: string;
  readonly model?: string;
  /** The texts of all parts, joined. */
  readonly text: string;
  /** The offsets in `text` at which a part ends and another begins. */
  readonly borders: readonly number[];
  readonly refusal: string;
  readonly thoughts: readonly AnsweredThought[];
  readonly calls: readonly AnsweredCall[];
  readonly citations: readonly Citation[];
  readonly usage?: Partial<Usage>;
  readonly stop?: { readonly reason: StopReason; readonly word: string; readonly sequence?: string };
  readonly error?: ProviderError;
  /** How often it started, and how often it ended. */
  readonly starts: number;
  readonly terminals: number;
  /** The pieces of content after the first terminal or error. */
  readonly late: number;
}

type Growing<T> = { -readonly [K in keyof T]: T[K] };

/** Gathers the pieces of one answer. */
export class AnswerGatherer {
  #answer: Growing<Omit<NeutralAnswer, 'borders' | 'thoughts' | 'calls' | 'citations'>> = {
    text: '',
    refusal: '',
    starts: 0,
    terminals: 0,
    late: 0,
  };
  readonly #borders: number[] = [];
  readonly #thoughts: Growing<AnsweredThought>[] = [];
  readonly #calls: Growing<AnsweredCall>[] = [];
  readonly #citations: Citation[] = [];
  /** Whether the next thought is a new one. */
  #parted = true;

  /** Whether the answer is over: its terminal or an error came. */
  get over(): boolean {
    return this.#answer.terminals > 0 || this.#answer.error !== undefined;
  }

  /** Takes the next piece. */
  take(piece: AnswerPiece): void {
    if (this.over && !['usage', 'terminal', 'border', 'raw'].includes(piece.do)) this.#answer.late++;
    switch (piece.do) {
      case 'border':
        return this.#border();
      case 'thought':
      case 'signature':
      case 'redacted':
        return this.#think(piece);
      case 'call':
      case 'arguments':
      case 'call_end':
        return this.#call(piece);
      case 'cite':
        return void this.#citations.push(piece.citation);
      case 'raw':
        return;
      default:
        this.#note(piece);
    }
  }

  #note(
    piece: Extract<
      AnswerPiece,
      { do: 'start' | 'text' | 'refusal' | 'usage' | 'stop' | 'terminal' | 'error' }
    >,
  ): void {
    const answer = this.#answer;
    switch (piece.do) {
      case 'start':
        answer.starts++;
        if (piece.id !== undefined) answer.id = piece.id;
        if (piece.model !== undefined) answer.model = piece.model;
        return;
      case 'text':
      case 'refusal':
        this.#parted = true;
        answer[piece.do] += piece.text;
        return;
      case 'usage':
        answer.usage = { ...answer.usage, ...piece.usage };
        return;
      case 'stop':
        answer.stop = piece;
        return;
      case 'terminal':
        answer.terminals++;
        return;
      case 'error':
        answer.error ??= piece.error;
        return;
      default:
        piece satisfies never;
    }
  }

  /** The answer so far. */
  answer(): NeutralAnswer {
    return {
      ...this.#answer,
      borders: [...this.#borders],
      thoughts: this.#thoughts.map((thought) => ({ ...thought })),
      calls: this.#calls.map((call) => ({ ...call })),
      citations: [...this.#citations],
    };
  }

  #border(): void {
    this.#parted = true;
    const at = this.#answer.text.length;
    if (at > 0 && this.#borders.at(-1) !== at) this.#borders.push(at);
  }

  #think(piece: Extract<AnswerPiece, { do: 'thought' | 'signature' | 'redacted' }>): void {
    if (piece.do === 'redacted') {
      this.#thoughts.push({ text: '', redacted: piece.data });
      this.#parted = true;
      return;
    }
    const last = this.#thoughts.at(-1);
    if (piece.do === 'signature') {
      if (last !== undefined) last.signature = piece.signature;
      return;
    }
    if (this.#parted || last === undefined) this.#thoughts.push({ text: piece.text });
    else last.text += piece.text;
    this.#parted = false;
  }

  #call(piece: Extract<AnswerPiece, { do: 'call' | 'arguments' | 'call_end' }>): void {
    this.#parted = true;
    if (piece.do === 'call') {
      const { id, name } = piece;
      this.#calls[piece.call] = { ...(id === undefined ? {} : { id }), name, text: '', closed: false };
      return;
    }
    const call = this.#calls[piece.call];
    if (call === undefined) return;
    if (piece.do === 'arguments') call.text += piece.text;
    else call.closed = true;
  }
}
