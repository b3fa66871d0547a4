/** How TOON's vectors become scenarios. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { VectorFile } from '../../../src/kit/spec/index.ts';
import type { ScenarioPlan, UnitsOfOp } from '../../../src/kit/testee/index.ts';

/** Flag of a test of `toon.validate` and one of `toon.decode` on the same bytes, put one after the other. */
const pair = 'pair';

/** A large run: a codec that compresses at all does so here. */
const compressible: JsonObject = {
  op: 'toon.encode',
  type: 'TOOL_RESULT',
  payload: { success: true, data: 'x'.repeat(2000) },
  sequenceId: 7,
  timestamp: '1700000000000',
  compress: true,
};

/** The plan. */
export const codecPlan: ScenarioPlan = { testsAtMost: 40, nameOf, unitsOf, afterHello: { compressible } };

/** Such as `rle-encode` for `toon.rle.encode` of rle.json: words of the file, then those of the operation that are new. */
function nameOf(theme: string, op: string): string {
  const words = theme.split('-');
  const own = op.split('.').slice(1);
  return [...words, ...own.filter((word) => !words.includes(word))].join('-');
}

/** The tests of a file by operation; the two of a pair are one unit. */
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
