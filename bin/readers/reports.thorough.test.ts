/** `report merge`, `report diff`, `report matrix` and `view` of reports; see readers.test-helper.ts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import type { Report, RequirementOutcome, ShardFacts } from '../../src/kit/base/index.ts';
import { mergeShards } from '../../src/kit/judge/index.ts';
import {
  consoleDiff,
  diffReports,
  htmlMatrix,
  htmlReport,
  markdownMatrix,
  matrixOf,
  renderers,
} from '../../src/kit/report/index.ts';
import { readReport } from '../../src/kit/spec/index.ts';
import { filled, holds, worstJson } from './readers.test-helper.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'a.json');

const many = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));
const source = { document: 'd', revision: 'r', section: 's' };
const facts = (n: number): { id: string; level: 'MUST'; text: string; source: typeof source } => ({
  id: `FOLD-A${n}`,
  level: 'MUST',
  text: 't',
  source,
});
const row = (n: number, given: Partial<RequirementOutcome> = {}): RequirementOutcome => ({
  ...facts(n),
  verdict: 'pass',
  exercised: 1,
  ...given,
});
const failure = {
  verdict: 'fail',
  message: 'm',
  evidence: [{ trace: 'a', seq: 1 }],
  excerpt: ['x'],
  replay: 'r',
} as const;

const counts = { pass: 1, fail: 0, 'not-observed': 0, 'not-applicable': 0, untestable: 0, error: 0 };

const sample = (given: Partial<Report>): Report => ({
  wireproof: 'report/1',
  kit: '1.0.0',
  suite: 'fold/agent',
  revision: 'r',
  target: 'a',
  drive: 'passive',
  features: [],
  seed: '0',
  duration_ms: 1,
  interrupted: false,
  strict: false,
  verdict: 'conformant',
  scope: { drive: 'passive', must: { applicable: 1, exercised: 1, untestable: 0 } },
  counts,
  requirements: [],
  excluded: [],
  scenarios: [],
  problems: [],
  notes: [],
  ...given,
});

const shard = (given: Partial<ShardFacts>): Report =>
  sample({
    shard: {
      part: 1,
      of: 1,
      met: true,
      drive_named: false,
      today: '2026-01-01',
      absent: false,
      requirements: [],
      scenarios: [],
      skipped: [],
      expected: [],
      handles: {},
      excused: {},
      problems: [],
      findings: [],
      ...given,
    },
  });

const violation = {
  scenario: 's',
  message: 'm',
  evidence: [{ trace: 'a', seq: 1 }],
  excerpt: ['x'],
  replay: 'r',
  unexpected: true,
};
const found = (n: number): ShardFacts['findings'][number] => ({
  id: `FOLD-A${n}`,
  traces: 1,
  exercised: 1,
  unknowable: 0,
  violation,
  places: [{ trace: 'a', scenario: 's' }],
});

const whole: { readonly [kind: string]: string } = {
  ...worstJson,
  ...Object.fromEntries(
    Object.entries({
      'many rows': sample({ requirements: many(7000, (n) => row(n)) }),
      'many failures': sample({
        requirements: many(4000, (n) => row(n, failure)),
        verdict: 'not-conformant',
      }),
      'many reasons': sample({
        requirements: many(6000, (n) => row(n, { verdict: 'not-observed', reason: `r${n}` })),
      }),
      'a failure with much evidence': sample({
        requirements: [row(1, { ...failure, evidence: many(40_000, (n) => ({ trace: 'a', seq: n })) })],
      }),
      'a failure with a long excerpt': sample({
        requirements: [row(1, { ...failure, excerpt: many(100_000, () => 'x') })],
      }),
      'a long message': sample({ requirements: [row(1, { ...failure, message: filled('<') })] }),
      'a message of escapes': sample({ requirements: [row(1, { ...failure, message: filled('\u0007') })] }),
      'many scenarios': sample({
        requirements: [row(1)],
        scenarios: many(15_000, (n) => ({ name: `s${n}`, outcome: 'done' as const, duration_ms: 1 })),
      }),
      'many problems': sample({ requirements: [row(1)], problems: many(100_000, (n) => `p${n}`) }),
      'many features': sample({ requirements: [row(1)], features: many(100_000, (n) => `f${n}`) }),
      'much output': sample({
        requirements: [row(1, failure)],
        target_output: many(100_000, (n) => `o${n}`),
      }),
    }).map(([kind, report]) => [kind, JSON.stringify(report)]),
  ),
};

const shards: { readonly [kind: string]: string } = Object.fromEntries(
  Object.entries({
    'many rows': shard({ requirements: many(5000, facts), findings: many(5000, (n) => ({ ...found(n) })) }),
    'findings of one row': shard({ requirements: many(3000, facts), findings: many(3000, () => found(1)) }),
    'rows that entail each other': shard({
      requirements: many(3000, (n) => ({ ...facts(n), entails: [{ id: `FOLD-A${n + 1}`, why: 'w' }] })),
      findings: many(3000, found),
    }),
    'a row that entails all': shard({
      requirements: many(3000, (n) => ({
        ...facts(n),
        ...(n === 0 ? { entails: many(3000, (k) => ({ id: `FOLD-A${k}`, why: 'w' })) } : {}),
      })),
      findings: many(3000, found),
    }),
    'many scenarios': shard({
      requirements: many(3000, facts),
      scenarios: many(8000, (n) => ({ name: `s${n}`, exercises: ['FOLD-A1', `FOLD-A${n}`] })),
    }),
    'many known failures': shard({
      requirements: many(4000, facts),
      expected: many(8000, (n) => ({ id: `FOLD-A${n}`, reason: 'r' })),
      findings: many(2000, found),
    }),
    'many claims': shard({
      requirements: many(1, facts),
      claimed: {
        stated: many(60_000, (n) => `s${n}`),
        advertised: many(60_000, (n) => `a${n}`),
        open: false,
      },
    }),
  }).map(([kind, report]) => [kind, JSON.stringify(report)]),
);

/** A read report. */
function reportIn(text: string): Report {
  writeFileSync(file, text);
  return readReport(file);
}

describe('reports', () => {
  holds<string>(
    {
      'report diff': (text) => {
        const report = reportIn(text);
        return consoleDiff(diffReports(sample({ requirements: [row(1)] }), report));
      },
      'report matrix': (text) => {
        const report = reportIn(text);
        const sections = matrixOf([{ name: 'a', report }]);
        return [htmlMatrix(sections), markdownMatrix(sections)];
      },
      view: (text) => htmlReport(reportIn(text), { color: false }),
      ...Object.fromEntries(
        Object.entries(renderers).map(([format, write]) => [
          `the report ${format}`,
          (text: string) => write(reportIn(text), { color: false }),
        ]),
      ),
    },
    whole,
  );
  holds<string>(
    { 'report merge': (text) => mergeShards([{ name: 'a', report: reportIn(text) }]) },
    { ...whole, ...shards },
  );
});
