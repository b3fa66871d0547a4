/** Reads an HTTP exchange from a trace: the request, the head of the answer, its units, its end. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { momentOf } from '../../../src/kit/judge/index.ts';
import type { Moment } from '../../../src/kit/judge/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { Answer, Facts } from './answer.ts';
import { shown, textOf } from './words.ts';
import { promptKey, requestOf } from './asked.ts';
import type { Purpose } from './asked.ts';
import { anthropicError, anthropicReader } from './dialects/anthropic.ts';
import { bedrockError, bedrockReader } from './dialects/bedrock.ts';
import { geminiError, geminiReader } from './dialects/gemini.ts';
import { interactionsError, interactionsReader } from './dialects/gemini-interactions.ts';
import { ollamaError, ollamaReader } from './dialects/ollama.ts';
import { openaiChatReader } from './dialects/openai-chat.ts';
import { openaiRefusal } from './dialects/openai-error.ts';
import { openaiResponsesReader } from './dialects/openai-responses.ts';
import { openResponsesReader } from './dialects/open-responses.ts';
import { at, isPresent } from './dialects/reader.ts';
import type { ErrorForm, MakeReader, Reader } from './dialects/reader.ts';
import type { Fact } from './answer.ts';
import { surrogateFault } from './surrogates.ts';
import { isFrameFault } from './units.ts';

export interface ExchangeReader {
  /** Reads the next event of its stream. @returns the facts that the event shows */
  take(event: TraceEvent): readonly Fact[];
  /** The time of the request. Undefined when no answer is pending. */
  readonly waiting: Moment | undefined;
  /** The time of the terminal or the error of an HTTP exchange. Its body must end soon after. */
  readonly finished: Moment | undefined;
  /** Whether it ended, or the client closed it. */
  readonly over: boolean;
}

type Spoken = Exclude<DialectName, 'lmstudio'>;

const readers: { readonly [D in Spoken]: MakeReader } = {
  anthropic: anthropicReader,
  'openai-chat': openaiChatReader,
  'openai-responses': openaiResponsesReader,
  ollama: ollamaReader,
  gemini: geminiReader,
  bedrock: bedrockReader,
  'gemini-interactions': interactionsReader,
};

/** The form of an error instead of an answer, by dialect. */
const errorForms: { readonly [D in Spoken]: ErrorForm } = {
  anthropic: anthropicError,
  'openai-chat': openaiRefusal,
  'openai-responses': openaiRefusal,
  ollama: ollamaError,
  gemini: geminiError,
  bedrock: bedrockError,
  'gemini-interactions': interactionsError,
};

/** The content type of a stream, by dialect. */
const types: { readonly [D in Spoken]: RegExp } = {
  anthropic: /^text\/event-stream\b/i,
  'openai-chat': /^text\/event-stream\b/i,
  'openai-responses': /^text\/event-stream\b/i,
  ollama: /^application\/(x-)?ndjson\b/i,
  gemini: /^text\/event-stream\b/i,
  bedrock: /^application\/vnd\.amazon\.eventstream\b/i,
  'gemini-interactions': /^text\/event-stream\b/i,
};

/** Statuses that say that the server cannot answer now, on any connection. */
const busy: ReadonlySet<number> = new Set([401, 403, 408, 429, 500, 502, 503, 504, 529]);

const json = /^application\/json\b/i;

/** Whether a body is an error, and not an answer: an exception of Bedrock's has a message and no output. */
const isErrorBody = (data: JsonObject[string], dialect: Spoken): boolean =>
  dialect === 'bedrock'
    ? isPresent(at(data, 'message')) && !isPresent(at(data, 'output'))
    : isPresent(at(data, 'error')) && at(data, 'object') !== 'response';

