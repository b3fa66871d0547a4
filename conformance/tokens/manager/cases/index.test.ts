/** All vectors: each requirement has tests, ids are unique, and the reference does not generate them. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exactText } from '../../../../src/kit/base/index.ts';
import {
  readRequirements,
  readVectors,
  vectorDifferences,
  vectorFolder,
  vectorInput,
  verifyVectors,
  writeVectors,
} from '../../../../src/kit/spec/index.ts';
import type { Vector, VectorFile } from '../../../../src/kit/spec/index.ts';
import { holdVectorsToMaker } from '../../../suite.test-helper.ts';
import { factsOf } from '../judge.ts';
import { tokensManagerSuite } from '../suite.ts';
import { tokensVectors } from '../vectors.ts';
import { tokensCases } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-tokens-cases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const testsOf = (files: readonly VectorFile[]): readonly { readonly op: string; readonly test: Vector }[] =>
  files.flatMap(({ vectors }) =>
    vectors.groups.flatMap(({ op, tests }) => tests.map((test) => ({ op, test }))),
  );

const files = tokensCases('1');
const all = testsOf(files);
const { requirements, revision } = readRequirements('tokens');
const owed = requirements.filter(({ excluded }) => excluded === undefined);
const factsIn = ({ expect: facts = {} }: Vector): readonly string[] => Object.keys(facts);

describe('the vectors of token managers', () => {
  it('have unique ids', () => {
    expect(new Set(all.map(({ test }) => test.id)).size).toBe(all.length);
    const again = all
      .filter(({ test }) => test.flags.includes('again'))
      .map(({ test }) => `${test.id}-again`);
    expect(again.length).toBeGreaterThan(10);
    expect(all.filter(({ test }) => again.includes(test.id))).toEqual([]);
  });

  it('list one requirement each, and together every requirement of managers', () => {
    expect(all.filter(({ test }) => test.requirements.length !== 1)).toEqual([]);
    const shown = new Set(all.flatMap(({ test }) => test.requirements));
    expect([...shown].toSorted()).toEqual(owed.map(({ id }) => id));
  });

  it.each(owed.filter(({ level }) => level !== 'MAY').map(({ id }) => id))(
    'have two or more tests of %s',
    (id) => {
      const tests = all.filter(({ test }) => test.requirements.includes(id));
      expect(tests.length).toBeGreaterThanOrEqual(id === 'TOK-34' ? 1 : 2);
    },
  );

  it('name only facts of their operation', () => {
    const strange = all.filter(({ op, test }) => {
      const known = [...Object.keys(factsOf[op] ?? {}), 'digits'];
      return factsIn(test).length === 0 || factsIn(test).some((name) => !known.includes(name));
    });
    expect(strange.map(({ test }) => test.id)).toEqual([]);
  });

  it('use every fact', () => {
    const used = new Set(all.flatMap(({ op, test }) => factsIn(test).map((name) => `${op} ${name}`)));
    const there = Object.entries(factsOf).flatMap(([op, facts]) =>
      Object.keys(facts).map((name) => `${op} ${name}`),
    );
    expect(there.filter((fact) => !used.has(fact))).toEqual([]);
  });

  it('are requests of less than 900 KiB', () => {
    const sizes = all.map(({ op, test }) => Buffer.byteLength(exactText({ op, ...vectorInput(test) })));
    expect(Math.max(...sizes)).toBeLessThan(900 * 1024);
  });

  it('are valid files', () => {
    writeVectors(folder, files);
    expect(verifyVectors(folder)).toEqual([]);
  });

  it('in fixtures/ are those of seed 1, and of the same revision', () => {
    expect(verifyVectors(vectorFolder('tokens'))).toEqual([]);
    expect(vectorDifferences(vectorFolder('tokens'), files)).toEqual([]);
    expect(readVectors('tokens').every(({ vectors }) => vectors.revision === revision)).toBe(true);
  });

  it('in fixtures/ are played by the suite, each once', () => {
    const played = (tokensManagerSuite.scenarios?.() ?? []).flatMap(({ steps }) =>
      steps.flatMap((step) => ('mark' in step ? [(step.mark['case'] as { vector: string }).vector] : [])),
    );
    const shipped = testsOf(readVectors('tokens')).flatMap(({ test: { id, flags } }) =>
      flags.includes('again') ? [id, `${id}-again`] : [id],
    );
    expect(played.toSorted()).toEqual(shipped.toSorted());
  });
});

describe('a seed', () => {
  it('makes the same vectors again', () => {
    expect(tokensCases('1')).toEqual(files);
  });

  it('with another seed keep the tests that were written by hand, and no id has two meanings', () => {
    const others = new Map(testsOf(tokensCases('another')).map(({ op, test }) => [test.id, { op, test }]));
    const same = all.filter(({ test }) => others.has(test.id));
    expect(same.map(({ test }) => others.get(test.id))).toEqual(same);
    const random = all.filter(({ test }) => test.flags.includes('random'));
    expect(same.length + random.length).toBe(all.length);
    expect(random.length).toBe(48);
  });
});

describe('the reference', () => {
  it('is not imported by their generator', () => {
    const sources = readdirSync(import.meta.dirname).filter((name) => !name.includes('.test.'));
    const imports = sources.flatMap((name) =>
      Array.from(
        readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/from '([^']+)'/g),
        ([, from]) => from,
      ),
    );
    expect(imports.length).toBeGreaterThan(15);
    expect(imports.filter((from) => from?.includes('src/tokens'))).toEqual([]);
  });
});

holdVectorsToMaker('tokens', tokensVectors);
