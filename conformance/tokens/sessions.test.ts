/**
 * The hand-written sessions of token managers against the rules. They were written from the requirements' sentences and
 * not recorded, so that a misreading shared by rule, mutant and reference shows here.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/kit/base/index.ts';
import { Judge } from '../../src/kit/check/index.ts';
import { packageRoot, parseEvent, parseHeader, readRequirements } from '../../src/kit/spec/index.ts';
import { managerRules } from './rules.ts';
import { judgedBy } from './view.ts';

const folder = join(packageRoot(), 'fixtures', 'tokens', 'sessions');
const rows = readRequirements('tokens').requirements.filter((row) => row.roles.includes('manager'));
const names = readdirSync(folder).filter((name) => name.includes('.manager.'));

/** Which requirements a session violates, and which it exercises. */
function judge(name: string): { violated: string[]; exercised: string[] } {
  const [first = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  parseHeader(first, `${name}:1`);
  const judge = new Judge({ rules: managerRules, ...judgedBy });
  let before: TraceEvent | undefined;
  lines.forEach((line, i) => {
    before = parseEvent(line, `${name}:${i + 2}`, before);
    judge.step(before);
  });
  const found = [...judge.end()];
  return {
    violated: found.flatMap(([id, f]) => (f.violations.length > 0 ? [id] : [])),
    exercised: found.flatMap(([id, f]) => (f.exercised > 0 ? [id] : [])),
  };
}

describe('hand-written sessions of token managers', () => {
  it('has a good and a bad one for every row that can be broken', () => {
    const owed = rows.filter(({ excluded, level }) => excluded === undefined && level !== 'MAY');
    const ids = owed.map(({ id }) => id);
    const lacking = ids.filter(
      (id) => !names.includes(`${id}.manager.good.jsonl`) || !names.includes(`${id}.manager.bad.jsonl`),
    );
    expect(lacking).toEqual([]);
    expect(ids.length).toBe(40);
  });

  it('has no others', () => {
    const named = /^(TOK-\d\d)\.manager\.(?:good|bad|bad-[2-9])\.jsonl$/;
    expect(names.filter((name) => !rows.some(({ id }) => id === named.exec(name)?.[1]))).toEqual([]);
  });

  it.each(names.filter((name) => name.includes('.good.')))(
    '%s exercises its requirement, and violates nothing',
    (name) => {
      const { violated, exercised } = judge(name);
      expect(violated).toEqual([]);
      expect(exercised).toContain(name.slice(0, 6));
    },
  );

  it.each(names.filter((name) => name.includes('.bad')))(
    '%s violates its requirement, and only what that entails',
    (name) => {
      const id = name.slice(0, 6);
      const entailed = rows.find((row) => row.id === id)?.entails?.map((e) => e.id) ?? [];
      const { violated } = judge(name);
      expect(violated).toContain(id);
      expect(violated.filter((v) => v !== id && !entailed.includes(v))).toEqual([]);
    },
  );
});
