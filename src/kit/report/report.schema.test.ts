import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { Report } from '../base/index.ts';
import { isObject, verdicts } from '../base/index.ts';
import { jsonReport } from './json.ts';
import { lostEnd, mixed, paired, pairs, passing, row, sample, violated } from './sample.test-helper.ts';

const path = new URL('../../../spec/formats/report.schema.json', import.meta.url);
const schema: unknown = JSON.parse(readFileSync(path, 'utf8'));
if (!isObject(schema)) throw new Error('the report schema is no object');

const validate = new Ajv({ strict: true, strictTypes: true, allErrors: true }).compile(schema);

const complaints = (value: unknown): readonly string[] => {
  validate(JSON.parse(JSON.stringify(value)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** The report without one of its properties. */
const without = (key: keyof Report): Partial<Report> => {
  const { [key]: _, ...rest } = mixed;
  return rest;
};

/** All subschemas under `properties`, with their path. */
const properties = (node: unknown, at: string): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(node)) return node.flatMap((item, i) => properties(item, `${at}/${i}`));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const own =
      key === 'properties' && isObject(value) && !at.includes('/allOf/')
        ? Object.entries(value).map(([name, sub]) => [`${at}/${name}`, sub] as const)
        : [];
    return [...own, ...properties(value, `${at}/${key}`)];
  });
};

describe('the schema of the report', () => {
  it('takes what the JSON report writes', () => {
    expect(complaints(JSON.parse(jsonReport(passing)))).toEqual([]);
    expect(complaints(JSON.parse(jsonReport(mixed)))).toEqual([]);
    expect(complaints(JSON.parse(jsonReport(paired)))).toEqual([]);
  });

  it.each(Object.keys(mixed).filter((key) => key !== 'target_output'))('misses %s', (key) => {
    expect(complaints(without(key as keyof Report))).toEqual([` must have required property '${key}'`]);
  });

  it('does without the output of the target', () => {
    expect(complaints(without('target_output'))).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['another format', { ...mixed, wireproof: 'report/2' }],
    ['an unknown property', { ...mixed, passed: true }],
    ['an unknown verdict', { ...mixed, verdict: 'passed' }],
    ['a number for a seed', { ...mixed, seed: 7 }],
    ['a negative duration', { ...mixed, duration_ms: -1 }],
    [
      'a scope without untestable',
      { ...mixed, scope: { drive: 'llm', must: { applicable: 1, exercised: 1 } } },
    ],
    ['a missing count', { ...mixed, counts: { pass: 1 } }],
    ['half a count', { ...mixed, counts: { ...mixed.counts, pass: 0.5 } }],
    ['an unknown level', { ...mixed, requirements: [{ ...row('A'), level: 'REQUIRED' }] }],
    ['a source without a document', { ...mixed, requirements: [{ ...row('A'), source: { section: '1' } }] }],
    ['a position before the trace', sample([violated('A', { evidence: [{ trace: 't', seq: -1 }] })])],
    ['an unknown word for proves', { ...mixed, requirements: [{ ...row('A'), proves: 'library' }] }],
    [
      'a comparison from nowhere',
      sample([violated('A', { comparison: { ...lostEnd, from: 'aside' as 'above' } })]),
    ],
    [
      'a pair with a verdict of a run',
      { ...paired, grid: { ...pairs, cells: [{ ...pairs.cells[0], verdict: 'partial' }] } },
    ],
    ['a grid without axes', { ...paired, grid: { cells: [] } }],
    ['an exclusion without a reason', { ...mixed, excluded: [{ id: 'A' }] }],
    [
      'a scenario that is neither done nor not',
      { ...mixed, scenarios: [{ name: 'x', outcome: 'ok', duration_ms: 1 }] },
    ],
  ])('refuses %s', (_, value) => {
    expect(complaints(value)).not.toEqual([]);
  });

  it('refuses a pass that was never exercised', () => {
    expect(complaints(sample([row('A', { exercised: 0 })]))).not.toEqual([]);
  });

  it.each(['not-observed', 'not-applicable', 'untestable'] as const)('wants a reason for %s', (verdict) => {
    expect(complaints(sample([row('A', { verdict, exercised: 0 })]))).not.toEqual([]);
    expect(complaints(sample([row('A', { verdict, exercised: 0, reason: 'why' })]))).toEqual([]);
  });

  it('wants a message for a failure', () => {
    expect(complaints(sample([row('A', { verdict: 'fail' })]))).not.toEqual([]);
  });

  it('has the verdicts of the contract', () => {
    expect(Object.keys(passing.counts)).toEqual([...verdicts]);
    for (const verdict of verdicts) {
      expect(complaints(sample([row('A', { verdict, reason: 'why', message: 'what' })]))).toEqual([]);
    }
  });

  it('describes every property', () => {
    const all = properties(schema, '');
    expect(all.length).toBeGreaterThan(50);
    const silent = all.filter(([, sub]) => !isObject(sub) || typeof sub['description'] !== 'string');
    expect(silent.map(([name]) => name)).toEqual([]);
  });
});
