/**
 * The hand-written sessions against the rules. They were written from the source documents by someone who had not
 * seen the rules, so that a misreading shared by rule, mutant and reference shows here.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot, parseEvent, parseHeader, readRequirements } from '../../../src/kit/spec/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/check/index.ts';
import { gatewayRules } from './rules/index.ts';
import { topicOf } from './topics.ts';
import { startGatewayView, stepGatewayView } from './view.ts';

const folder = join(packageRoot(), 'fixtures', 'fold', 'sessions');
const rows = readRequirements('fold').requirements.filter((row) => row.role === 'gateway');

function judge(name: string): { violated: string[]; exercised: string[] } {
  const [first = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  parseHeader(first, `${name}:1`);
  const judge = new Judge({
    rules: gatewayRules,
    topicOf,
    view: { start: startGatewayView, step: stepGatewayView },
  });
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

describe('hand-written sessions of Fold gateways', () => {
  const names = readdirSync(folder).filter((name) => /^FOLD-G\d+\.(good|bad)\.jsonl$/.test(name));
  const ids = [...new Set(names.map((name) => name.slice(0, 8)))];
  const entailed = (id: string): readonly string[] =>
    rows.find((row) => row.id === id)?.entails?.map((e) => e.id) ?? [];

  it('has a good and a bad one for every row that can fail', () => {
    expect(ids.length).toBe(53); // FOLD-G40 is a MAY
    expect(names.length).toBe(106);
  });

  it.each(ids)('%s: the good one exercises it, and nothing is violated', (id) => {
    const { violated, exercised } = judge(`${id}.good.jsonl`);
    expect(violated).toEqual([]);
    expect(exercised).toContain(id);
  });

  it.each(ids)('%s: the bad one violates it, and only what it entails', (id) => {
    const { violated } = judge(`${id}.bad.jsonl`);
    expect(violated).toContain(id);
    expect(violated.filter((v) => v !== id && !entailed(id).includes(v))).toEqual([]);
  });
});
