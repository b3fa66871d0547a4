/**
 * The hand-written sessions of clients against the rules: composed from the documents that the rows cite, and not
 * recorded from the reference, so that a misreading shared by rule, mutant and reference shows here.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/check/index.ts';
import { packageRoot, parseEvent, parseHeader, readRequirements } from '../../../src/kit/spec/index.ts';
import { clientRules } from './rules.ts';
import { judgedBy } from './view.ts';

const folder = join(packageRoot(), 'fixtures', 'llm', 'sessions', 'client');
const rows = readRequirements('llm').requirements.filter((row) => row.roles.includes('client'));
const names = readdirSync(folder);

/** Which requirements a session violates, and which it exercises. */
function judge(name: string): { violated: string[]; exercised: string[] } {
  const [first = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  parseHeader(first, `${name}:1`);
  const judge = new Judge({ rules: clientRules, ...judgedBy });
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

describe('hand-written sessions of clients', () => {
  it('has a good and a bad one for every row', () => {
    const ids = rows.filter((row) => row.excluded === undefined).map(({ id }) => id);
    const lacking = ids.filter(
      (id) => !names.includes(`${id}.good.jsonl`) || !names.includes(`${id}.bad.jsonl`),
    );
    expect(lacking).toEqual([]);
    expect(ids.length).toBe(23);
  });

  it('has no others', () => {
    const named = /^(LLM-C\d\d)\.(?:good|bad|bad-[2-9])\.jsonl$/;
    expect(names.filter((name) => !rows.some(({ id }) => id === named.exec(name)?.[1]))).toEqual([]);
  });

  it.each(names.filter((name) => name.includes('.good.')))(
    '%s exercises its requirement, and violates nothing',
    (name) => {
      const { violated, exercised } = judge(name);
      expect(violated).toEqual([]);
      expect(exercised).toContain(name.slice(0, 7));
    },
  );

  it.each(names.filter((name) => name.includes('.bad')))(
    '%s violates its requirement, and only what that entails',
    (name) => {
      const id = name.slice(0, 7);
      const entailed = rows.find((row) => row.id === id)?.entails?.map((e) => e.id) ?? [];
      const { violated } = judge(name);
      expect(violated).toContain(id);
      expect(violated.filter((v) => v !== id && !entailed.includes(v))).toEqual([]);
    },
  );
});
