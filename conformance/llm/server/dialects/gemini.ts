/**
 * Reads Gemini's answers. A stream has no terminal of its own: the end of the body ends it, after a chunk with a finish
 * reason, or with the feedback of a blocked prompt. gemini-calls.ts reads its calls. "Gemini API: Generating content".
 */
import { entryOf, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Counts, StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown, textOf } from '../words.ts';
import { GeminiCalls } from './gemini-calls.ts';
import { geminiChunk } from './gemini-shapes.ts';
import { at, isPresent, items } from './reader.ts';
import type { ErrorForm, MakeReader, Reader } from './reader.ts';
import { judgeShape } from './shape.ts';

/** `FinishReason` of @google/genai. */
const kinds: { readonly [word: string]: StopKind } = {
  STOP: 'end',
  MAX_TOKENS: 'limit',
  CONTINUATION: 'other',
  SAFETY: 'other',
  RECITATION: 'other',
  LANGUAGE: 'other',
  OTHER: 'other',
  BLOCKLIST: 'other',
  PROHIBITED_CONTENT: 'other',
  SPII: 'other',
  MALFORMED_FUNCTION_CALL: 'other',
  IMAGE_SAFETY: 'other',
  IMAGE_PROHIBITED_CONTENT: 'other',
  IMAGE_OTHER: 'other',
  NO_IMAGE: 'other',
  IMAGE_RECITATION: 'other',
  UNEXPECTED_TOOL_CALL: 'other',
  TOO_MANY_TOOL_CALLS: 'other',
  MISSING_THOUGHT_SIGNATURE: 'other',
  MALFORMED_RESPONSE: 'other',
  ESCALATION: 'other',
  PUP_LIMITED_DISABLED: 'other',
  MODEL_ARMOR: 'other',
};

/** Words that stand for no reason: the chunk does not end the answer. */
const isReason = (word: unknown): boolean =>
  isPresent(word) && word !== '' && word !== 'FINISH_REASON_UNSPECIFIED';

/** `{"error":{"code", "message", "status"}}`, in a list where the stream is one. */
export const geminiError: ErrorForm = (data) => {
  const [one = data] = items(data);
  return typeof at(one, 'error', 'message') === 'string'
    ? undefined
    : `expected an error as {"error": {"code", "message", "status"}}; came ${shown(data)}`;
};

export const geminiReader: MakeReader = (answer) => new GeminiReader(answer);

class GeminiReader implements Reader {
  readonly #answer: Answer;
  readonly #calls: GeminiCalls;
  /** The finish reason, or the reason of a blocked prompt. */
  #reason: unknown;
  #silent = true;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#calls = new GeminiCalls(answer);
  }

  unit(data: unknown): void {
    const { ended, facts } = this.#answer;
    if (ended !== undefined) return this.#answer.addLateEvent(shown(data), false);
    if (isPresent(at(data, 'error'))) return this.#answer.endWithError(geminiError(data), true);
    if (isObject(data)) this.#chunk(data);
    else facts.violated('LLM-S01', `expected a chunk as an object; came ${shown(data)}`);
  }

  /** The orderly end of the body is the terminal of a stream that has its reason. */
  bodyEnded(): void {
    if (this.#reason !== undefined) this.#end();
  }

  whole(body: JsonObject): void {
    this.#chunk(body);
    if (this.#reason !== undefined) this.#end();
  }

  #end(): void {
    const { stop, counts } = this.#answer;
    this.#calls.end(stop?.kind !== 'end');
    // A count of 0 is left out.
    if (this.#silent && counts !== undefined && counts.output === undefined)
      this.#answer.addCounts({ output: 0 });
    this.#answer.endWithTerminal();
  }

  #chunk(data: { readonly [name: string]: unknown }): void {
    judgeShape(this.#answer, data, geminiChunk);
    for (const [i, candidate] of items(data['candidates']).entries())
      this.#candidate(candidate, `candidates[${i}]`);
    if (isPresent(data['usageMetadata'])) this.#answer.addCounts(countsOf(data['usageMetadata']));
    this.#feedback(at(data, 'promptFeedback', 'blockReason'));
  }

  /** A blocked prompt has no candidates, and no finish reason. */
  #feedback(word: unknown): void {
    if (!isPresent(word) || word === 'BLOCKED_REASON_UNSPECIFIED') return;
    this.#reason ??= word;
    if (this.#answer.stop === undefined) this.#answer.setStop(word, 'other');
  }

  /** A request asks for one candidate, unless it says how many. */
  #candidate(candidate: unknown, path: string): void {
    if ((at(candidate, 'index') ?? 0) !== 0) return;
    const word = at(candidate, 'finishReason');
    const parts = items(at(candidate, 'content', 'parts'));
    this.#judgeLate(parts, word);
    for (const [i, part] of parts.entries()) this.#part(part, `${path}.content.parts[${i}]`);
    if (isReason(word)) this.#finish(word);
  }

  /** Older models put STOP on every chunk, so a chunk with a reason of its own may follow. */
  #judgeLate(parts: readonly unknown[], word: unknown): void {
    if (this.#reason === undefined || isReason(word)) return;
    const says = parts.some((part) => textOf(at(part, 'text')) !== '' || isPresent(at(part, 'functionCall')));
    if (says) this.#answer.addLateEvent(shown(parts), false);
  }

  #part(part: unknown, path: string): void {
    const text = at(part, 'text');
    this.#answer.addContent(text);
    if (textOf(text) !== '' || isPresent(at(part, 'functionCall'))) this.#silent = false;
    this.#calls.take(at(part, 'functionCall'), `${path}.functionCall`);
  }

  /** Only STOP may give way to another reason. */
  #finish(word: unknown): void {
    if (this.#reason !== undefined && this.#reason !== 'STOP' && this.#reason !== word)
      this.#answer.addLateEvent(`finishReason ${shown(word)}`, true);
    this.#reason = word;
    this.#answer.setStop(word, entryOf(kinds, String(word)) ?? 'unknown');
  }
}

/** Counts are cumulative. Those of candidates do not include thoughts. A count of 0 is left out. */
function countsOf(usage: unknown): Counts {
  const input = at(usage, 'promptTokenCount');
  const candidates = at(usage, 'candidatesTokenCount');
  const thoughts = at(usage, 'thoughtsTokenCount');
  const output =
    typeof candidates === 'number' && typeof thoughts === 'number'
      ? candidates + thoughts
      : (candidates ?? thoughts);
  return { ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
}
