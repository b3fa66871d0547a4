/** What scenarios write, filled in; and what events are matched against ("Scenario" in the design). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duration, fill, matches, valueAt } from './template.ts';

describe('fill', () => {
  const variables = { req: 'r1', n: 7, timeouts: { cancel: 500 }, empty: '' };

  it.each([
    ['$req', 'r1'],
    ['$n', 7],
    ['$timeouts.cancel', 500],
    ['$empty', ''],
    ['for ${req}, ${n} times', 'for r1, 7 times'],
    ['${timeouts.cancel}ms', '500ms'],
    ['a $req inside', 'a $req inside'],
    ['$5 or ${5}', '$5 or ${5}'],
    ['$any', '$any'],
    ['', ''],
  ])('%s is %j', (value, filled) => expect(fill(value, variables)).toBe(filled));

  it('goes into lists and objects, and leaves all else as it is', () => {
    const value = { id: '$req', list: ['$n', true, null, 1.5, { deep: '${req}!' }], $req: 'key' };
    expect(fill(value, variables)).toEqual({
      id: 'r1',
      list: [7, true, null, 1.5, { deep: 'r1!' }],
      $req: 'key',
    });
    expect(value.id).toBe('$req');
  });

  it('names the variable that is not there, and those that are', () => {
    expect(() => fill('$nobody', variables)).toThrow(/\$nobody.* req, n, timeouts, empty/);
    expect(() => fill('${timeouts.ack}', variables)).toThrow(/\$timeouts\.ack/);
    expect(() => fill('$constructor', variables)).toThrow(/\$constructor/);
  });

  it('takes a new value of a function at each use', () => {
    let n = 0;
    const tools = { slow: { input: () => ({ n: ++n }) } };
    expect(fill(['$tools.slow.input', '$tools.slow.input'] as never, { tools })).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
  });

  it("gives a suite's own form its value, filled in", () => {
    const forms = { $shout: (value: unknown) => `${JSON.stringify(value)}!` };
    expect(fill({ content: { $shout: [{ say: '$req' }] } }, variables, forms)).toEqual({
      content: '[{"say":"r1"}]!',
    });
    expect(fill({ $shout: 1 }, variables)).toEqual({ $shout: 1 });
  });

  it('makes a large text of so many bytes', () => {
    expect(fill({ $fill: { text: 'abc', bytes: 8 } }, {})).toBe('abcabcab');
    expect(fill({ $fill: { text: 'x', bytes: 3 << 20 } }, {})).toHaveLength(3 << 20);
    expect(fill({ $fill: { text: 'abc', bytes: 0 } }, {})).toBe('');
  });

  it.each([
    [{ text: '', bytes: 5 }],
    [{ text: 'x', bytes: -1 }],
    [{ text: 'x', bytes: 1e12 }],
    [{ bytes: 5 }],
    ['x'],
  ])('refuses a large text of %j', (spec) => expect(() => fill({ $fill: spec }, {})).toThrow(/\$fill/));

  it('changes nothing in what has no variables', () => {
    const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('$'));
    fc.assert(
      fc.property(plain, (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value));
        expect(fill(json as Parameters<typeof fill>[0], {})).toEqual(json);
      }),
      { seed: 7 },
    );
  });
});

describe('matches', () => {
  const data = {
    response: { request_id: 'r1', tool_use: { id: 't', name: 'read' } },
    list: [{ a: 1 }, { b: 2 }],
    n: 0,
  };

  it.each([
    ['all', data],
    ['nothing', {}],
    ['a part', { response: { request_id: 'r1' } }],
    ['that something is there', { response: { tool_use: {} } }],
    ['that anything is there', { n: '$any', list: '$any' }],
    ['a list of the same length, each in part', { list: [{ a: 1 }, {}] }],
  ])('%s', (_, pattern) => expect(matches(data, pattern)).toBe(true));

  it.each([
    ['another value', { response: { request_id: 'r2' } }],
    ['what is not there', { response: { done: {} } }],
    ['anything that is not there', { done: '$any' }],
    ['an object that is not there, however empty', { done: {} }],
    ['a list that is not there, however empty', { more: [] }],
    ['null that is not there', { done: null }],
    ['a flag that is absent, true or false', { approved: true }],
    ['false, where the flag is absent', { approved: false, response: { is_error: false } }],
    ['0, where the number is absent', { count: 0 }],
    ['an empty text, where the text is absent', { note: '', response: { text: '' } }],
    ['a default inside what is not there', { response: { done: { full_response: '' } } }],
    ['a default where there is another value', { response: { request_id: 0 } }],
    ['false where there is 0', { n: false }],
    ['a list of another length', { list: [{ a: 1 }] }],
    ['a list where there is none', { response: [] }],
    ['an object where there is none', { n: {} }],
    ['an object where there is a list', { list: {} }],
    ['another type', { n: '0' }],
    ['an empty text where there is another', { response: { request_id: '' } }],
  ])('not %s', (_, pattern) => expect(matches(data, pattern)).toBe(false));
});

describe('valueAt', () => {
  it('finds what stands at a dotted path, and nothing where there is nothing', () => {
    const data = { response: { tool_use: { id: 't' } }, list: [1] };
    expect(valueAt(data, 'response.tool_use.id')).toBe('t');
    expect(valueAt(data, 'list')).toEqual([1]);
    for (const path of ['response.done.id', 'list.0', 'response.tool_use.id.more', '']) {
      expect(valueAt(data, path)).toBeUndefined();
    }
  });
});

describe('duration', () => {
  it.each([
    ['300ms', 300],
    ['5s', 5000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['2min', 120_000],
    ['1h', 3_600_000],
    [' 10s ', 10_000],
    ['0ms', 0],
  ])('%s is %i ms', (text, ms) => expect(duration(text)).toBe(ms));

  it.each(['', '5', 's', '5 s', '-5s', '5S', '1e3ms', '5d', '.5s', '5s5s'])('"%s" is none', (text) => {
    expect(duration(text)).toBeUndefined();
  });
});
