/** All vectors of streams: the reference meets them for any chunking, and does not generate them. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  readRequirements,
  readVectors,
  vectorDifferences,
  vectorFolder,
  verifyVectors,
  writeVectors,
} from '../../../src/kit/spec/index.ts';
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';
import { llmCases } from './index.ts';
import { oddChunks, referenceAnswer, referenceFault, answerDifference } from './reference.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-llm-cases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const testsOf = (files: readonly VectorFile[]): readonly Vector[] =>
  files.flatMap(({ vectors }) => vectors.groups.flatMap(({ tests }) => tests));

const files = llmCases('1');
const all = testsOf(files);
const { requirements, ...list } = readRequirements('llm');

/** Requirements that one response shows without a clock or a second request. */
const shown = 'C01 C02 C03 C04 C05 C06 C07 C11 C12 C13 C14 C16 C17 C18 C20 C21 C40 C41 C50 C51'.split(' ');

describe('the vectors of LLM streams', () => {
  it('have the revision of the requirement list', () => {
    const shipped = readVectors('llm').map(({ vectors }) => vectors.revision);
    expect(new Set(shipped)).toEqual(new Set([list.revision]));
  });

  it('exercise every requirement of clients that one response can violate, and no other', () => {
    const rows = new Set(all.flatMap((test) => test.requirements));
    expect([...rows].toSorted()).toEqual(shown.map((row) => `LLM-${row}`));
    const known = new Set(requirements.map(({ id }) => id));
    expect([...rows].filter((id) => !known.has(id))).toEqual([]);
  });

  it('have unique ids', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it.each(files.map((file) => [file.name, file] as const))(
    'exercise in %s the requirements of every dialect',
    (_, file) => {
      const tests = testsOf([file]);
      const rows = new Set(tests.flatMap((test) => test.requirements));
      const common = 'C01 C03 C04 C06 C07 C11 C12 C16 C17 C18 C20 C21'.split(' ');
      expect(common.filter((row) => !rows.has(`LLM-${row}`))).toEqual([]);
      const errors = new Set(tests.flatMap(({ error }) => (error === undefined ? [] : [error])));
      expect([...errors]).toEqual(expect.arrayContaining(['truncated-stream', 'connection', 'provider']));
      expect(tests.filter(({ flags }) => !flags.includes('random')).length).toBeGreaterThanOrEqual(25);
    },
  );

  it('run no call of a stream with an error', () => {
    const failed = all.filter(({ result }) => result === 'invalid');
    expect(failed.length).toBeGreaterThanOrEqual(50);
    expect(failed.filter(({ expect: kept }) => JSON.stringify(kept?.['runs']) !== '[]')).toEqual([]);
  });

  it('are valid files', () => {
    writeVectors(folder, files);
    expect(verifyVectors(folder)).toEqual([]);
  });

  it('in fixtures/ are those of seed 1', () => {
    expect(verifyVectors(vectorFolder('llm'))).toEqual([]);
    expect(vectorDifferences(vectorFolder('llm'), files)).toEqual([]);
  });
});

describe('a seed', () => {
  it('makes the same vectors again', () => {
    expect(llmCases('1')).toEqual(files);
  });

  it('with another seed keep the tests that were written by hand, and no id has two meanings', () => {
    const others = new Map(testsOf(llmCases('another')).map((test) => [test.id, test]));
    const same = all.filter(({ id }) => others.has(id));
    expect(same.map(({ id }) => others.get(id))).toEqual(same);
    const random = all.filter(({ flags }) => flags.includes('random'));
    expect(same.length + random.length).toBe(all.length);
    expect(random.length).toBe(5 * files.length);
  });
});

describe('the reference client', () => {
  it('is not imported by their generator', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.includes('.test.') && name !== 'reference.ts',
    );
    const imports = sources.flatMap((name) =>
      Array.from(
        readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/from '([^']+)'/g),
        ([, from]) => from,
      ),
    );
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter((from) => from?.includes('src/llm'))).toEqual([]);
  });

  it.each([
    ['whole', [Number.MAX_SAFE_INTEGER]],
    ['byte by byte', [1]],
    ['in odd pieces', oddChunks],
  ] as const)('gives the expected answers to bodies that come %s', (_, chunks) => {
    const faults = all.flatMap((test) => {
      const wrong = referenceFault(test, chunks);
      return wrong === undefined ? [] : [`${test.id}: ${wrong}`];
    });
    expect(faults).toEqual([]);
  });
});

describe('an answer is wrong', () => {
  const cut: Vector = {
    id: 'x',
    comment: 'x',
    flags: [],
    requirements: ['LLM-C01'],
    result: 'valid',
    expect: { content: 'a', toolCalls: [], runs: [], usage: { outputTokens: 1 } },
  };
  const right = { content: 'a', toolCalls: [], runs: [], usage: { inputTokens: 5, outputTokens: 1 } };

  it('is not reported for additional members', () => {
    expect(answerDifference(cut, { ...right, stopReason: 'max_tokens' })).toBeUndefined();
  });

  it.each([
    [{ ...right, content: 'b' }, 'content: expected "a"; came "b"'],
    [{ ...right, runs: ['write'] }, 'runs: expected []; came ["write"]'],
    [{ ...right, usage: { outputTokens: 2 } }, 'usage.outputTokens: expected 1; came 2'],
    [{ ...right, error: true, code: 'provider' }, 'expected a response; came an error ("provider")'],
    [{ content: 'a', toolCalls: [], runs: [] }, 'usage: expected {"outputTokens":1}; came nothing'],
  ])('%j', (answer, sentence) => {
    expect(answerDifference(cut, answer)).toBe(sentence);
  });

  it('is reported when an error is expected, and no error or another one comes', () => {
    const failing: Vector = {
      ...cut,
      result: 'invalid',
      error: 'truncated-stream',
      expect: { content: 'a' },
    };
    expect(answerDifference(failing, right)).toBe('expected an error (truncated-stream); came a response');
    expect(answerDifference(failing, { ...right, error: true, code: 'provider' })).toBe(
      'expected the error truncated-stream; came "provider"',
    );
    expect(answerDifference(failing, { ...right, error: true, code: 'truncated-stream' })).toBeUndefined();
  });

  it('is reported for an input that is invalid for llm.decode', () => {
    expect(() => referenceAnswer({ dialect: 'morse' })).toThrow(RangeError);
  });
});
