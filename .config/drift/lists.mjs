/** The lists spec/llm/words/<dialect>.yaml. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { textWith } from './list-text.mjs';

const fileOf = (dialect) => join(import.meta.dirname, '../../spec/llm/words', `${dialect}.yaml`);

/** Reads a list. @returns {import('./differences.mjs').Entry[]} its words; none where there is no list yet */
export function listOf(dialect) {
  const file = fileOf(dialect);
  return existsSync(file) ? parse(readFileSync(file, 'utf8')).words : [];
}

/** Writes the differences into a list, which it makes where there is none. */
export function write({ dialect, package: named }, version, found) {
  const file = fileOf(dialect);
  const start = `# The words of ${dialect}. spec/llm/README.md, "Words", says what a line means.\nsdk: '${named}'\nwords:\n`;
  writeFileSync(file, textWith(existsSync(file) ? readFileSync(file, 'utf8') : start, version, found));
}
