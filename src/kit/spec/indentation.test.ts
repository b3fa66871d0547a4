/** Wrong indentation of a statement, in words. */
import { describe, expect, it } from 'vitest';
import { indentationFault } from './indentation.ts';

describe('a wrong indentation', () => {
  it.each([
    [
      'a first key that is indented',
      ' suite: a/b\ntarget:\n  command: [x]\n',
      [2, 1, 'target begins in column 1; expected column 2, as suite above it'],
    ],
    [
      'a key below one that has a value',
      'suite: a/b\n target:\n  command: [x]\n',
      [2, 2, 'target begins in column 2; expected column 1, as suite above it, which has a value already'],
    ],
    [
      'a key between two levels',
      'targets:\n  a:\n    suite: a/b\n   target:\n      command: [x]\n',
      [4, 4, 'target begins in column 4; expected the column of a key above it: 1, 3, 5'],
    ],
    [
      'a key after a list of objects',
      'expected_failures:\n  - id: A\n    reason: why\n   issue: x\n',
      [4, 4, 'issue begins in column 4; expected the column of a key above it: 1, 5'],
    ],
  ])('is found: %s', (_, text, [line, column, message]) => {
    expect(indentationFault(text)).toEqual({ line, column, message });
  });

  it.each([
    ['lists and objects', 'a:\n- b: 1\n  c: 2\n- b: 3\nd:\n  - e: 1\n    f:\n      g: 2\n  - e: 2\nh: 1\n'],
    ['a text over several lines', 'a: |\n  b: 1\n    c: 2\n d: 3\ne: 4\n'],
    ['comments and empty lines', '# a: 1\n\nb: # c: 2\n    d: 1\n'],
    ['values that go on', 'command: [a,\n  b, c]\nurl: http://x\n'],
  ])('is not found in %s', (_, text) => {
    expect(indentationFault(text)).toBeUndefined();
  });
});
