/** The tests as a whole: each row has some, an id means one thing, and they are independent of the reference. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../../../src/kit/spec/index.ts';
import { tokensTestee } from '../../../../src/tokens/index.ts';
import { factsOf, judgeAnswer } from '../judge.ts';
import { shownBy } from '../rules.ts';
import { tokensTests } from './index.ts';

const all = Object.values(tokensTests).flat();
const owed = readRequirements('tokens').requirements.filter(({ excluded }) => excluded === undefined);

describe('the tests of token managers', () => {
  it('have an id each', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const again = all.filter((test) => test.again === true).map(({ id }) => `${id}-again`);
    expect(all.filter(({ id }) => again.includes(id))).toEqual([]);
  });

  it('show every row that a manager owes, and no other', () => {
    const shown = new Set(all.map(({ requirement }) => requirement));
    expect([...shown].toSorted()).toEqual(owed.map(({ id }) => id));
  });

  it.each(owed.filter(({ level }) => level !== 'MAY').map(({ id }) => id))('have two or more of %s', (id) => {
    const tests = all.filter(({ requirement }) => requirement === id);
    expect(tests.length).toBeGreaterThanOrEqual(id === 'TOK-34' ? 1 : 2);
  });

  it('show each row by the operations that are said to show it', () => {
    const put = new Set(all.map(({ requirement, op }) => `${requirement} ${op}`));
    const said = Object.entries(shownBy).flatMap(([row, ops]) => ops.map((op) => `${row} ${op}`));
    expect([...put].toSorted()).toEqual(said.toSorted());
  });

  it('demand facts that their operation has', () => {
    const strange = all.filter(({ op, expect: facts }) => {
      const known = Object.keys(factsOf[op] ?? {});
      return Object.keys(facts).length === 0 || Object.keys(facts).some((name) => !known.includes(name));
    });
    expect(strange.map(({ id }) => id)).toEqual([]);
  });

  it('use every fact', () => {
    const used = new Set(
      all.flatMap(({ op, expect: facts }) => Object.keys(facts).map((name) => `${op} ${name}`)),
    );
    const there = Object.entries(factsOf).flatMap(([op, facts]) =>
      Object.keys(facts).map((name) => `${op} ${name}`),
    );
    expect(there.filter((fact) => !used.has(fact))).toEqual([]);
  });

  it('are requests of less than 900 KiB', () => {
    const sizes = all.map(({ op, input }) => Buffer.byteLength(JSON.stringify({ op, ...input })));
    expect(Math.max(...sizes)).toBeLessThan(900 * 1024);
  });
});

describe('the reference', () => {
  it('has no part in making them', () => {
    const sources = readdirSync(import.meta.dirname).filter((name) => !name.includes('.test.'));
    const imports = sources.flatMap((name) =>
      Array.from(
        readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/from '([^']+)'/g),
        ([, from]) => from,
      ),
    );
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter((from) => from?.includes('src/tokens'))).toEqual([]);
  });

  it.each(Object.entries(tokensTests))('answers the tests of %s as is demanded', (_, tests) => {
    const faults = tests.flatMap(({ id, op, input, expect: facts }) => {
      const request = { ...input, id, op };
      const outcome = judgeAnswer(facts, request, tokensTestee(request));
      return outcome === 'holds' ? [] : [[id, outcome]];
    });
    expect(faults).toEqual([]);
  });
});