export class HttpReader implements ExchangeReader {
  readonly #purpose: Purpose & { readonly dialect: Spoken };
  #answer: Answer = new Answer(undefined);
  #reader: Reader;
  #status = 0;
  #streams = true;
  /** The fault of the content type. */
  #untyped: string | undefined;
  #units = 0;
  /** The last unit of an answer without an end, for messages. */
  #last: unknown;
  /** Whether the last unit could not be read. */
  #garbled = false;
  waiting: Moment | undefined;
  finished: Moment | undefined;
  over = false;
  /** Whether the request went out on a connection that an earlier exchange had used. */
  #reuses: boolean;

  /** The bodies of requests that were answered on the kept connection. */
  readonly #kept: Set<string> | undefined;
  #body = '';

  /** The responses that the server keeps, where it has to follow the Open Responses specification. */
  readonly #stored: Set<string> | undefined;

  /**
   * @param kept - the bodies of requests that were answered on the connection of this exchange; it adds its own
   * @param stored - the ids of stored responses, for Open Responses; it adds its own
   */
  constructor(purpose: Purpose & { readonly dialect: Spoken }, kept?: Set<string>, stored?: Set<string>) {
    this.#purpose = purpose;
    this.#kept = kept;
    this.#stored = purpose.dialect === 'openai-responses' ? stored : undefined;
    this.#reuses = (kept?.size ?? 0) > 0;
    this.#reader = this.#readerOf(this.#answer);
  }

  #readerOf(answer: Answer): Reader {
    return this.#stored === undefined
      ? readers[this.#purpose.dialect](answer)
      : openResponsesReader(answer, this.#stored);
  }

  take(event: TraceEvent): readonly Fact[] {
    if (event.from === 'target') this.#answered(event);
    else if (event.kind === 'message') this.#asked(event);
    else if (event.kind === 'end' || event.kind === 'reset') this.#left();
    if (this.#answer.ended !== undefined) this.finished ??= momentOf(event);
    return this.#answer.facts.take();
  }

  #asked(event: TraceEvent): void {
    const { dialect, what, path } = this.#purpose;
    const { body = null } = event.data;
    this.#body = this.#kept === undefined ? '' : JSON.stringify(body);
    this.#answer = new Answer(requestOf(dialect, body, path), new Facts(), promptKey(dialect, body), body);
    this.#reader = this.#readerOf(this.#answer);
    this.#streams = this.#answer.request?.stream ?? (isObject(body) && body['stream'] === true);
    if (what !== 'answer') return;
    this.waiting = momentOf(event);
    this.#answer.since = this.waiting;
  }

  /** The client has left. It left in the middle of an answer that had begun and not ended. */
  #left(): void {
    const { since, ended, facts } = this.#answer;
    if (!this.over && since !== undefined && ended === undefined && this.#units > 0)
      facts.add({ type: 'left', since });
    this.over = true;
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
        return this.#ended(event.kind === 'end' && event.data['code'] === 0, answers, event.data['message']);
      default:
    }
  }

