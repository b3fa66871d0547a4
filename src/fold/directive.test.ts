/** The directive grammar, as "Driving a third-party agent" (spec/fold/README.md) has it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { steps } from './arbitrary.ts';
import { directive, parseDirective, stepNames } from './directive.ts';

const parse = (content: unknown): ReturnType<typeof parseDirective> =>
  parseDirective(typeof content === 'string' ? content : JSON.stringify(content));
const doing = (...todo: unknown[]): ReturnType<typeof parseDirective> =>
  parse({ wireproof: { v: 1, do: todo } });

describe('content is a directive', () => {
  it('when it is one JSON object with the key wireproof', () => {
    expect(parse({ wireproof: { v: 1, do: [{ say: 'hi' }] } })).toEqual({ ok: true, value: [{ say: 'hi' }] });
    expect(parse({ wireproof: { do: [] } })).toEqual({ ok: true, value: [] });
  });

  it.each([
    'hello',
    '',
    '{"wireproof": oops',
    'say "wireproof"',
    '"wireproof"',
    '["wireproof"]',
    '{"other": "wireproof"}',
    'null',
  ])('and not when it is %s', (content) => {
    expect(parse(content)).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ['another version', { wireproof: { v: 2, do: [] } }],
    ['no list of steps', { wireproof: { v: 1 } }],
    ['steps that are no list', { wireproof: { do: { say: 'x' } } }],
    ['nothing inside', { wireproof: null }],
    ['a step that is no object', { wireproof: { do: ['say'] } }],
    ['a step without a key', { wireproof: { do: [{}] } }],
    ['a step with two keys', { wireproof: { do: [{ say: 'x', hold: true }] } }],
  ])('that cannot be obeyed when it has %s', (_, content) => {
    expect(parse(content)).toEqual({ ok: false, error: 'directive' });
  });
});

/** Every step of the grammar's table, in the forms it allows. */
const wellFormed: readonly object[] = [
  { think: 'x' },
  { say: 'x' },
  { say: '', times: 3 },
  { wait_ms: 0 },
  { wait_ms: 300000 },
  { hold: true },
  { tool: { name: 'quick' } },
  { tool: { name: 'slow', input: { a: [1] }, approval: true, approval_timeout_ms: 500, hold: true } },
  { tool: { name: 'failing', outcome: 'fail', output: 'no' } },
  { tool: { name: 'late', outcome: 'timeout' } },
  { tool: { name: 'fine', outcome: 'ok' } },
  { usage: {} },
  {
    usage: {
      input_tokens: 1,
      output_tokens: 2,
      cache_read_tokens: 3,
      cache_write_tokens: 4,
      thinking_tokens: 5,
    },
  },
  { file: { filename: 'a', mime_type: 'text/plain', base64: 'aGk=' } },
  { session: 'init' },
  { session: 'orphaned' },
  { pack_tool: { name: 'search', input: {} } },
  { heartbeat: true },
  { fail: 'why' },
  { echo_injections: true },
  { reject_injections: 'busy' },
];

/** Steps with a value that is not theirs. */
const malformed: readonly (readonly [string, object])[] = [
  ['think', { think: 1 }],
  ['say', { say: ['x'] }],
  ['wait_ms', { wait_ms: -1 }],
  ['wait_ms', { wait_ms: '5' }],
  ['hold', { hold: 1 }],
  ['tool', { tool: 'quick' }],
  ['tool', { tool: { input: {} } }],
  ['usage', { usage: { input_tokens: 'many' } }],
  ['usage', { usage: [] }],
  ['file', { file: { filename: 'a', mime_type: 'b' } }],
  ['session', { session: 'open' }],
  ['pack_tool', { pack_tool: {} }],
  ['heartbeat', { heartbeat: 'now' }],
  ['fail', { fail: null }],
  ['echo_injections', { echo_injections: 'yes' }],
  ['reject_injections', { reject_injections: true }],
  ['say', { say: 'x', times: 'many' }],
  ['say', { say: 'x', times: -1 }],
  ['tool', { tool: { name: 'quick', outcome: 'explode' } }],
  ['tool', { tool: { name: 'quick', output: 5 } }],
  ['tool', { tool: { name: 'quick', approval: true, approval_timeout_ms: 'soon' } }],
  ['usage', { usage: { input_tokens: 1.5 } }],
  ['usage', { usage: { tokens: 1 } }],
  ['file', { file: { filename: 'a', mime_type: 5, base64: '' } }],
  ['directive', { hold: true, times: 2 }],
];

describe('a step', () => {
  it.each(wellFormed.map((step) => [JSON.stringify(step), step]))('%s is taken', (_, step) => {
    expect(doing(step)).toEqual({ ok: true, value: [step] });
  });

  it('of every kind is in this test', () => {
    const kinds = new Set(wellFormed.map((step) => Object.keys(step)[0]));
    expect([...kinds].sort()).toEqual([...stepNames].sort());
  });

  it.each(malformed.map(([name, step]) => [JSON.stringify(step), name, step] as const))(
    '%s is refused by its name, %s',
    (_, name, step) => expect(doing({ say: 'first' }, step)).toEqual({ ok: false, error: name }),
  );

  it('that nobody knows is refused by its name', () => {
    expect(doing({ dance: true })).toEqual({ ok: false, error: 'dance' });
    expect(doing({ toString: true })).toEqual({ ok: false, error: 'toString' });
  });

  it('whose name is one of every object is refused like any other', () => {
    expect(parse('{"wireproof":{"do":[{"__proto__":1}]}}')).toEqual({ ok: false, error: '__proto__' });
    expect(doing({ hasOwnProperty: 'say' })).toEqual({ ok: false, error: 'hasOwnProperty' });
  });
});

it('is read back as it was written', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 8 }), (todo) => {
      const json: unknown = JSON.parse(JSON.stringify(todo));
      expect(parseDirective(directive(todo))).toEqual({ ok: true, value: json });
    }),
    { seed: 7, numRuns: 500 },
  );
});

it('is never a reason to throw, whatever the content', () => {
  const around = fc.json().map((json) => `{"wireproof":{"do":${json}}}`);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), around), (content) => {
      expect(typeof parseDirective(content).ok).toBe('boolean');
    }),
    { seed: 7, numRuns: 2000 },
  );
});
