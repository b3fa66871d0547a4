/** What one object of Ollama says, a line of a stream or a whole response: content, calls, the end, or an error. */
import type { Json, JsonObject, StopReason } from '../../../kit/base/index.ts';
import { excerpt, isJsonObject } from '../shared/arguments.ts';
import type { ArgumentsFault } from '../shared/arguments.ts';
import type { Assembly } from '../shared/assembly.ts';
import { isArray } from '../shared/body-reader.ts';
import { stopReasonOf } from './words.ts';

/** Takes the objects of one response. */
export class LineTaker {
  readonly #assembly: Assembly;
  #thinking = false;
  #calls = 0;
  #rawStop: string | undefined;

  constructor(assembly: Assembly) {
    this.#assembly = assembly;
  }

  /** `done_reason` as it was. */
  get rawStop(): string | undefined {
    return this.#rawStop;
  }

  /**
   * Takes one object; whether the response is over with it.
   *
   * @param fault - what is wrong with the numbers or the nesting of the text that the object was parsed from
   */
  take(line: JsonObject, fault: () => ArgumentsFault | undefined): boolean {
    const { error, message, model, done } = line;
    if (error !== undefined) {
      this.#fail(error);
      return true;
    }
    if (typeof model === 'string') this.#assembly.model(model);
    if (isJsonObject(message)) this.#message(message, fault);
    this.#stop(line, done === true);
    return done === true || this.#assembly.error !== undefined;
  }

  /** More content. */
  content(piece: string): void {
    if (piece === '') return;
    this.#thinking = false;
    this.#assembly.text(piece);
  }

  #fail(error: Json): void {
    const said = isJsonObject(error) ? error['message'] : error;
    const message = typeof said === 'string' ? said : 'an error without a message';
    this.#assembly.fail({ kind: 'provider', message, retryable: false });
  }

  #message(message: JsonObject, fault: () => ArgumentsFault | undefined): void {
    const { content, thinking, tool_calls: calls } = message;
    if (typeof thinking === 'string' && thinking !== '') {
      if (!this.#thinking) this.#assembly.thought();
      this.#thinking = true;
      this.#assembly.think(thinking);
    }
    if (typeof content === 'string') this.content(content);
    if (!isArray(calls) || calls.length === 0) return;
    this.#thinking = false;
    const wrong = fault();
    for (const call of calls) this.#call(call, wrong);
  }

  /** Older servers give no ids: then calls are numbered. */
  #call(call: Json, fault: ArgumentsFault | undefined): void {
    const made = isJsonObject(call) ? call['function'] : undefined;
    const id = isJsonObject(call) ? call['id'] : undefined;
    this.#calls++;
    if (!isJsonObject(made) || typeof made['name'] !== 'string') {
      this.#assembly.warn(`call ${this.#calls} has no function with a name`);
      return;
    }
    const name = { id: typeof id === 'string' && id !== '' ? id : `call_${this.#calls}`, name: made['name'] };
    this.#assembly.given(name, made['arguments'], fault);
  }

  #stop(line: JsonObject, done: boolean): void {
    if (done) this.#usage(line);
    const word = line['done_reason'];
    if (typeof word === 'string') this.#word(word);
    else if (done && this.#assembly.stopped === undefined) this.#assembly.warn('done without a done_reason');
  }

  #word(word: string): void {
    this.#rawStop = word;
    const reason: StopReason | undefined = stopReasonOf(word, this.#calls > 0);
    if (reason === undefined) this.#assembly.warn(`unknown done_reason ${excerpt(word)}`);
    this.#assembly.stop(reason ?? 'unknown');
  }

  /** "Zero counts are omitted": where one is there, the other is zero. */
  #usage({ prompt_eval_count: input, eval_count: output }: JsonObject): void {
    if (input === undefined && output === undefined) return;
    this.#assembly.usage({ inputTokens: input ?? 0, outputTokens: output ?? 0 });
  }
}
