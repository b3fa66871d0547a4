/**
 * Reads OpenAI Chat Completions: LLM-S19 ([DONE]). chat-calls.ts reads its calls, chat-head.ts the members of chunks.
 * "OpenAI API reference: Chat Completions, Streaming".
 */
import { entryOf } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { StopKind } from '../answer-parts.ts';
import type { Answer } from '../answer.ts';
import { shown, textOf } from '../words.ts';
import { calledIn, ChatCalls, chatIdentity, judgeType } from './chat-calls.ts';
import { ChatContent, textsOf } from './chat-content.ts';
import { ChatHead } from './chat-head.ts';
import { chatBody, chatChunk } from './chat-shapes.ts';
import { ChatUsage, chatCounts } from './chat-usage.ts';
import { openaiError } from './openai-error.ts';
import { at, items, isPresent } from './reader.ts';
import type { MakeReader, Reader } from './reader.ts';
import { judgeShape } from './shape.ts';

const kinds: { readonly [word: string]: StopKind } = {
  length: 'limit',
  tool_calls: 'tool',
  function_call: 'tool',
  stop: 'end',
  content_filter: 'other',
};

/** Whether a choice has results of Azure's filter, and nothing of the answer. "Azure OpenAI, Content streaming". */
const isAnnotation = (choice: unknown): boolean =>
  !isPresent(at(choice, 'delta')) && isPresent(at(choice, 'content_filter_results'));

/** Reads one answer of OpenAI's chat. */
export const openaiChatReader: MakeReader = (answer) => new ChatReader(answer);

