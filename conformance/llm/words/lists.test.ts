/** spec/llm/words: the lists are well-formed, decided, and about the SDKs that `npm run drift` reads. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/kit/spec/index.ts';
import { sdks } from '../../../.config/drift/sources.mjs';
import { listedDialects, listOf } from './lists.ts';
import { rooms } from './rooms.test-helper.ts';

it('names each file of the folder', () => {
  const files = readdirSync(join(packageRoot(), 'spec/llm/words'));
  expect(files.toSorted()).toEqual(listedDialects.map((dialect) => `${dialect}.yaml`).toSorted());
});

it('has a list for each dialect that npm run drift reads, of the same SDK', () => {
  expect(listedDialects.map((dialect) => [dialect, listOf(dialect).sdk])).toEqual(
    sdks.map((sdk) => [sdk.dialect, sdk.package]).toSorted(),
  );
});

describe.each(listedDialects)('%s', (dialect) => {
  const { words } = listOf(dialect);

  it('has each word of a kind once', () => {
    const names = words.map(({ kind, word }) => `${kind} ${word}`);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('has no word that nobody has decided about: say what the kit does with it, or why it is ignored', () => {
    expect(words.filter(({ kit }) => kit === 'new').map(({ word }) => word)).toEqual([]);
  });

  it('has the kinds of words together, so that new ones are added to theirs', () => {
    const kinds = words.map(({ kind }) => kind);
    const starts = kinds.filter((kind, i) => kind !== kinds[i - 1]);
    expect(starts).toEqual([...new Set(starts)]);
  });

  it('names no use of a word where the kit does not speak the dialect', () => {
    if (dialect in rooms) return;
    expect(words.filter(({ kit }) => kit !== 'ignored')).toEqual([]);
  });
});
