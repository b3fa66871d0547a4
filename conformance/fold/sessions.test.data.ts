/** Judges a hand-written session of fixtures/fold/sessions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceEvent } from '../../src/kit/base/index.ts';
import { Judge } from '../../src/kit/check/index.ts';
import type { Judging } from '../../src/kit/check/index.ts';
import { packageRoot, parseEvent, parseHeader } from '../../src/kit/spec/index.ts';

/** Where the sessions are. */
export const folder: string = join(packageRoot(), 'fixtures', 'fold', 'sessions');

/** Which requirements a session violates, and which it exercises. */
export function judgeSession<V>(
  judging: Judging<V>,
  name: string,
): { violated: string[]; exercised: string[] } {
  const [first = '', ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  parseHeader(first, `${name}:1`);
  const judge = new Judge(judging);
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
