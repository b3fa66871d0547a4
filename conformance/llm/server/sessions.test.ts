/** The hand-written sessions against the rules: each was written from the clause that it cites, not recorded from the reference. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/check/index.ts';
import { packageRoot, parseEvent, parseHeader, readRequirements } from '../../../src/kit/spec/index.ts';
import { llmServer } from './index.ts';

const folder = join(packageRoot(), 'fixtures', 'llm', 'sessions', 'server');
const rows = readRequirements('llm').requirements.filter(
  ({ roles, excluded }) => roles.includes('server') && excluded === undefined,
);

/** Which requirements a session violates, and which it exercises. */
function judge(name: string): { violated: string[]; exercised: string[] } {
  const [first = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  parseHeader(first, `${name}:1`);
  const one = new Judge(llmServer.judging);
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

describe('hand-written sessions of model servers', () => {
  const names = readdirSync(folder);
  const ids = [...new Set(names.map((name) => name.slice(0, 7)))];

  it('are there for every row that shows on the wire, a good one and a bad one', () => {
    const expected = rows.flatMap(({ id }) => [`${id}.bad.jsonl`, `${id}.good.jsonl`]);
    expect(names.toSorted()).toEqual(expected.toSorted());
  });

  it.each(ids)('%s: the good one exercises it, and nothing is violated', (id) => {
    const { violated, exercised } = judge(`${id}.good.jsonl`);
    expect(violated).toEqual([]);
    expect(exercised).toContain(id);
  });

  it.each(ids)('%s: the bad one violates it, and nothing else', (id) => {
    expect(judge(`${id}.bad.jsonl`).violated).toEqual([id]);
  });
});
