/** The words of a dialect that spec/llm/words lists. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { readSpecTable } from '../../../src/kit/spec/index.ts';
import { words } from '../generated/words-validator.ts';

/** A line of a list. */
export type WordLine = JsonObject;

const read = new Map<string, readonly WordLine[]>();

/** The lines of one kind, such as `stop`. A list is read once. */
export function listedWords(dialect: string, kind: string): readonly WordLine[] {
  const key = `${dialect} ${kind}`;
  const known = read.get(key);
  if (known !== undefined) return known;
  const list = readSpecTable('llm', `words/${dialect}.yaml`, words);
  const lines = isObject(list) && isArray(list['words']) ? list['words'] : [];
  const found = lines.filter((line): line is WordLine => isObject(line) && line['kind'] === kind);
  read.set(key, found);
  return found;
}
