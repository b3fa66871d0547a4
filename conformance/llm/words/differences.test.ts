/** `npm run drift`: what it calls new, moved and gone, and what it fails on (spec/llm/README.md, "Words"). */
import { describe, expect, it } from 'vitest';
import { differences, isUrgent, linesOf } from '../../../.config/drift/differences.mjs';
import type { Difference, Entry } from '../../../.config/drift/differences.mjs';
import { textWith } from '../../../.config/drift/list-text.mjs';
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

describe('--write', () => {
  const list = `sdk: 'sdk'
words:
  - { word: text, kind: block, since: 1.0.0, stage: stable, kit: [played] }
  - { word: fallback, kind: block, since: 1.0.0, stage: beta, kit: ignored, why: 'stage: beta, as it says' }
  - { word: fallback, kind: stop, since: 1.0.0, stage: beta, kit: [judged] }
`;
  const changed = (change: Difference['change'], one: Word): Difference => ({ ...one, change });

  it('adds a new word behind those of its kind, and a new kind at the end, for somebody to decide', () => {
    const found = [changed('new', word('tool')), changed('new', word("it's [x]", 'beta', 'event'))];
    expect(textWith(list, '1.1.0', found).split('\n').slice(4, 8)).toEqual([
      '  - { word: tool, kind: block, since: 1.1.0, stage: stable, kit: new }',
      '  - { word: fallback, kind: stop, since: 1.0.0, stage: beta, kit: [judged] }',
      "  - { word: 'it''s [x]', kind: event, since: 1.1.0, stage: beta, kit: new }",
      '',
    ]);
  });

  it('moves a word of one kind out of beta, and keeps what was decided', () => {
    expect(textWith(list, '1.1.0', [changed('now stable', word('fallback'))])).toBe(
      list.replace('stage: beta, kit: ignored', 'stage: stable, kit: ignored'),
    );
  });

  it('keeps a word that is gone', () => {
    expect(textWith(list, '1.1.0', [changed('gone', word('text'))])).toBe(list);
  });
});
