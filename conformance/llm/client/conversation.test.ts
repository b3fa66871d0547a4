/** Random conversations of the reference client, and of clients that are wrong in ways that they must notice. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../../src/llm/index.ts';
import { conversation } from './conversation.ts';
import { llmClientSuite } from './suite.ts';

const seeds = Array.from({ length: 3 * dialects.length }, (_, n) => n);

it('speak each dialect, break no rule, and end', () => {
  const spoken = seeds.map((seed) => {
    const { events, failures } = conversation(seed);
    expect([seed, failures]).toEqual([seed, []]);
    const asked = events.filter(({ data }) => data['op'] === 'llm.turn').map(({ data }) => data['dialect']);
    expect(new Set(asked).size).toBe(1);
    return asked[0];
  });
  expect(new Set(spoken)).toEqual(new Set(dialects));
});

it('have cuts, lying signals, broken streams and errors', () => {
  const told = seeds.flatMap((seed) =>
    conversation(seed).events.flatMap(({ kind, data }) => (kind === 'mark' ? [JSON.stringify(data)] : [])),
  );
  for (const part of ['"complete":false', '"signal":"lying"', '"outcome":"reset"', '"status":529'])
    expect([part, told.some((mark) => mark.includes(part))]).toEqual([part, true]);
});

describe('notice', () => {
  it.each([
    'hides-limit',
    'trusts-broken-stream',
    'swallows-error',
    'invents-call-ids',
    'answers-first-call-only',
    'mixes-parallel-calls',
    'asks-the-same-again',
    'retries-after-output',
  ])('a client that %s', (id) => {
    const mutant = llmClientSuite.mutants().find((one) => one.id === id);
    const failures = seeds.flatMap((seed) => conversation(seed, mutant?.make()).failures);
    expect(failures.filter((what) => what.startsWith(`${mutant?.breaks} `))).not.toEqual([]);
  });
});

it('blame no lawful client', () => {
  const lawful = llmClientSuite.lawful?.() ?? [];
  expect(lawful.length).toBeGreaterThan(5);
  // 25: a body without a stop reason. 80: an answer is cut whose thought and calls do not go back, after one that does.
  // 365: the limit comes right after the last call of a whole body.
  // Each peer plays a third of the other conversations, and the next peer those that follow them.
  const blamed = lawful.flatMap(({ id, make }, i) =>
    [...seeds.filter((_, k) => (k + i) % 3 === 0), 25, 80, 365].flatMap((seed) =>
      conversation(seed, make()).failures.map((what) => `${id}, seed ${seed}: ${what}`),
    ),
  );
  expect(blamed).toEqual([]);
});
