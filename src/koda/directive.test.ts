/** The directive grammar ("The directive grammar" in spec/koda/README.md): the directives that are obeyed, and that are refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStep } from './directive.test-helper.ts';
import { directive, maxName, maxSteps, maxTools, parseDirective, stepNames } from './directive.ts';
import { maxTextBytes } from './directive-values.ts';

const parsed = (...todo: unknown[]): unknown => parseDirective(directive(todo));
const refusal = (name: string): object => ({ ok: false, error: name });
const accepted = { ok: true };

describe('a directive', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(anyStep), (steps) => {
        const text = directive(steps);
        expect(parseDirective(text)).toEqual({ ok: true, value: JSON.parse(text).wireproof.do });
      }),
      { seed: 7 },
    );
  });

  it('has the steps of the README', () => {
    expect(stepNames).toEqual([
      ...['think', 'say', 'tool', 'parallel', 'loop_cap', 'usage', 'compact', 'error', 'cancel_point'],
      'wait_ms',
    ]);
  });

  it('may leave its version out, which is 1', () => {
    expect(parseDirective('{"wireproof":{"do":[{"say":"a"}]}}')).toEqual({ ok: true, value: [{ say: 'a' }] });
  });

  it.each([
    ['hello'],
    [''],
    ['"wireproof"'],
    ['{"wireproof":'],
    ['[{"wireproof":{}}]'],
    ['say "wireproof" please'],
    ['{"other":{"wireproof":{"do":[]}}}'],
  ])('is not what merely looks like a directive: %s', (text) => {
    expect(parseDirective(text)).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ['{"wireproof":1}'],
    ['{"wireproof":{}}'],
    ['{"wireproof":{"do":{}}}'],
    ['{"wireproof":{"v":2,"do":[]}}'],
    ['{"wireproof":{"do":[7]}}'],
    ['{"wireproof":{"do":[{}]}}'],
    ['{"wireproof":{"do":[{"say":"a","think":"b"}]}}'],
    [directive(Array.from({ length: maxSteps + 1 }, () => ({ say: '' })))],
  ])('that cannot be read is refused as a whole: %.60s', (text) => {
    expect(parseDirective(text)).toEqual(refusal('directive'));
  });

  it('with an unknown step is refused by the name of the step', () => {
    expect(parsed({ say: 'a' }, { dance: true })).toEqual(refusal('dance'));
    expect(parsed({ toString: true })).toEqual(refusal('toString'));
    expect(parseDirective('{"wireproof":{"do":[{"__proto__":1}]}}')).toEqual(refusal('__proto__'));
  });

  it.each([
    ['think', 7],
    ['think', []],
    ['think', ['a', 7]],
    ['say', { text: 'a' }],
    ['say', 'x'.repeat(maxTextBytes + 1)],
    ['tool', 'Read'],
    ['tool', {}],
    ['tool', { name: 7 }],
    ['tool', { name: 'x'.repeat(maxName + 1) }],
    ['tool', { name: 'x', approval: true }],
    ['tool', { name: 'x', approval: { detail: 1 } }],
    ['tool', { name: 'x', approval: { preview: 'PathNotFound' } }],
    ['tool', { name: 'x', blocked: { preview: { kind: 'pathNotFound' } } }],
    ['tool', { name: 'x', blocked: { preview: { kind: 'DeleteDir' } } }],
    ['tool', { name: 'x', ask: {} }],
    ['tool', { name: 'x', ask: { question: 'q', options: 'a' } }],
    ['tool', { name: 'x', lines: ['a'] }],
    ['tool', { name: 'x', lines: [['a\nb', false]] }],
    ['tool', { name: 'x', lines: [['a', 'stderr']] }],
    ['tool', { name: 'x', hold: 'yes' }],
    ['tool', { name: 'x', output: 7 }],
    ['tool', { name: 'x', sub_agent: true }],
    ['parallel', []],
    ['parallel', [{ name: 'x', hold: true }]],
    ['parallel', [{ name: 'x', approval: {} }]],
    ['parallel', Array.from({ length: maxTools + 1 }, () => ({ name: 'x' }))],
    ['loop_cap', 200],
    ['loop_cap', { cap: 2 ** 32 }],
    ['loop_cap', { cap: -1 }],
    ['usage', { prompt_tokens: 1.5 }],
    ['usage', { thinking_tokens: -1 }],
    ['compact', {}],
    ['compact', { used: -1 }],
    ['error', 'boom'],
    ['error', { message: 'boom', fatal: 1 }],
    ['cancel_point', false],
    ['wait_ms', -1],
    ['wait_ms', 3_600_001],
  ])('with an ill-formed step is refused by the name of the step: %s %.60j', (name, value) => {
    expect(stepNames).toContain(name);
    expect(parsed({ [name]: value })).toEqual(refusal(name));
  });

  it.each([
    [{ say: [] }],
    [{ tool: { name: 'x', args: null } }],
    [{ tool: { name: 'x', approval: {}, ask: { question: 'q' }, lines: [], hold: false } }],
    [{ tool: { name: 'x', approval: { preview: null } } }],
    [{ loop_cap: {} }],
    [{ usage: {} }],
    [{ error: { message: '' } }],
  ])('may leave out the members that the README gives a default: %j', (step) => {
    expect(parsed(step)).toMatchObject(accepted);
  });
});

describe('the values of a directive', () => {
  it('hold no text that cannot be sent (KODA-16)', () => {
    expect(parsed({ say: '\ud800' })).toEqual(refusal('say'));
    expect(parsed({ tool: { name: 'x', args: { a: ['\udc00'] } } })).toEqual(refusal('tool'));
    expect(parsed({ tool: { name: 'x', args: { '\udc00': 1 } } })).toEqual(refusal('tool'));
  });

  it('hold no number beyond the doubles (KODA-12, 16)', () => {
    const text = directive([{ tool: { name: 'x', args: [0] } }]).replace('[0]', '[1e400]');
    expect(parseDirective(text)).toEqual(refusal('tool'));
  });

  it('are nested so that the event has 127 containers at most (KODA-17)', () => {
    const nested = (levels: number): string =>
      directive([{ tool: { name: 'x', args: 0 } }]).replace(
        '"args":0',
        `"args":${'['.repeat(levels)}0${']'.repeat(levels)}`,
      );
    expect(parseDirective(nested(126))).toMatchObject(accepted);
    expect(parseDirective(nested(127))).toEqual(refusal('tool'));
  });

  it.each([
    [{ kind: 'Edit', path: 'a', replacements: [], truncated_count: 0 }],
    [{ kind: 'WriteNew', line_count: 1, byte_count: 2, first_lines: ['a'], truncated: false }],
    [
      {
        ...{ kind: 'WriteOverwrite', old_line_count: 1, old_byte_count: 2, new_line_count: 3 },
        ...{ new_byte_count: 4, first_lines: [], truncated: true },
      },
    ],
    [{ kind: 'DeleteFile', line_count: 1, byte_count: 2 }],
    [{ kind: 'DeleteDir', recursive: false }],
    [{ kind: 'FileNotYetExists' }],
    [{ kind: 'PathNotFound' }],
  ])('may be a preview of each kind, with all its fields: %j', (preview) => {
    expect(parsed({ tool: { name: 'x', approval: { preview } } })).toMatchObject(accepted);
    for (const name of Object.keys(preview)) {
      const { [name as 'kind']: _, ...without } = preview;
      expect(parsed({ tool: { name: 'x', approval: { preview: without } } })).toEqual(refusal('tool'));
    }
  });

  it('may be an edit with replacements, whose fields are all required', () => {
    const replacement = { index: 0, total: 1, start_line: 3, old_lines: ['a'], new_lines: [] };
    const edit = (value: object): object => ({
      tool: {
        name: 'Edit',
        approval: { preview: { kind: 'Edit', path: 'a', replacements: [value], truncated_count: 0 } },
      },
    });
    expect(parsed(edit(replacement))).toMatchObject(accepted);
    expect(parsed(edit({ ...replacement, index: 0.5 }))).toEqual(refusal('tool'));
    expect(parsed(edit({ ...replacement, new_lines: 'a' }))).toEqual(refusal('tool'));
  });
});
