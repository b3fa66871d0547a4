/** The vectors as a whole: each row of codecs has some, an id means one thing, and they are independent of the reference. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
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
import { toonTestee } from '../../../../src/toon/index.ts';
import { judgeAnswer } from '../judge.ts';
import { toonCases } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-cases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const testsOf = (files: readonly VectorFile[]): readonly { readonly op: string; readonly test: Vector }[] =>
  files.flatMap(({ vectors }) =>
    vectors.groups.flatMap(({ op, tests }) => tests.map((test) => ({ op, test }))),
  );

const files = toonCases('1');
const all = testsOf(files);
const { requirements, ...list } = readRequirements('toon');
const owed = requirements.filter(({ roles, excluded }) => roles.includes('codec') && excluded === undefined);

describe('the vectors of TOON', () => {
  it('follow the requirement list of the same revision', () => {
    const shipped = readVectors('toon').map(({ vectors }) => vectors.revision);
    expect(new Set(shipped)).toEqual(new Set([list.revision]));
  });

  it('show every row that a codec owes, and no other', () => {
    const shown = new Set(all.flatMap(({ test }) => test.requirements));
    expect([...shown].toSorted()).toEqual(owed.map(({ id }) => id));
  });

  it.each(owed.map(({ id }) => id))('have a demand of %s that every implementation must fulfil', (id) => {
    const demands = all.filter(({ test }) => test.requirements.includes(id) && test.result !== 'acceptable');
    expect(demands.length).toBeGreaterThanOrEqual(2);
  });

  it('can all fail, except those where implementations may differ', () => {
    const idle = all.filter(
      ({ test }) => test.result === 'acceptable' && Object.keys(test.expect ?? {}).length === 0,
    );
    expect(idle.filter(({ test }) => !test.flags.includes('lenient'))).toEqual([]);
  });

  it('blame one row each', () => {
    expect(all.filter(({ test }) => test.requirements.length !== 1)).toEqual([]);
  });

  it('come in pairs by their flag: toon.validate, then toon.decode, of the same bytes', () => {
    const pairs = all.filter(({ test }) => test.flags.includes('pair'));
    const of = (wanted: string): readonly unknown[] =>
      pairs.filter(({ op }) => op === wanted).map(({ test: { wire, requirements } }) => [wire, requirements]);
    expect(of('toon.validate').length).toBeGreaterThan(20);
    expect(of('toon.decode')).toEqual(of('toon.validate'));
  });

  it('ask of toon.validate no more than the four rules of "Validation Rules", and of toon.decode all', () => {
    const results = (wanted: string): readonly string[] =>
      all
        .filter(({ op, test }) => op === wanted && test.flags.includes('pair'))
        .map(({ test }) => test.result);
    const beyond = results('toon.decode').flatMap((decoding, i) =>
      decoding === results('toon.validate')[i] ? [] : [[results('toon.validate')[i], decoding]],
    );
    expect(beyond.length).toBeGreaterThan(4);
    expect(new Set(beyond.map((pair) => pair.join(' ')))).toEqual(new Set(['acceptable invalid']));
  });

  it('are requests of less than 900 KiB, and less than 3 MiB together', () => {
    const sizes = all.map(({ op, test }) => JSON.stringify({ op, ...vectorInput(test) }).length);
    expect(Math.max(...sizes)).toBeLessThan(900 * 1024);
    writeVectors(folder, files);
    const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).length);
    expect(bytes.reduce((a, b) => a + b, 0)).toBeLessThan(3 * 1024 * 1024);
  });

  it('are well-formed as files', () => {
    writeVectors(folder, files);
    expect(verifyVectors(folder)).toEqual([]);
  });

  it('in fixtures/ are the files of seed 1', () => {
    expect(verifyVectors(vectorFolder('toon'))).toEqual([]);
    expect(vectorDifferences(vectorFolder('toon'), files)).toEqual([]);
  });
});

describe('a seed', () => {
  it('makes the same vectors again', () => {
    expect(toonCases('1')).toEqual(files);
  });

  it('does not change hand-written tests, and ids stay unique', () => {
    const others = new Map(testsOf(toonCases('another')).map(({ op, test }) => [test.id, { op, test }]));
    const same = all.filter(({ test }) => others.has(test.id));
    expect(same.map(({ test }) => others.get(test.id))).toEqual(same);
    expect(same.filter(({ test }) => test.flags.includes('random'))).toEqual([]);
    const random = all.filter(({ test }) => test.flags.includes('random'));
    expect(same.length + random.length).toBe(all.length);
    expect(random.length).toBeGreaterThan(50);
  });
});

describe('the reference codec', () => {
  it('is not used to make them', () => {
    const sources = readdirSync(import.meta.dirname).filter((name) => !name.includes('.test.'));
    const imports = sources.flatMap((name) =>
      Array.from(
        readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/from '([^']+)'/g),
        ([, from]) => from,
      ),
    );
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter((from) => from?.includes('src/toon'))).toEqual([]);
  });

  it.each(files.map((file) => [file.name, file] as const))('answers %s as is demanded', (_, file) => {
    const faults = testsOf([file]).flatMap(({ op, test }) => {
      const request = { ...vectorInput(test), id: test.id, op };
      const wrong = judgeAnswer(test, request, toonTestee(request), { codes: true });
      return wrong === undefined ? [] : [`${test.id}: ${wrong}`];
    });
    expect(faults).toEqual([]);
  });
});
