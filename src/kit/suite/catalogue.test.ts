/** Mutants are joined from words and faults: each id is on both sides. */
import { describe, expect, it } from 'vitest';
import { readLawfulWords, readMutantWords } from '../spec/index.ts';
import { faultsFor, joinFaults, mapFaults } from './catalogue.ts';
import type { Faults } from './catalogue.ts';
import { silentTarget } from './selftest.ts';

const words = { loud: { title: 'It shouts.' }, late: { title: 'It is late.' } };
const made: string[] = [];

const join = (...themes: readonly Faults<string>[]): ReturnType<typeof joinFaults> =>
  joinFaults('echo/teller', words, themes, (fault) => () => {
    made.push(fault);
    return silentTarget;
  });

describe('joined faults', () => {
  it('have the order of the words, whatever the themes have', () => {
    const joined = join({ late: 'a' }, { loud: 'b' });
    expect(joined).toMatchObject([
      { id: 'loud', title: 'It shouts.' },
      { id: 'late', title: 'It is late.' },
    ]);
    for (const { make } of joined) make();
    expect(made).toEqual(['b', 'a']);
  });

  it('take a peer that is not the reference with a fault as it is', () => {
    const make = (): typeof silentTarget => silentTarget;
    expect(join({ late: 'a', loud: { make } })[0]?.make).toBe(make);
  });

  it.each<[string, Faults<string>[], RegExp]>([
    ['no fault', [{ loud: 'a' }], /echo\/teller: its list in spec has late, and no theme has the fault/],
    ['no words', [{ loud: 'a', late: 'b', shy: 'c' }], /a theme has the fault shy, which its list in spec/],
    ['two faults', [{ loud: 'a', late: 'b' }, { late: 'c' }], /two themes have a fault late/],
  ])('refuse an id with %s', (_, themes, message) => {
    expect(() => join(...themes)).toThrow(message);
  });
});

it('makes faults for several names, and changes each of a theme', () => {
  const faults = faultsFor(['a', 'b'], (name) => [`${name}-late`, name]);
  expect(mapFaults(faults, (fault) => `${fault}!`)).toEqual({ 'a-late': 'a!', 'b-late': 'b!' });
});

it('reads the words of a suite from its lists; a suite may have no lawful peers', () => {
  expect(readMutantWords('koda/codec')['camel-types']).toEqual({
    breaks: 'KODA-01',
    title: 'It sends the types of messages in camelCase.',
  });
  expect(readLawfulWords('koda/codec')).toEqual({});
});
