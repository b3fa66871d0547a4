/** The lists of words: spec/llm/words. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, readSpecTable } from '../../../src/kit/spec/index.ts';
import { words } from '../generated/words-validator.ts';
import type { Use } from './rooms.test-helper.ts';

/** A word of a list, as spec/llm/words.schema.json has it. */
export interface ListedWord {
  readonly word: string;
  readonly kind: string;
  readonly since: string;
  readonly stage: 'stable' | 'beta';
  readonly source?: string;
  readonly carries?: string;
  readonly kit: 'ignored' | 'new' | readonly Use[];
  readonly why?: string;
}

/** A list: the package of its SDK, and its words. */
export interface WordList {
  readonly sdk: string;
  readonly words: readonly ListedWord[];
}

/** The dialects that have a list. */
export const listedDialects: readonly string[] = readdirSync(join(packageRoot(), 'spec/llm/words')).map(
  (file) => file.replace('.yaml', ''),
);

/** The list of a dialect. @throws WireproofError 'usage' where it does not fit the schema */
export const listOf = (dialect: string): WordList =>
  readSpecTable('llm', `words/${dialect}.yaml`, words) as unknown as WordList;

/** Whether the list says that the kit uses a word so. */
export const isUsed = ({ kit }: ListedWord, use: Use): boolean =>
  kit !== 'ignored' && kit !== 'new' && kit.includes(use);
