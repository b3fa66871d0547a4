import { describe, expect, it } from 'vitest';
import { row, violated } from './sample.test-helper.ts';
import { count, duration, evidenceLine, expectation, groupByReason, idList, sourceLine } from './words.ts';

describe('a list of ids', () => {
  it('names few ids one by one', () => {
    expect(idList(['F-A1', 'F-A2', 'F-B9'])).toBe('F-A1, F-A2, F-B9');
  });

  it('makes a range of three and more in sequence', () => {
    expect(idList(['FOLD-A08', 'FOLD-A09', 'FOLD-A10', 'FOLD-A12'])).toBe('FOLD-A08–A10, FOLD-A12');
  });

  it('makes no range across a gap, another prefix or another padding', () => {
    expect(idList(['F-A1', 'F-A3', 'F-A4'])).toBe('F-A1, F-A3, F-A4');
    expect(idList(['F-A1', 'F-B2', 'F-B3'])).toBe('F-A1, F-B2, F-B3');
    expect(idList(['F-A01', 'F-A2', 'F-A3'])).toBe('F-A01, F-A2, F-A3');
  });

  it('makes a range across the end of the padding', () => {
    expect(idList(['F-A98', 'F-A99', 'F-A100'])).toBe('F-A98–A100');
  });

  it('counts every id beyond the most it may name', () => {
    expect(idList(['F-A1', 'F-A3', 'F-A5', 'F-A6', 'F-A7'], 2)).toBe('F-A1, F-A3 and 3 more');
  });

  it('escapes ids, which another tool may have written', () => {
    expect(idList(['\u001b[2J'])).toBe('\\x1b[2J');
  });

  it('takes ids without a number', () => {
    expect(idList(['', 'x', '-'])).toBe(', x, -');
  });
});

describe('grouping by reason', () => {
  it('keeps the order in which reasons come up', () => {
    const items = [
      { name: 'a', reason: 'late' },
      { name: 'b' },
      { name: 'c', reason: 'late' },
      { name: 'd', reason: 'constructor' },
    ];
    expect(groupByReason(items)).toEqual([
      { reason: 'late', names: ['a', 'c'] },
      { reason: 'no reason given', names: ['b'] },
      { reason: 'constructor', names: ['d'] },
    ]);
  });
});

describe('phrases', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [2345, '2.3 s'],
    [59_960, '1 min 0 s'],
    [192_000, '3 min 12 s'],
  ])('a duration of %d ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it('counts one and many', () => {
    expect([count(1, 'line'), count(0, 'line'), count(2, 'entry', 'entries')]).toEqual([
      '1 line',
      '0 lines',
      '2 entries',
    ]);
  });

  it('names a source with and without a revision', () => {
    expect(sourceLine({ document: 'Fold', section: '5.2' })).toBe('Fold, 5.2');
    expect(sourceLine({ document: 'Fold', revision: 'r3', section: '5.2' })).toBe('Fold, revision r3, 5.2');
  });

  it('names three places in the traces and counts the others', () => {
    const evidence = [1, 2, 3, 4, 5].map((seq) => ({ trace: 't', seq }));
    expect(evidenceLine(violated('A', { evidence }))).toBe('t event 1, t event 2, t event 3 and 2 more');
    expect(evidenceLine(row('A'))).toBe('');
  });

  it('says why a failure was expected', () => {
    expect(expectation(row('A', { expected_failure: { reason: 'known', issue: '#9' } }))).toBe('known (#9)');
    expect(expectation(row('A', { expected_failure: { reason: 'known' } }))).toBe('known');
  });
});