  #headers(headers: JsonObject, answers: boolean): void {
    this.#status = Number(headers[':status']);
    if (this.#reuses && answers && this.#status < 400) this.#answer.facts.exercised('LLM-S27');
    if (answers && this.#status < 400) this.#kept?.add(this.#body);
    // The server may close a kept connection; then the request went out on a new one.
    this.#reuses &&= headers[':connection'] !== 'new';
    if (!answers || this.#status >= 400) return;
    const type = textOf(headers['content-type']);
    const expected = this.#streams ? types[this.#purpose.dialect] : json;
    if (!expected.test(type)) {
      const name = this.#streams ? 'a stream' : 'one JSON body';
      this.#untyped = `expected the content type of ${name}; came ${shown(type)}`;
    }
    // The body is read by its real framing, so that a wrong content type causes no second violation.
    if (json.test(type)) this.#streams = false;
  }

  #unit({ event, id, data }: JsonObject, answers: boolean): void {
    if (data === undefined) return;
    if (!answers) {
      const tokens = at(data, 'input_tokens') ?? at(data, 'totalTokens');
      if (this.#status < 300 && typeof tokens === 'number')
        this.#answer.facts.add({ type: 'count', prompt: this.#answer.prompt, tokens });
    } else if (this.#status >= 400) this.#refusal(data);
    else this.#content(data, typeof event === 'string' ? event : undefined, id);
  }

  #content(data: JsonObject[string], event: string | undefined, id: JsonObject[string] | undefined): void {
    this.#units++;
    this.#last = data;
    this.#garbled = false;
    if (!this.#streams && isErrorBody(data, this.#purpose.dialect))
      return this.#answer.endWithError(
        `expected an error with a status from 400 on; came ${this.#status}`,
        false,
      );
    if (this.#untyped === undefined) this.#answer.facts.exercised('LLM-S01');
    else if (this.#units === 1) this.#answer.facts.violated('LLM-S01', this.#untyped);
    const half = surrogateFault(data);
    if (half !== undefined) this.#answer.facts.violated('LLM-S01', half);
    if (this.#streams && this.#purpose.dialect === 'bedrock') this.#answer.facts.exercised('LLM-S50');
    if (this.#streams) this.#reader.unit(data, event, typeof id === 'string' ? id : undefined);
    else if (this.#units > 1) this.#answer.addLateEvent(shown(data), false);
    else if (isObject(data)) this.#reader.whole(data);
    else this.#answer.facts.violated('LLM-S01', `expected an object as body; came ${shown(data)}`);
  }

  #refusal(data: JsonObject[string]): void {
    this.#units++;
    this.#refusedOnReuse(shown(data));
    if (!busy.has(this.#status)) this.#reader.refused?.(this.#status, data);
    const fault = errorForms[this.#purpose.dialect](data);
    this.#answer.endWithError(fault === undefined ? undefined : this.#failed(fault), false);
  }

  /** A failure of the server matters more than the form of its error. */
  #failed(fault: string): string {
    return this.#status < 500
      ? fault
      : `expected an answer; the request was answered with ${this.#status}, and its body is no error of the dialect: ${fault}`;
  }

  /** The same request was answered before: the refusal comes from the bytes of an earlier request. */
  #refusedOnReuse(body: string): void {
    if (!this.#reuses || this.#kept?.has(this.#body) !== true || busy.has(this.#status)) return;
    this.#answer.facts.violated(
      'LLM-S27',
      `expected the request on the kept connection to be answered as on a new one; came ${this.#status} ${body}`,
    );
  }

  #undecodable({ data: { code }, note = '' }: TraceEvent): void {
    const { facts, ended } = this.#answer;
    this.#units++;
    if (this.#status >= 400) {
      this.#refusedOnReuse(note);
      facts.violated('LLM-S17', this.#failed(`expected the dialect's form of an error as JSON: ${note}`));
    }
    // A unit that the end of the body cut is not a unit: what is missing is the terminal.
    else if (code !== 'cut') this.#garble(note, isFrameFault(code) ? 'LLM-S50' : 'LLM-S01');
    else if (ended !== undefined) this.#answer.addLateEvent('the beginning of another unit', false);
  }

  /** An unreadable unit may have been anything, so its expected content is not reported as missing. */
  #garble(note: string, row: string): void {
    this.#answer.facts.violated(row, note);
    this.#garbled = true;
    this.#reader.garbled?.();
  }

  #ended(inOrder: boolean, answers: boolean, why: unknown): void {
    this.over = true;
    if (!answers) return;
    if (this.#status < 400 && !this.#garbled) {
      if (inOrder && this.#streams && this.#answer.ended === undefined) this.#reader.bodyEnded?.();
      if (inOrder && this.#streams) this.#reader.streamEnded?.();
      this.#answer.endBody(
        inOrder,
        this.#units === 0 ? `${this.#status}, no body` : `${this.#status}, ${shown(this.#last)}`,
        textOf(why),
      );
    }
    if (this.#status < 400) return;
    if (this.#units > 0) return;
    this.#refusedOnReuse('without a body');
    this.#answer.facts.violated(
      'LLM-S17',
      this.#failed("expected the dialect's form of an error; the body is empty"),
    );
  }
}
