/** The cut sweep, with the reference and with clients that run cut calls. */
import { describe, expect, it } from 'vitest';
import type { Mutant } from '../../../src/kit/suite/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { clientMutants } from './mutants/index.ts';
import { sweep, sweptArguments } from './sweep.ts';

const mutant = (id: string): (() => ReturnType<Mutant['make']>) => {
  const found = clientMutants().find((one) => one.id === id);
  if (found === undefined) throw new Error(`no mutant ${id}`);
  return () => found.make();
};

it('the swept arguments are one object of about 300 characters', () => {
  expect(JSON.parse(sweptArguments)).toBeTypeOf('object');
  expect(sweptArguments.length).toBeGreaterThan(280);
});

/**
 * Every kind of JSON value once, because the whole sweep takes ten seconds per dialect (`wireproof selftest llm/client
 * --sweep`).
 */
const brief = '{"a\\"b":"é\\n🎉","c":-1.5,"d":[true,null,{}]}';

describe.each(dialects)('in %s', (dialect) => {
  it('the reference runs no cut call, at any position, under any signal', () => {
    const { runs, failures } = sweep({ dialect, json: brief });
    expect(failures).toEqual([]);
    // Every UTF-16 position except the one inside the surrogate pair, four signals, three ends.
    expect(runs).toBe(brief.length * 4 * 3);
  });
});

describe('a client that completes cut arguments', () => {
  it.each(['openai-chat', 'openai-responses'] as const)('is caught at every position (%s)', (dialect) => {
    const json = '{"a":"b\\n","c":[1.5,true]}';
    const { runs, failures } = sweep({
      dialect,
      json,
      target: mutant('completes-cut-call'),
      signals: ['honest'],
      transports: ['clean'],
    });
    expect(runs).toBe(json.length + 1);
    const caught = new Set(
      failures.filter(({ requirement }) => requirement === 'LLM-C01').map(({ cut }) => cut),
    );
    // After the last brace there is nothing to complete.
    const cuts = Array.from({ length: json.length }, (_, cut) => cut);
    expect(cuts.filter((cut) => !caught.has(cut))).toEqual([]);
  });

  it('is also caught after the last brace, when it runs arguments that parse', () => {
    const json = '{"a":1}';
    const { failures } = sweep({
      dialect: 'openai-chat',
      json,
      target: mutant('runs-cut-call-that-parses'),
      signals: ['honest'],
      transports: ['clean'],
    });
    expect(failures.map(({ requirement, cut }) => [requirement, cut])).toContainEqual([
      'LLM-C01',
      json.length,
    ]);
  });
});

describe('a client that trusts the stop signal', () => {
  it('is caught when the signal lies', () => {
    const { failures } = sweep({
      dialect: 'anthropic',
      json: '{"a":"b","c":1}',
      target: mutant('completes-lying-call'),
      transports: ['clean'],
    });
    expect(new Set(failures.map(({ requirement }) => requirement))).toEqual(new Set(['LLM-C02', 'LLM-C05']));
    expect(failures.every(({ signal }) => signal === 'lying')).toBe(true);
  });
});
