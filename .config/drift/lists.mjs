/** The lists spec/llm/words/<dialect>.yaml: one word a line. New words are appended to those of their kind, undecided. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const fileOf = (dialect) => join(import.meta.dirname, '../../spec/llm/words', `${dialect}.yaml`);

/** Reads a list. @returns {import('./differences.mjs').Entry[]} its words; none where there is no list yet */
export function listOf(dialect) {
  const file = fileOf(dialect);
  return existsSync(file) ? parse(readFileSync(file, 'utf8')).words : [];
}

/**
 * Adds new words to a list, each with `kit: new`, and moves those that changed between beta and stable. Words that are gone
 * stay: somebody decides.
 *
 * @param {{ dialect: string, package: string }} sdk
 * @param {string} version
 * @param {readonly import('./differences.mjs').Difference[]} found
 */
export function write({ dialect, package: named }, version, found) {
  const file = fileOf(dialect);
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8').trimEnd().split('\n')
    : [
        `# The words of ${dialect}. spec/llm/README.md, "Words", says what a line means.`,
        `sdk: '${named}'`,
        'words:',
      ];
  for (const { kind, word, stage, change } of found) {
    const at = lines.findLastIndex((line) => line.includes(`kind: ${kind},`));
    const own = lines.findIndex((line) => line.startsWith(startOf(word)) && line.includes(`kind: ${kind},`));
    if (change === 'new')
      lines.splice(
        at < 0 ? lines.length : at + 1,
        0,
        `${startOf(word)} kind: ${kind}, since: ${version}, stage: ${stage}, kit: new }`,
      );
    else if (change !== 'gone' && own >= 0)
      lines[own] = lines[own].replace(/stage: (?:beta|stable)/, `stage: ${stage}`);
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
}

const startOf = (word) => `  - { word: ${word},`;