class ChatReader implements Reader {
  readonly #answer: Answer;
  readonly #usage: ChatUsage;
  readonly #calls: ChatCalls;
  readonly #head: ChatHead;
  readonly #content: ChatContent;
  /** The choices with a finish_reason. A request with `n` gets several. */
  readonly #finished = new Set<unknown>();
  /** Whether a chunk had an empty finish_reason. */
  #emptyFinish = false;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#usage = new ChatUsage(answer);
    this.#calls = new ChatCalls(answer);
    this.#head = new ChatHead(answer);
    this.#content = new ChatContent(answer);
  }

  unit(data: unknown): void {
    const { ended, facts } = this.#answer;
    if (data === '[DONE]') return this.#done();
    if (ended !== undefined) return this.#answer.addLateEvent(shown(data), false);
    if (isPresent(at(data, 'error'))) return this.#answer.endWithError(openaiError(data), true);
    const choices = at(data, 'choices');
    if (!Array.isArray(choices))
      return facts.violated('LLM-S01', `expected a chunk with choices, or [DONE]; came ${shown(data)}`);
    this.#usage.take(at(data, 'usage'), choices.length === 0);
    // Azure's chunks about its filter have an empty id and model: the first has no choices, later ones no delta.
    if (choices.some((choice) => !isAnnotation(choice))) this.#head.take(data, 'chat.completion.chunk');
    this.#head.id(at(data, 'id'));
    judgeShape(this.#answer, data, chatChunk);
    for (const [i, choice] of items(choices).entries()) this.#choice(choice, `choices[${i}]`);
  }

  /** After an error, `[DONE]` is not another terminal. */
  #done(): void {
    const { ended, facts } = this.#answer;
    if (ended === 'error') return;
    if (ended === 'terminal') return this.#answer.addLateEvent('[DONE]', true);
    if (this.#finished.size === 0)
      facts.violated(
        'LLM-S02',
        `expected a chunk with finish_reason before [DONE]; came ${this.#emptyFinish ? 'finish_reason "" only' : 'no such chunk'}`,
      );
    facts.exercised('LLM-S19');
    this.#end();
  }

  /** A chunk with a finish_reason is the terminal of a stream without `[DONE]`. */
  bodyEnded(): void {
    if (this.#finished.size === 0) return;
    this.#answer.facts.violated(
      'LLM-S19',
      'expected [DONE] after the finish_reason; the stream ended without it',
    );
    this.#end();
  }

  #end(): void {
    if (this.#answer.hasCalls) this.#answer.facts.exercised('LLM-S06');
    this.#head.end('choices[].delta.role');
    this.#usage.end();
    this.#answer.endWithTerminal();
  }

  #choice(choice: unknown, path: string): void {
    const delta = at(choice, 'delta');
    const word = at(choice, 'finish_reason');
    const index = this.#indexOf(choice, path);
    if (this.#finished.has(index)) return this.#late(delta, word);
    this.#head.role(at(delta, 'role'), `${path}.delta.role`);
    this.#content.take(delta, `${path}.delta`);
    for (const [i, call] of items(at(delta, 'tool_calls')).entries())
      this.#calls.take(call, index, `${path}.delta.tool_calls[${i}]`);
    this.#calls.functionCall(at(delta, 'function_call'), `${path}.delta`);
    if (word === '') return this.#empty(`${path}.finish_reason`);
    if (!isPresent(word)) return;
    this.#finished.add(index);
    this.#finish(word);
  }

  /** A choice beyond those that the request asks for is the last one: SDKs read it as another answer. */
  #indexOf(choice: unknown, path: string): number {
    const index = at(choice, 'index');
    const asked = at(this.#answer.asked, 'n');
    const most = typeof asked === 'number' && asked > 1 ? asked : 1;
    if (typeof index !== 'number') return 0;
    if (Number.isInteger(index) && index >= 0 && index < most) return index;
    this.#answer.facts.violated(
      'LLM-S30',
      `expected ${path}.index to be ${most === 1 ? '0, because the request asks for one choice' : `0 to ${most - 1}, because the request asks for ${most} choices`}; came ${index}`,
    );
    return most - 1;
  }

  /** SDKs read over an empty finish_reason: the choice goes on. */
  #empty(path: string): void {
    if (!this.#emptyFinish) this.#answer.addEmptyStop(path);
    this.#emptyFinish = true;
  }

  /** OpenRouter sends the usage after the finish_reason, on a chunk with an empty delta. */
  #late(delta: unknown, word: unknown): void {
    if (isPresent(word) && word !== '')
      return this.#answer.addLateEvent(`finish_reason ${shown(word)}`, true);
    const says = textsOf(delta).some((text) => textOf(text) !== '');
    if (says || items(at(delta, 'tool_calls')).length > 0) this.#answer.addLateEvent(shown(delta), false);
  }

  #finish(word: unknown): void {
    this.#answer.setStop(word, entryOf(kinds, String(word)) ?? 'unknown');
    this.#calls.complete();
  }

  whole(body: JsonObject): void {
    const [choice] = items(body['choices']);
    const message = at(choice, 'message');
    const path = 'choices[0].message';
    judgeShape(this.#answer, body, chatBody);
    this.#head.take(body, 'chat.completion');
    this.#head.role(at(message, 'role'), `${path}.role`);
    this.#head.end(`${path}.role`);
    this.#content.take(message, path);
    if (isPresent(body['usage'])) this.#answer.addCounts(chatCounts(body['usage']));
    for (const [i, call] of items(at(message, 'tool_calls')).entries())
      this.#wholeCall(call, String(i), `${path}.tool_calls[${i}]`);
    this.#calls.functionCall(at(message, 'function_call'), path);
    this.#calls.complete();
    const word = at(choice, 'finish_reason');
    if (typeof word !== 'string') return;
    this.#answer.setStop(word, entryOf(kinds, word) ?? 'unknown');
    this.#answer.endWithTerminal();
  }

  #wholeCall(call: unknown, key: string, path: string): void {
    const { text, custom } = calledIn(call);
    this.#answer.identifyCall(chatIdentity(call, path));
    judgeType(this.#answer, call, path);
    this.#answer.beginCall(key, custom);
    this.#answer.completeCall(key, textOf(text));
  }
}
