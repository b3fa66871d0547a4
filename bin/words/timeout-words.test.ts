/** `wireproof limits` explains every timeout of every suite, and nothing else. */
import { describe, expect, it } from 'vitest';
import { registry } from '../registry.ts';
import { timeoutWords } from './timeout-words.ts';

const suites = await registry.loadAll();
const named = new Set(suites.flatMap(({ timeouts }) => Object.keys(timeouts)));

describe('the words of timeouts', () => {
  it.each(suites.map((suite) => [suite.id, suite] as const))('explain each timeout of %s', (_, suite) => {
    expect(Object.keys(suite.timeouts).filter((name) => (timeoutWords[name] ?? '') === '')).toEqual([]);
  });

  it('explain no timeout that no suite has', () => {
    expect(Object.keys(timeoutWords).filter((name) => !named.has(name))).toEqual([]);
  });
});
