/** `npm run drift`: what it calls new, moved and gone, and what it fails on (spec/llm/README.md, "Words"). */
import { expect, it } from 'vitest';
import { differences, isUrgent, linesOf } from '../../../.config/drift/differences.mjs';
import type { Entry } from '../../../.config/drift/differences.mjs';
import type { Word } from '../../../.config/drift/typings.mjs';

const word = (name: string, stage: Word['stage'] = 'stable', kind = 'block'): Word => ({
  kind,
  word: name,
  stage,
});
const listed = (name: string, more: Partial<Entry> = {}): Entry => ({
  ...word(name),
  since: '1.0.0',
  ...more,
});

it('finds no difference between equal lists', () => {
  expect(differences([word('text')], [listed('text')])).toEqual([]);
});

it('names a word that is in no list; the same word of another kind is another word', () => {
  expect(differences([word('text'), word('fallback', 'beta')], [listed('text', { kind: 'part' })])).toEqual([
    { ...word('text'), change: 'new' },
    { ...word('fallback', 'beta'), change: 'new' },
    { ...word('text', 'stable', 'part'), change: 'gone' },
  ]);
});

it('names a word that moves between beta and stable', () => {
  const moved = differences(
    [word('compaction'), word('tools', 'beta')],
    [listed('compaction', { stage: 'beta' }), listed('tools')],
  );
  expect(moved.map(({ change }) => change)).toEqual(['now stable', 'now beta']);
});

it('names a word that is gone, unless its source is no SDK', () => {
  const gone = differences(
    [],
    [listed('old'), listed('ping', { source: 'Anthropic API: Streaming Messages' })],
  );
  expect(gone).toEqual([{ ...word('old'), change: 'gone' }]);
});

it('fails on stable words only: new ones, and those that left beta', () => {
  const found = differences(
    [word('a'), word('b', 'beta'), word('c'), word('d', 'beta')],
    [listed('c', { stage: 'beta' }), listed('d'), listed('e')],
  );
  expect(found.filter(isUrgent).map((one) => one.word)).toEqual(['a', 'c']);
});

it('draws columns as wide as their widest cell', () => {
  expect(
    linesOf([
      ['kind', 'word'],
      ['event', 'x'],
    ]),
  ).toEqual(['kind   word', 'event  x']);
});
