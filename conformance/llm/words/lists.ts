/** The lists of words: spec/llm/words. */
import { readSpecTable } from '../../../src/kit/spec/index.ts';
import { words } from '../generated/words-validator.ts';

/** What the kit does with a word. */
export const uses = ['played', 'decoded', 'judged'] as const;
export type Use = (typeof uses)[number];

/** A word of a list, as spec/llm/words.schema.json has it. */
export interface ListedWord {
  readonly word: string;
  readonly kind: string;
  readonly since: string;
  readonly stage: 'stable' | 'beta';
  readonly source?: string;
  readonly carries?: string;
  readonly anywhere?: true;
  readonly kit: 'ignored' | 'new' | readonly Use[];
  readonly why?: string;
}

/** Where words of a kind stand in an answer. */
export interface Place {
  /** Absent: in both forms of an answer. */
  readonly in?: 'stream' | 'body';
  readonly kind: string;
  /** Such as `choices[].finish_reason`, or `usage{}` for the names of members. */
  readonly at: string;
  readonly order?: boolean;
}

/** A list: the package of its SDK, the places of its words, and the words. */
export interface WordList {
  readonly sdk: string;
  readonly places?: readonly Place[];
  readonly words: readonly ListedWord[];
}

/** The dialects that have a list. */
export const listedDialects = [
  'anthropic',
  'bedrock',
  'gemini',
  'gemini-interactions',
  'lmstudio',
  'mistral',
  'ollama',
  'openai-chat',
  'openai-responses',
] as const;

/** The list of a dialect. @throws WireproofError 'usage' where it does not fit the schema */
export const listOf = (dialect: string): WordList =>
  readSpecTable('llm', `words/${dialect}.yaml`, words) as unknown as WordList;

/** Whether the list says that the kit uses a word so. */
export const isUsed = ({ kit }: ListedWord, use: Use): boolean =>
  kit !== 'ignored' && kit !== 'new' && kit.includes(use);
