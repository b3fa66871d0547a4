/**
 * The hand-written sessions of subagents and orchestrators against the rules. They were written from the source
 * document by someone who had not seen the rules, so that a misreading shared by rule, mutant and reference shows here.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/kit/base/index.ts';
import { Judge } from '../../src/kit/check/index.ts';
import type { Suite } from '../../src/kit/check/index.ts';
import { packageRoot, parseEvent, parseHeader, readRequirements } from '../../src/kit/spec/index.ts';
import { toonOrchestrator, toonSubagent } from './index.ts';
import type { ToonView } from './view.ts';

const folder = join(packageRoot(), 'fixtures', 'toon', 'sessions');
const { requirements } = readRequirements('toon');

/** Which requirements a session violates, and which it exercises. */
function judge(suite: Suite<ToonView>, name: string): { violated: string[]; exercised: string[] } {
  const [first = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  parseHeader(first, `${name}:1`);
  const one = new Judge(suite.judging);
  let before: TraceEvent | undefined;
  lines.forEach((line, i) => {
    before = parseEvent(line, `${name}:${i + 2}`, before);
    one.step(before);
  });
  const found = [...one.end()];
  return {
    violated: found.flatMap(([id, f]) => (f.violations.length > 0 ? [id] : [])),
    exercised: found.flatMap(([id, f]) => (f.exercised > 0 ? [id] : [])),
  };
}

describe.each([
  ['subagent', toonSubagent],
  ['orchestrator', toonOrchestrator],
] as const)('hand-written sessions of a %s', (role, suite) => {
  const rows = requirements.filter((row) => row.roles.includes(role) && row.excluded === undefined);
  const names = readdirSync(folder).filter((name) => name.includes(`.${role}.`));
  const of = (kind: string): string[] => names.filter((name) => name.includes(`.${role}.${kind}`));

  it('are there for every MUST, a good one and a bad one', () => {
    const musts = rows.filter((row) => row.level === 'MUST').map((row) => row.id);
    const lacking = musts.filter((id) =>
      ['good', 'bad'].some((kind) => !names.includes(`${id}.${role}.${kind}.jsonl`)),
    );
    expect(lacking).toEqual([]);
  });

  it.each(of('good'))('%s exercises its requirement, and violates nothing', (name) => {
    const { violated, exercised } = judge(suite, name);
    expect(violated).toEqual([]);
    expect(exercised).toContain(name.slice(0, 7));
  });

  it.each(of('bad'))('%s violates its requirement, and only what that entails', (name) => {
    const id = name.slice(0, 7);
    const entailed = rows.find((row) => row.id === id)?.entails?.map((row) => row.id) ?? [];
    const { violated } = judge(suite, name);
    expect(violated).toContain(id);
    expect(violated.filter((other) => other !== id && !entailed.includes(other))).toEqual([]);
  });
});
