/** Text at the width of a terminal. */
import { describe, expect, it } from 'vitest';
import { wrapped } from './terminal.ts';

describe('wrapping', () => {
  it.each([
    ['term  a text of words', 14, 'term  a text\n      of words'],
    ['  indented text', 12, '  indented\n  text'],
    ['short', 40, 'short'],
    ['one two', undefined, 'one two'],
    ['  term of a row  its text', 12, '  term of a\n  row  its\n  text'],
    ['  wireproof check x -- ./a  a text of it', 20, '  wireproof check x -- ./a\n      a text of it'],
    ['  wireproof check x -- ./a {address}', 20, '  wireproof check x -- ./a {address}'],
    ['averylongwordthatstayswhole and', 10, 'averylongwordthatstayswhole\nand'],
  ] as const)('%j at %s', (text, columns, expected) => {
    expect(wrapped(text, columns)).toBe(expected);
  });
});
