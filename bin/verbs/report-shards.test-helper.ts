/** Checks that are played as shards, whose merged report is compared with that of the whole run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { longTimeouts, scratch, wireproof } from '../run.test-helper.ts';

/** A file of the scratch folder. */
export const path = (name: string): string => join(scratch, name);
/** The report in a file. */
export const reportAt = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;

/** What a check left. */
export interface CheckedFile {
  readonly file: string;
  readonly code: number | null;
}

/** Checks a target. @returns the file of its report, and the exit code */
export async function check(
  name: string,
  suite: string,
  target: readonly string[],
  flags: readonly string[] = [],
): Promise<CheckedFile> {
  const file = path(`${name}.json`);
  const { code } = await wireproof([
    ...['check', suite, ...longTimeouts, '--seed', '7', '--trace', 'off', '--report', `json=${file}`],
    ...flags,
    '--',
    ...target,
  ]);
  return { file, code };
}

/** Checks a target as shards. @returns the files of their reports */
async function shards(
  of: number,
  suite: string,
  target: readonly string[],
  flags: readonly string[],
): Promise<readonly string[]> {
  const files: string[] = [];
  for (let part = 1; part <= of; part++) {
    const name = `${suite.replace('/', '-')}-${part}-of-${of}`;
    files.push((await check(name, suite, target, [...flags, '--shard', `${part}/${of}`])).file);
  }
  return files;
}

/** The note of a run on a busy machine, which has a time. */
const isOfLoad = (note: string): boolean => note.startsWith('the machine was busy');

/** A report without times, without the order in which scenarios ended, and without how often and in which traces rows showed. */
function comparable(report: Report): unknown {
  return {
    ...report,
    duration_ms: 0,
    notes: report.notes.filter((note) => !isOfLoad(note)),
    requirements: report.requirements.map(({ exercised, evidence, ...row }) => ({
      ...row,
      reason: row.reason?.replace(/; the machine was busy, which may be the cause$/, ''),
      shown: exercised > 0,
      blamed: evidence !== undefined,
    })),
    scenarios: report.scenarios
      .map(({ name, outcome, reason }) => ({ name, outcome, reason }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** A check that is played as a whole and as shards. */
export interface ShardedCheck {
  readonly suite: string;
  readonly target: readonly string[];
  readonly flags: readonly string[];
  readonly of: number;
}

/** Expects of shards, merged, the report and the exit code of the run without shards. */
export async function expectShardsAsWhole({ suite, target, flags, of }: ShardedCheck): Promise<void> {
  const whole = await check(`whole-${suite.replace('/', '-')}`, suite, target, flags);
  const files = await shards(of, suite, target, flags);
  const merged = path('merged.json');
  const { code, stderr } = await wireproof(['report', 'merge', ...files, '--report', `json=${merged}`]);
  expect(comparable(reportAt(merged))).toEqual(comparable(reportAt(whole.file)));
  // The verdict and the file, and no complaint.
  expect([code, stderr.trimEnd().split('\n')]).toEqual([
    whole.code,
    [expect.stringMatching(/^(?:not )?conformant|^partial|^inconclusive/u), `report written to ${merged}`],
  ]);
  const compared = await wireproof(['report', 'diff', whole.file, merged]);
  expect(compared.stdout.trimEnd().split('\n').at(-1)).toBe('nothing became worse: no requirement differs');
  expect(compared.code).toBe(0);
}
