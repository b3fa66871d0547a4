/** Directives in any protocol: the form that spec/{fold,koda,toon}/README.md share, "The directive grammar". */
import { describe, expect, it } from 'vitest';
import { directive, directiveReader, saysUnsupported, unsupportedText } from './index.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const steps = { say: isText, stop: (value: unknown) => value === true };
const read = directiveReader({ steps });

describe('a directive', () => {
  it.each([[[]], [[{ say: 'hi' }]], [[{ stop: true }, { say: '' }]]])('%j is written and read', (todo) => {
    expect(read(directive(todo))).toEqual({ ok: true, value: todo });
  });

  it.each(['hello', '"wireproof"', '{"wireproof', '[{"wireproof":{}}]', '{"a":{"wireproof":{}}}'])(
    '%s is not one',
    (text) => {
      expect(read(text)).toEqual({ ok: true, value: undefined });
    },
  );

  it.each([
    ['directive', '{"wireproof":1}'],
    ['directive', '{"wireproof":{"do":{}}}'],
    ['directive', '{"wireproof":{"v":2,"do":[]}}'],
    ['directive', '{"wireproof":{"do":[1]}}'],
    ['directive', '{"wireproof":{"do":[{}]}}'],
    ['directive', '{"wireproof":{"do":[{"say":"hi","stop":true}]}}'],
    ['say', '{"wireproof":{"do":[{"say":1},{"stop":2}]}}'],
    ['constructor', '{"wireproof":{"do":[{"constructor":true}]}}'],
  ])('is refused with the name %s: %s', (error, text) => {
    expect(read(text)).toEqual({ ok: false, error });
  });

  it('may have a key next to one of its steps', () => {
    const counted = directiveReader({
      steps,
      companion: { name: 'times', of: 'say', isValid: (n) => Number(n) > 0 },
    });
    const answers = [{ say: 'a', times: 2 }, { say: 'a', times: 0 }, { stop: true, times: 2 }, { times: 2 }];
    expect(answers.map((step) => counted(directive([step])))).toEqual([
      { ok: true, value: [{ say: 'a', times: 2 }] },
      { ok: false, error: 'say' },
      { ok: false, error: 'directive' },
      { ok: false, error: 'directive' },
    ]);
    expect(read(directive([{ say: 'a', times: 2 }])), 'a key that the grammar does not know').toEqual({
      ok: false,
      error: 'directive',
    });
  });

  it('is refused as a whole where the grammar refuses its list', () => {
    const short = directiveReader({ steps, isList: ({ length }) => length < 2 });
    expect(short(directive([{ say: 1 }, { say: 'b' }]))).toEqual({ ok: false, error: 'directive' });
  });
});

it.each([
  ['unsupported: dance', true],
  [unsupportedText('dance'), true],
  ['the step is unsupported: dance', false],
  ['unsupported', false],
])('%s says that a step is unsupported: %s (spec/fold/README.md, "An unsupported step")', (text, says) => {
  expect(saysUnsupported(text)).toBe(says);
});
