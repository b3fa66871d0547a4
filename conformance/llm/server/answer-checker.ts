/**
 * The account of one answer, whatever its dialect: what it said in sum, how it ended, what it counted. Readers of
 * dialects enter what they see; the rows that all dialects share (LLM-S02, S03, S10 to S14, S17) are judged here.
 */
import type { LlmRequest } from '../../../src/llm/index.ts';
import { Notes, shown } from './notes.ts';

/** What a dialect's word for the end of an answer means, as far as truth goes. */
export type StopKind =
  /** The output limit was reached. */
  | 'limit'
  /** Tools are called. */
  | 'tool'
  /** The model had no more to say. */
  | 'end'
  /** Another reason, which may be true at the limit, too. */
  | 'other'
  /** A word that the dialect does not have, or none. */
  | 'unknown';

/** What of its usage an answer told; a count that is there and is none stays as it came. */
export interface Counts {
  readonly input?: unknown;
  readonly output?: unknown;
}

/** A call as it was told: its arguments as JSON text. */
interface Called {
  text: string;
  /** Whether the dialect said that it is complete. */
  complete: boolean;
}

/** Characters of what was said last that are kept. */
const tailKept = 8;

/** How what is said ends where nothing cuts it: with a sentence, a quotation, a list. */
const finished = /[.!?…。！？)\]}"'”’»`*]\s*$/u;

/** Bytes of content that one token holds at most, on average over an answer; and so many more, for a few that are long. */
const bytesPerToken = 16;
const bytesMore = 64;

/** Most characters of arguments that are kept for one answer. */
const argumentsKept = 4 << 20;

/** Most calls of one answer that are kept. */
const callsKept = 1000;

/** See the file's head. */
export class AnswerChecker {
  readonly notes: Notes;
  readonly request: LlmRequest | undefined;
  /** Whether the answer has to tell its usage. */
  usageOwed = true;
  #counts: Counts | undefined;
  #stop: { readonly word: unknown; readonly kind: StopKind } | undefined;
  /** Bytes of text, thoughts and arguments. */
  #size = 0;
  /** The end of what was said. */
  #tail = '';
  #argumentsSize = 0;
  readonly #calls = new Map<string, Called>();
  /** How it ended by its own word. */
  #ended: 'terminal' | 'error' | undefined;
  #over = false;

  /** `notes`: where those of several answers come together. */
  constructor(request: LlmRequest | undefined, notes: Notes = new Notes()) {
    this.request = request;
    this.notes = notes;
  }

  /** How it ended by its own word; undefined while it goes on. */
  get ended(): 'terminal' | 'error' | undefined {
    return this.#ended;
  }

  /** Whether a stop word has come. */
  get stopped(): boolean {
    return this.#stop !== undefined;
  }

  /** What the stop word means; undefined before it came. */
  get stopKind(): StopKind | undefined {
    return this.#stop?.kind;
  }

  /** The arguments of a call as far as they came. */
  argumentsOf(key: string): string {
    return this.#calls.get(key)?.text ?? '';
  }

  /** More of the content: text, or thoughts. */
  said(text: unknown): void {
    if (typeof text !== 'string' || text === '') return;
    this.weighs(text);
    this.#tail = (this.#tail + text.slice(-tailKept)).slice(-tailKept);
  }

  /** Something that was generated, and is kept elsewhere. */
  weighs(text: unknown): void {
    if (typeof text === 'string') this.#size += Buffer.byteLength(text);
  }

