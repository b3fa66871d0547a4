/** The directive grammar ("The directive grammar" in spec/toon/README.md): what is obeyed, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directive, maxPadBytes, maxTools, parseDirective, stepNames } from './directive.ts';
import { anyStep } from './machine/machine.test-helper.ts';

const parsed = (...todo: unknown[]): unknown => parseDirective(directive(todo));
const refusal = (name: string): object => ({ ok: false, error: name });

describe('a directive', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(anyStep), (steps) => {
        expect(parseDirective(directive(steps))).toEqual({ ok: true, value: steps });
      }),
      { seed: 7 },
    );
  });

  it('may leave its version out, which is 1', () => {
    expect(parseDirective('{"wireproof":{"do":[{"hold":true}]}}')).toEqual({
      ok: true,
      value: [{ hold: true }],
    });
  });

  it.each([
    ['hello'],
    [''],
    ['"wireproof"'],
    ['{"wireproof":'],
    ['[{"wireproof":{}}]'],
    ['say "wireproof" please'],
    ['{"other":{"wireproof":{"do":[]}}}'],
  ])('is not what merely looks like one: %s', (text) => {
    expect(parseDirective(text)).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ['{"wireproof":1}'],
    ['{"wireproof":{}}'],
    ['{"wireproof":{"do":{}}}'],
    ['{"wireproof":{"v":2,"do":[]}}'],
    ['{"wireproof":{"do":[7]}}'],
    ['{"wireproof":{"do":[{}]}}'],
    ['{"wireproof":{"do":[{"progress":1}]}}'],
    ['{"wireproof":{"do":[{"say":"a","hold":true}]}}'],
    ['{"wireproof":{"do":[{"hold":true,"progress":1}]}}'],
  ])('that cannot be read is refused as such: %s', (text) => {
    expect(parseDirective(text)).toEqual(refusal('directive'));
  });

  it('with a step that nobody knows is refused by its name', () => {
    expect(parsed({ say: 'a' }, { dance: true })).toEqual(refusal('dance'));
    expect(parsed({ toString: true })).toEqual(refusal('toString'));
  });

  it.each([
    ['status', 'working'],
    ['status', { status: 7 }],
    ['status', { status: 'x', progress: 45 }],
    ['say', 7],
    ['pad', { text: '', bytes: 10 }],
    ['pad', { text: 'x', bytes: maxPadBytes + 1 }],
    ['pad', { text: 'x', bytes: 1.5 }],
    ['tool', 'clock'],
    ['tool', { name: 'clock', args: [] }],
    ['tool', { name: 'clock', requestId: 7 }],
    ['tools', []],
    ['tools', [{ args: {} }]],
    ['tools', Array.from({ length: maxTools + 1 }, () => ({ name: 'x' }))],
    ['context', { type: 'file' }],
    ['heartbeat', false],
    ['wait_ms', -1],
    ['wait_ms', 3_600_001],
    ['fail', { code: 'X' }],
    ['hold', 1],
  ])('with an ill-formed step is refused by its name: %s %j', (name, value) => {
    expect(stepNames).toContain(name);
    expect(parsed({ [name]: value })).toEqual(refusal(name));
  });

  it('may report progress with what it says, from 0 to 1', () => {
    expect(parsed({ say: 'half', progress: 0.5 })).toMatchObject({ ok: true });
    expect(parsed({ say: 'half', progress: 50 })).toEqual(refusal('say'));
  });
});
