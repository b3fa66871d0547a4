/** One exchange of HTTP, as it is read off a trace: the request, the answer's head, its units, its end. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { AnswerChecker } from './answer-checker.ts';
import { promptKey, requestOf } from './asked.ts';
import type { Purpose } from './asked.ts';
import { judgeCount, noteCount } from './counted.ts';
import type { Counted } from './counted.ts';
import { anthropicError, anthropicReader } from './dialects/anthropic.ts';
import { ollamaError, ollamaReader } from './dialects/ollama.ts';
import { openaiChatReader, openaiError } from './dialects/openai-chat.ts';
import { openaiResponsesReader } from './dialects/openai-responses.ts';
import { at, there } from './dialects/reader.ts';
import type { ErrorForm, MakeReader, Reader } from './dialects/reader.ts';
import { shown, textOf } from './notes.ts';
import type { Note } from './notes.ts';

/** What is read of any exchange. */
export interface Reading {
  /** Takes the next event of its stream. @returns what it shows of which rows */
  take(event: TraceEvent): readonly Note[];
  /** When it was asked (ms); undefined where nothing is waited for. */
  readonly waiting: number | undefined;
  /** It has ended, or was let go of. */
  readonly over: boolean;
}

type Spoken = Exclude<DialectName, 'lmstudio'>;

const readers: { readonly [D in Spoken]: MakeReader } = {
  anthropic: anthropicReader,
  'openai-chat': openaiChatReader,
  'openai-responses': openaiResponsesReader,
  ollama: ollamaReader,
};

/** An error instead of an answer. */
const errorForms: { readonly [D in Spoken]: ErrorForm } = {
  anthropic: anthropicError,
  'openai-chat': openaiError,
  'openai-responses': openaiError,
  ollama: ollamaError,
};

/** The types by which an answer's framing is known. */
const types: { readonly [D in Spoken]: RegExp } = {
  anthropic: /^text\/event-stream\b/i,
  'openai-chat': /^text\/event-stream\b/i,
  'openai-responses': /^text\/event-stream\b/i,
  ollama: /^application\/(x-)?ndjson\b/i,
};

const json = /^application\/json\b/i;

/** Reads one exchange. */
export class HttpReading implements Reading {
  readonly #purpose: Purpose & { readonly dialect: Spoken };
  readonly #counted: Counted;
  #account: AnswerChecker = new AnswerChecker(undefined);
  #reader: Reader;
  #prompt = '';
  #status = 0;
  #streams = true;
  /** What is wrong with the content type. */
  #untyped: string | undefined;
  #units = 0;
  /** The last unit could not be read. */
  #garbled = false;
  waiting: number | undefined;
  over = false;

  constructor(purpose: Purpose & { readonly dialect: Spoken }, counted: Counted) {
    this.#purpose = purpose;
    this.#counted = counted;
    this.#reader = readers[purpose.dialect](this.#account);
  }

  take(event: TraceEvent): readonly Note[] {
    if (event.from === 'target') this.#answered(event);
    else if (event.kind === 'message') this.#asked(event);
    else if (event.kind === 'end') this.over = true;
    return this.#account.notes.take();
  }

  #asked({ data, at: moment }: TraceEvent): void {
    const { dialect, what } = this.#purpose;
    const { body = null } = data;
    this.#account = new AnswerChecker(requestOf(dialect, body));
    this.#reader = readers[dialect](this.#account);
    this.#prompt = promptKey(dialect, body);
    this.#streams = this.#account.request?.stream ?? (isObject(body) && body['stream'] === true);
    if (what === 'answer') this.waiting = moment;
  }

  #answered(event: TraceEvent): void {
    const answers = this.#purpose.what === 'answer';
    switch (event.kind) {
      case 'headers':
        return this.#headers(event.data, answers);
      case 'message':
        return this.#unit(event.data, answers);
      case 'undecodable':
        return answers ? this.#undecodable(event) : undefined;
      case 'end':
      case 'reset':
        return this.#ended(event.kind === 'end' && event.data['code'] === 0, answers);
      default:
    }
  }

  #headers(headers: JsonObject, answers: boolean): void {
    this.#status = Number(headers[':status']);
    if (!answers || this.#status >= 400) return;
    const type = textOf(headers['content-type']);
    const expected = this.#streams ? types[this.#purpose.dialect] : json;
    if (!expected.test(type)) {
      const name = this.#streams ? 'a stream' : 'one JSON body';
      this.#untyped = `expected the content type of ${name}; came ${shown(type)}`;
    }
    // What comes is read as what it is, so that a wrong type is no more than that.
    if (json.test(type)) this.#streams = false;
  }

  #unit({ event, data }: JsonObject, answers: boolean): void {
    if (data === undefined) return;
    if (!answers) {
      if (this.#status < 300) noteCount(this.#counted, this.#prompt, data);
    } else if (this.#status >= 400) this.#refusal(data);
    else this.#content(data, typeof event === 'string' ? event : undefined);
  }

  #content(data: JsonObject[string], event: string | undefined): void {
    this.#units++;
    this.#garbled = false;
    if (!this.#streams && there(at(data, 'error')))
      return this.#account.failed(`expected an error with a status from 400 on; came ${this.#status}`, false);
    if (this.#untyped === undefined) this.#account.notes.held('LLM-S01');
    else if (this.#units === 1) this.#account.notes.broke('LLM-S01', this.#untyped);
    if (this.#streams) this.#reader.unit(data, event);
    else if (this.#units > 1) this.#account.late(shown(data), false);
    else if (isObject(data)) this.#reader.whole(data);
    else this.#account.notes.broke('LLM-S01', `expected an object as body; came ${shown(data)}`);
    const { ended, counts } = this.#account;
    if (ended === 'terminal') judgeCount(this.#counted, this.#prompt, counts.input, this.#account.notes);
  }

  #refusal(data: JsonObject[string]): void {
    this.#units++;
    this.#account.failed(errorForms[this.#purpose.dialect](data), false);
  }

  #undecodable({ data: { code }, note = '' }: TraceEvent): void {
    const { notes, ended } = this.#account;
    this.#units++;
    if (this.#status >= 400)
      notes.broke('LLM-S17', `${note}, where the dialect's form of an error was expected`);
    // A unit that the end of the body cut is none: what is missing is the terminal.
    else if (code !== 'cut') this.#garble(note);
    else if (ended !== undefined) this.#account.late('the beginning of another unit', false);
  }

  /** What cannot be read may have been anything: what it should have said is not missed as well. */
  #garble(note: string): void {
    this.#account.notes.broke('LLM-S01', note);
    this.#garbled = true;
    this.#reader.garbled?.();
  }

  #ended(inOrder: boolean, answers: boolean): void {
    this.over = true;
    if (!answers) return;
    if (this.#status < 400 && !this.#garbled) this.#account.over(inOrder);
    if (this.#status < 400) return;
    if (this.#units === 0)
      this.#account.notes.broke('LLM-S17', "expected the dialect's form of an error; the body is empty");
  }
}
