/** Decodes Ollama's streamed response, line by line. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, ResponseDecoder, ResponseEvent } from '../../messages.ts';
import { contentFault, excerpt, isJsonObject, parseJson } from '../shared/arguments.ts';
import { Assembly, defaultLimits, endedEarly } from '../shared/assembly.ts';
import { JsonTemplate } from '../shared/json-template.ts';
import { NdjsonLines } from '../shared/ndjson.ts';
import { LineTaker } from './line.ts';

/** A decoder of one streamed response. */
export const decoder = (limits: Partial<DecoderLimits> = {}): ResponseDecoder =>
  new LineDecoder({ ...defaultLimits, ...limits });

class LineDecoder implements ResponseDecoder {
  readonly #lines: NdjsonLines;
  readonly #limits: DecoderLimits;
  readonly #assembly: Assembly;
  readonly #taker: LineTaker;
  readonly #template = new JsonTemplate();
  #done = false;

  constructor(limits: DecoderLimits) {
    this.#limits = limits;
    this.#lines = new NdjsonLines(limits.event);
    this.#assembly = new Assembly(limits.response);
    this.#taker = new LineTaker(this.#assembly);
  }

  get done(): boolean {
    return this.#done;
  }

  get rawStop(): string | undefined {
    return this.#taker.rawStop;
  }

  push(chunk: Uint8Array): readonly ResponseEvent[] {
    if (this.#done) return [];
    this.#take(this.#lines.push(chunk));
    if (!this.#done && this.#lines.overflowed) {
      this.#refuse(`expected lines of at most ${this.#limits.event} characters; came a longer one`);
    }
    return this.#assembly.drain();
  }

  /** The last line needs no line end; where it is no JSON, it was cut with the stream. */
  end(how: 'clean' | 'reset'): Decoded {
    if (!this.#done) this.#take(this.#lines.end().filter((line) => parseJson(line) !== undefined));
    if (!this.#done) this.#assembly.fail(endedEarly(how, 'a line with done: true'));
    this.#done = true;
    return this.#assembly.decoded();
  }

  #take(lines: readonly string[]): void {
    for (const text of lines) {
      if (this.#done) return;
      if (this.#known(text)) continue;
      const line = parseJson(text);
      if (isJsonObject(line)) this.#line(line, text);
      else this.#refuse(`expected an object a line; came ${excerpt(text)}`);
    }
  }

  #line(line: JsonObject, text: string): void {
    this.#done = this.#taker.take(line, () => contentFault(text));
    if (!this.#done && isContentLine(line)) this.#template.learn(text, ['created_at', 'content']);
    else this.#template.forget();
  }

  /** Whether a line is the last one over again, but for its time and its content. */
  #known(text: string): boolean {
    const [, content] = this.#template.match(text) ?? [];
    if (content === undefined) return false;
    this.#taker.content(content);
    this.#done = this.#assembly.error !== undefined;
    return true;
  }

  #refuse(message: string): void {
    this.#assembly.refuse(message);
    this.#done = true;
  }
}

/** Whether a line says nothing but content, and what every line says. */
function isContentLine({ message, ...line }: JsonObject): boolean {
  if (!isJsonObject(message) || typeof message['content'] !== 'string') return false;
  return (
    Object.keys(message).length === 2 &&
    'role' in message &&
    line['done'] === false &&
    !('done_reason' in line)
  );
}
