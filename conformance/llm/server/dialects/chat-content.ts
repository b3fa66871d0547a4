/**
 * Reads the content of a delta or a message of OpenAI Chat, and judges its type: LLM-S30. Mistral has a list of chunks in answers
 * with thoughts ("@mistralai/mistralai 2.7, DeltaMessage"): such an answer may have lists.
 */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { Answer } from '../answer.ts';
import { at, isPresent, items } from './reader.ts';
import { described } from './shape.ts';

/** The members with content of a delta or a message, besides `content`. */
const contentFields = ['refusal', 'reasoning_content', 'reasoning'] as const;

/** Reads the content of one answer. */
export class ChatContent {
  readonly #answer: Answer;
  /** Whether the answer has a chunk with thoughts. */
  #thinks = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** Adds the texts of a delta or a message. @param path - its path */
  take(message: unknown, path: string): void {
    this.#judge(at(message, 'content'), `${path}.content`);
    for (const text of textsOf(message)) this.#answer.addContent(text);
  }

  #judge(content: unknown, path: string): void {
    this.#thinks ||= items(content).some((chunk) => at(chunk, 'type') === 'thinking');
    if (!isPresent(content) || typeof content === 'string' || (isArray(content) && this.#thinks)) return;
    this.#answer.facts.violated('LLM-S30', `expected ${path} to be a string; ${described(content)}`);
  }
}

/** The texts and thoughts of a delta or a message. Some servers send the same thoughts in two members. */
export function textsOf(message: unknown): readonly unknown[] {
  const twice = at(message, 'reasoning_content') === at(message, 'reasoning');
  const content = at(message, 'content');
  return [
    ...(isArray(content) ? content.flatMap(chunkTexts) : [content]),
    ...contentFields.flatMap((field) => (field === 'reasoning' && twice ? [] : [at(message, field)])),
  ];
}

/** The texts of a chunk of Mistral's. */
const chunkTexts = (chunk: unknown): readonly unknown[] =>
  at(chunk, 'type') === 'thinking'
    ? items(at(chunk, 'thinking')).map((part) => at(part, 'text'))
    : [at(chunk, 'text')];