  /** More of the arguments of a call. */
  argued(key: string, text: string): void {
    this.weighs(text);
    this.#argumentsSize += text.length;
    const call = this.#call(key);
    if (this.#argumentsSize <= argumentsKept) call.text += text;
    else call.complete = false;
  }

  /** A call began. */
  called(key: string): void {
    this.#call(key);
  }

  /** A call is complete, in the dialect's way; `text`: its arguments, where they come at once. */
  completed(key: string, text?: string): void {
    const call = this.#call(key);
    if (text !== undefined) {
      call.text = '';
      this.argued(key, text);
    }
    if (this.#argumentsSize <= argumentsKept) call.complete = true;
    else this.notes.lost('LLM-S11', `more than ${argumentsKept} characters of arguments are not kept`);
  }

  /** A call is complete whose arguments were told piece by piece before: what they came to is `text`. */
  finished(key: string, text: string): void {
    this.#call(key).text = '';
    this.#argumentsSize += text.length;
    this.completed(key);
    this.#call(key).text = text;
  }

  #call(key: string): Called {
    const call = this.#calls.get(key) ?? { text: '', complete: false };
    if (this.#calls.size < callsKept) this.#calls.set(key, call);
    else if (!this.#calls.has(key)) this.notes.lost('LLM-S11', `more than ${callsKept} calls are not kept`);
    return call;
  }

  /** Counts were told; later ones replace earlier ones. */
  counted(counts: Counts): void {
    this.#counts = { ...this.#counts, ...counts };
  }

  /** The stop word was told. */
  stops(word: unknown, kind: StopKind): void {
    this.#stop = { word, kind };
  }

  /** Counts that were told, for what dialects demand of them. */
  get counts(): Counts {
    return this.#counts ?? {};
  }

  /** Something of the answer came after its end: another terminal, or anything else. */
  late(what: string, terminal: boolean): void {
    if (terminal) this.notes.broke('LLM-S02', `expected one terminal; came another: ${what}`);
    else this.notes.broke('LLM-S03', `expected nothing after the terminal; came ${what}`);
  }

  /** An error ends it; `wrong` says what of the dialect's form is not there, `begun` whether there was a stream before. */
  failed(wrong: string | undefined, begun: boolean): void {
    this.#ended = 'error';
    const row = begun ? 'LLM-S14' : 'LLM-S17';
    if (wrong === undefined) this.notes.held(row);
    else this.notes.broke(row, wrong);
  }

  /** Its terminal has come: what it said in sum is judged. */
  terminal(): void {
    this.#ended = 'terminal';
    const { notes } = this;
    const { output } = this.counts;
    const limit = this.request?.maxTokens;
    this.#judgeUsage(limit);
    if (limit !== undefined) this.#judgeSize(limit);
    const atLimit = limit !== undefined && output === limit;
    if (this.#stop !== undefined) this.#judgeStop(this.#stop, atLimit ? limit : undefined);
    this.#judgeCalls(atLimit);
    notes.held('LLM-S02');
  }

  /** LLM-S13. */
  #judgeUsage(limit: number | undefined): void {
    if (!this.usageOwed) return;
    const { notes } = this;
    if (this.#counts === undefined) return notes.broke('LLM-S13', 'expected usage in the answer; came none');
    for (const [name, count] of [
      ['input', this.#counts.input],
      ['output', this.#counts.output],
    ] as const)
      if (!Number.isSafeInteger(count) || Number(count) < 0)
        return notes.broke('LLM-S13', `expected a count of ${name} tokens, 0 or more; came ${shown(count)}`);
    const output = Number(this.#counts.output);
    if (limit !== undefined && output > limit)
      return notes.broke('LLM-S13', `expected at most ${limit} output tokens in usage; came ${output}`);
    notes.held('LLM-S13');
  }

  /** LLM-S12: what tokens are is the server's to say, but not that one holds a sentence. */
  #judgeSize(limit: number): void {
    const most = limit * bytesPerToken + bytesMore;
    if (this.#size > most)
      this.notes.broke(
        'LLM-S12',
        `expected at most ${limit} output tokens; came ${this.#size} bytes of content, more than ${bytesPerToken} a token`,
      );
    else if (this.#stop?.kind === 'limit') this.notes.held('LLM-S12');
  }

  /**
   * LLM-S10; `limit`: where the count of output tokens says that it was reached. A model may come to its end with its
   * last token: what was not cut short may have any reason.
   */
  #judgeStop({ word, kind }: { word: unknown; kind: StopKind }, limit: number | undefined): void {
    const { notes } = this;
    if (limit !== undefined && kind !== 'limit' && kind !== 'other' && this.#cutShort())
      notes.broke(
        'LLM-S10',
        `expected the dialect's word for the limit, for all ${limit} output tokens were used, and the answer is cut short; came ${shown(word)}`,
      );
    else if (kind === 'tool' && this.#calls.size === 0)
      notes.broke('LLM-S10', `expected ${shown(word)} only where a tool is called; no call came`);
    else if (limit !== undefined && kind === 'limit') notes.held('LLM-S10');
  }

  /** Whether the last call is not whole; where there is none, whether what was said breaks off. */
  #cutShort(): boolean {
    const last = [...this.#calls.values()].at(-1);
    return last === undefined ? !finished.test(this.#tail) : !last.complete || !parses(last.text);
  }

  /** LLM-S11. What the limit cut is not complete, whatever is said of it: that is LLM-S10. */
  #judgeCalls(atLimit: boolean): void {
    const calls = [...this.#calls.entries()];
    const kind = this.#stop?.kind;
    const mayBeCut = atLimit || kind === undefined || kind === 'limit' || kind === 'other';
    for (const [i, [key, call]] of calls.entries()) {
      if (!call.complete || (mayBeCut && i === calls.length - 1 && !parses(call.text))) continue;
      if (parses(call.text)) this.notes.held('LLM-S11');
      else
        this.notes.broke(
          'LLM-S11',
          `expected JSON as arguments of the call ${key}, which is complete; came ${shown(call.text)}`,
        );
    }
  }

  /** The body, or the channel, is over: in order or not. */
  over(inOrder: boolean): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#ended === undefined) {
      const how = inOrder ? 'ended' : 'was lost';
      this.notes.broke('LLM-S02', `expected a terminal or an error; the answer ${how} without either`);
    } else if (inOrder && this.#ended === 'terminal') this.notes.held('LLM-S03');
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
