/** Decodes Ollama's response: a line of a stream and a whole response are objects of the same form. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, ResponseDecoder } from '../../messages.ts';
import { contentFault, excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import type { ArgumentsFault } from '../shared/arguments.ts';
import { isArray } from '../shared/body-reader.ts';
import { HttpDecoder } from '../shared/decoder.ts';
import type { HeaderFields } from '../shared/dialect.ts';
import type { ErrorText } from '../shared/http-error.ts';
import { JsonTemplate } from '../shared/json-template.ts';
import { NdjsonLines } from '../shared/ndjson.ts';
import { errorType, stopReasonOf } from './words.ts';

/** A decoder of one streamed response. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder => new LineDecoder(limits);

/** Reads a response that is not streamed. */
export const readWhole = (status: number, headers: HeaderFields, bytes: Uint8Array): Decoded =>
  new LineDecoder({}).readWhole(status, headers, bytes);

class LineDecoder extends HttpDecoder<string> {
  /** Recognizes the next line of content. */
  readonly #template = new JsonTemplate();
  #thinking = false;
  #calls = 0;

  constructor(limits: Partial<DecoderLimits>) {
    super(limits, (limit) => new NdjsonLines(limit));
  }

  protected get terminal(): string {
    return 'a line with done: true';
  }

  /** A last line that is not JSON was cut with the stream. */
  protected override takeLast(line: string): void {
    if (parseJson(line) !== undefined) this.take(line);
  }

  protected take(text: string): void {
    const [, content] = this.#template.match(text) ?? [];
    if (content !== undefined) return this.#content(content);
    const line = parseJson(text);
    if (!isJsonObject(line)) return this.refuse(`expected an object a line; came ${excerpt(text)}`);
    this.#object(line, text);
    if (!this.done && isContentLine(line)) this.#template.learn(text, ['created_at', 'content']);
    else this.#template.forget();
  }

  protected takeWhole(body: JsonObject, text: string): void {
    this.#object(body, text);
    if (!this.done) this.refuse('expected done: true; came a body without it');
  }

  protected errorText(body: unknown, text: string, status: number): ErrorText {
    const type = errorType(status);
    const message = isJsonObject(body) ? body['error'] : undefined;
    return {
      ...(type === undefined ? {} : { type }),
      message: typeof message === 'string' ? message : excerpt(text),
    };
  }

  /** Takes one object; `text` is its JSON. */
  #object(line: JsonObject, text: string): void {
    const { error, message, model, done } = line;
    if (error !== undefined) return this.#error(error);
    if (typeof model === 'string') this.assembly.model(model);
    if (isJsonObject(message)) this.#message(message, text);
    this.#stop(line, done === true);
    this.over = done === true;
  }

  #error(error: Json): void {
    const text = isJsonObject(error) ? error['message'] : error;
    const message = typeof text === 'string' ? text : 'an error without a message';
    this.fail({ kind: 'provider', message, retryable: false });
  }

  #message({ content, thinking, tool_calls: calls }: JsonObject, text: string): void {
    if (typeof thinking === 'string' && thinking !== '') {
      if (!this.#thinking) this.assembly.thought();
      this.#thinking = true;
      this.assembly.think(thinking);
    }
    if (typeof content === 'string') this.#content(content);
    if (!isArray(calls) || calls.length === 0) return;
    this.#thinking = false;
    const fault = contentFault(text);
    for (const call of calls) this.#call(call, fault);
  }

  #content(piece: string): void {
    if (piece === '') return;
    this.#thinking = false;
    this.assembly.text(piece);
  }

  /** Older servers send no ids; then calls are numbered. */
  #call(call: Json, fault: ArgumentsFault | undefined): void {
    const { function: made, id }: JsonObject = isJsonObject(call) ? call : {};
    this.#calls++;
    if (!isJsonObject(made) || typeof made['name'] !== 'string')
      return this.assembly.warn(`call ${this.#calls} has no function with a name`);
    const name = { id: typeof id === 'string' && id !== '' ? id : `call_${this.#calls}`, name: made['name'] };
    this.assembly.given(name, made['arguments'], fault);
  }

  #stop(line: JsonObject, done: boolean): void {
    if (done) this.#usage(line);
    const word = line['done_reason'];
    if (typeof word === 'string') this.#stopReason(word);
    else if (done && this.assembly.stopped === undefined) this.assembly.warn('done without a done_reason');
  }

  #stopReason(word: string): void {
    this.rawStop = word;
    const reason = stopReasonOf(word, this.#calls > 0);
    if (reason === undefined) this.assembly.warn(`unknown done_reason ${excerpt(word)}`);
    this.assembly.stop(reason ?? 'unknown');
  }

  /** "Zero counts are omitted": where one is present, the other is zero. */
  #usage({ prompt_eval_count: input, eval_count: output }: JsonObject): void {
    if (input === undefined && output === undefined) return;
    this.assembly.usage({ inputTokens: input ?? 0, outputTokens: output ?? 0 });
  }
}

/** Whether a line has only content, besides the fields of every line. */
function isContentLine({ message, ...line }: JsonObject): boolean {
  if (!isJsonObject(message) || typeof message['content'] !== 'string') return false;
  return (
    Object.keys(message).length === 2 &&
    'role' in message &&
    line['done'] === false &&
    !('done_reason' in line)
  );
}
