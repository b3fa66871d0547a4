/** The plan by which TOON's vectors become scenarios. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { VectorFile } from '../../../src/kit/spec/index.ts';
import type { ScenarioPlan, UnitsOfOp } from '../../../src/kit/testee/index.ts';

/** The flag of two consecutive tests of the same bytes, by `toon.validate` and `toon.decode`. */
const pair = 'pair';

/** A message with a large run. Every codec with compression compresses it. */
const compressible: JsonObject = {
  op: 'toon.encode',
  type: 'TOOL_RESULT',
  payload: { success: true, data: 'x'.repeat(2000) },
  sequenceId: 7,
  timestamp: '1700000000000',
  compress: true,
};

export const codecPlan: ScenarioPlan = { testsAtMost: 40, nameOf, unitsOf, afterHello: { compressible } };

/** The name of a scenario, such as `rle-encode` for `toon.rle.encode` of rle.json: the file's words, then the operation's new words. */
function nameOf(theme: string, op: string): string {
  const words = theme.split('-');
  const own = op.split('.').slice(1);
  return [...words, ...own.filter((word) => !words.includes(word))].join('-');
}

/** The tests of a file by operation. A pair of tests is one unit. */
function unitsOf({ vectors }: VectorFile): readonly UnitsOfOp[] {
  const puts = vectors.groups.flatMap(({ op, tests }) => tests.map((test) => ({ op, test })));
  const seconds = puts.filter(({ op, test }) => op === 'toon.decode' && test.flags.includes(pair));
  const secondOf = new Map(seconds.map((put) => [put.test['wire'], put]));
  const paired = new Set(seconds.map(({ test }) => test));
  return vectors.groups.map(({ op, tests }) => ({
    op,
    units: tests
      .filter((test) => !paired.has(test))
      .map((test) => {
        const second = op === 'toon.validate' ? secondOf.get(test['wire']) : undefined;
        return second === undefined ? [{ op, test }] : [{ op, test }, second];
      }),
  }));
}
