/**
 * No word stands in code alone: what the dialects' renderers, decoders and judges compare with, write and have in tables is in
 * spec/llm/words. And what the lists say is played, decoded or judged stands in the code that does so.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/kit/spec/index.ts';
import { isUsed, listOf } from './lists.ts';
import type { ListedWord } from './lists.ts';
import { literalsOf } from './literals.test-helper.ts';
import type { Literals } from './literals.test-helper.ts';
import { uses } from './lists.ts';
import { commonStarts, general, neutralWords, rooms } from './rooms.test-helper.ts';

const files = new Map<string, Literals>();

/** Reads a file of the project, once. */
function read(file: string): Literals {
  const literals = files.get(file) ?? literalsOf(file, readFileSync(join(packageRoot(), file), 'utf8'));
  files.set(file, literals);
  return literals;
}

/** The names under which a word may stand in code. Of `a.b` in usage, code names b. */
const namesOf = ({ word, kind, carries }: ListedWord): readonly string[] => [
  word,
  ...(kind === 'usage' ? [word.split('.').at(-1) ?? word] : []),
  ...(carries === undefined ? [] : [carries]),
];

/** Whether a file names a word, or makes it of a part that a script gives: `${name}_tool_result`. */
const stands = ({ all, patterns }: Literals, word: ListedWord): boolean =>
  namesOf(word).some((name) => all.has(name)) || patterns.some((pattern) => pattern.test(word.word));

/** The dialects whose words a file may name: files of several dialects have the words of all. */
const speakersOf = (file: string): readonly string[] =>
  Object.keys(rooms).filter((dialect) => uses.some((use) => rooms[dialect]?.[use].includes(file)));

describe.each(Object.entries(rooms))('%s', (dialect, room) => {
  const { words } = listOf(dialect);

  it.each(uses)('lists every word that is %s', (use) => {
    const excused = new Set([...neutralWords, ...commonStarts, ...(room.blamed ?? [])]);
    const alone = room[use].flatMap((file) => {
      const listed = new Set(speakersOf(file).flatMap((one) => listOf(one).words.flatMap(namesOf)));
      const known = (word: string): boolean => listed.has(word) || excused.has(word);
      return [...read(file).words].filter((word) => !known(word)).map((word) => `${file}: ${word}`);
    });
    expect(alone).toEqual([]);
  });

  it.each(uses)('has code for every word that the list says is %s', (use) => {
    const missing = words.filter(
      (word) => isUsed(word, use) && !room[use].some((file) => stands(read(file), word)),
    );
    expect(missing.map(({ kind, word }) => `${kind} ${word}`)).toEqual([]);
  });

  it('ignores no word that its code compares with, writes or has in a table', () => {
    const named = new Set(uses.flatMap((use) => room[use].flatMap((file) => [...read(file).words])));
    const used = new Set(words.filter(({ kit }) => kit !== 'ignored').flatMap(namesOf));
    const ignored = words.filter(({ kit, word }) => kit === 'ignored' && named.has(word) && !used.has(word));
    expect(ignored.map(({ kind, word }) => `${kind} ${word}`)).toEqual([]);
  });
});

it('knows what each file of a dialect is about: add a new one to rooms.test-helper.ts', () => {
  const known = new Set(
    Object.values(rooms).flatMap((room) => [...uses.flatMap((use) => room[use]), ...room.requests]),
  );
  const folders = [
    // Mistral is a variant of a dialect, without a folder.
    ...Object.keys(rooms)
      .filter((dialect) => dialect !== 'mistral')
      .map((dialect) => `src/llm/dialects/${dialect}`),
    'conformance/llm/server/dialects',
  ];
  const paths = folders.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder)).map((name) => `${folder}/${name}`),
  );
  const tests = /\.(?:test|test-helper)\.ts$/;
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((file) => !tests.test(file) && !known.has(file) && !general.includes(file))).toEqual(
    [],
  );
});
