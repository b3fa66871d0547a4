/**
 * Reads the calls of Gemini: LLM-S43. A call comes whole, or its name first, then its arguments by path, and at last a part
 * that does not continue. "@google/genai, types: FunctionCall, PartialArg, FunctionCallingConfig".
 */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Answer } from '../answer.ts';
import { shown, textOf } from '../words.ts';
import { at, isPresent, items } from './reader.ts';

const row = 'LLM-S43';

/** The members with a value, of which a partial argument has one. */
const valueNames = ['stringValue', 'numberValue', 'boolValue', 'nullValue'] as const;

/** Reads the calls of one answer. */
export class GeminiCalls {
  readonly #answer: Answer;
  #count = 0;
  /** Whether a call came whose arguments are not complete. */
  #open = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** Reads the member `functionCall` of a part. */
  take(call: unknown, path: string): void {
    if (!isObject(call)) return;
    const { name, partialArgs, willContinue } = call;
    const continues = willContinue === true;
    // Some servers repeat the name on each part of a call.
    const isNamed = isPresent(name) && !(this.#open && isPresent(partialArgs));
    if (isNamed) this.#begin(call, path);
    else if (!this.#open) this.#judgeStray(call, path);
    for (const [i, entry] of items(partialArgs).entries()) this.#partial(entry, `${path}.partialArgs[${i}]`);
    if (this.#open && !continues) this.#close();
  }

  /** A part without a name ends a call; after its end it says nothing more, and SDKs read over it. */
  #judgeStray({ args, partialArgs, willContinue }: Record<string, unknown>, path: string): void {
    if (isPresent(args) || isPresent(partialArgs) || willContinue === true) this.#identify({}, path);
  }

  #begin(call: Record<string, unknown>, path: string): void {
    const { args, partialArgs, willContinue } = call;
    if (this.#open) this.#leftOpen('another call began');
    const key = String(this.#count++);
    this.#identify(call, path);
    this.#answer.beginCall(key);
    this.#open = isPresent(partialArgs) || willContinue === true;
    if (this.#open) return this.#judgeAsked(path);
    if (isPresent(args) && !isObject(args))
      this.#answer.facts.violated('LLM-S11', `expected ${path}.args to be an object; came ${shown(args)}`);
    else this.#answer.completeCall(key, JSON.stringify(args ?? {}));
    this.#answer.facts.exercised(row);
  }

  #identify(call: Record<string, unknown>, path: string): void {
    this.#answer.identifyCall({
      id: { path: `${path}.id`, value: call['id'] },
      name: { path: `${path}.name`, value: call['name'] },
      idOwed: false,
    });
  }

  /** "When set to true, arguments of a single function call will be streamed out in multiple parts". */
  #judgeAsked(path: string): void {
    const { request, facts } = this.#answer;
    if (request === undefined || request.tools.some(({ eager }) => eager === true)) return;
    facts.violated(
      row,
      `expected ${path} to have all of its arguments, because the request does not set streamFunctionCallArguments; its arguments come in parts`,
    );
  }

  #partial(entry: unknown, path: string): void {
    const { facts } = this.#answer;
    const jsonPath = at(entry, 'jsonPath');
    const values = valueNames.filter((name) => at(entry, name) !== undefined);
    if (typeof jsonPath !== 'string' || !jsonPath.startsWith('$'))
      facts.violated(row, `expected ${path}.jsonPath to be a JSON path; came ${shown(entry)}`);
    else if (values.length !== 1)
      facts.violated(row, `expected ${path} to have one value; came ${shown(entry)}`);
    const key = String(this.#count - 1);
    if (this.#open) this.#answer.addArguments(key, textOf(at(entry, 'stringValue')));
  }

  #close(): void {
    this.#open = false;
    // The pieces are texts of their paths, and not the text of an object.
    this.#answer.completeStreamedCall(String(this.#count - 1), '{}');
    this.#answer.facts.exercised(row);
  }

  /** The answer is over. A limit may have cut the open call. */
  end(mayBeCut: boolean): void {
    if (this.#open && !mayBeCut) this.#leftOpen('the answer ended without the limit');
  }

  #leftOpen(why: string): void {
    this.#answer.facts.violated(
      row,
      `expected a part of the call without willContinue, which ends its arguments; ${why}`,
    );
  }
}
