// The list of changes that no test notices: survivors.txt. A new one fails the run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, 'survivors.txt');
const head = [
  '# Changes of one token in a rule that no test notices: FILE: ORIGINAL → CHANGED in: LINE.',
  '# A reason after two blanks and // tells why the change alters no verdict: such a change does not count.',
  '# npm run mutate -- --update writes the list anew, and keeps the reasons.',
];

/** A change as the list has it: with the text of its line, not its number, which moves. */
export const keyOf = ({ path, original, changed, text }) =>
  `${path}: ${original} → ${changed} in: ${text}`.replace(/\s+/g, ' ');

/** The list: by change, the reason why it alters no verdict; '' where there is none. */
export function knownSurvivors() {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n');
  const entries = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    entries.map((line) => {
      const at = line.indexOf('  // ');
      return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 5)];
    }),
  );
}

/** Writes the list: the survivors of the files that were played, and the other files as they were. */
export function writeSurvivors(known, played, survivors) {
  const isPlayed = (key) => played.has(key.slice(0, key.indexOf(': ')));
  const kept = [...known].filter(([key]) => !isPlayed(key));
  const now = survivors.map((key) => [key, known.get(key) ?? '']);
  const all = [...new Map([...kept, ...now])].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = all.map(([key, why]) => (why === '' ? key : `${key}  // ${why}`));
  writeFileSync(file, `${[...head, ...lines].join('\n')}\n`);
}
