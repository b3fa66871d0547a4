/** The random cases of a dialect: drawn generations, put on its wire. */
import type { Vector } from '../../../src/kit/spec/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { draw } from './draw.ts';
import type { Drawn } from './draw.ts';
import { flagged } from './table.ts';
import type { CaseWriter, VectorWire } from './table.ts';

/** Which of the random cases the limit cuts. */
const cuts = [false, false, false, true, true];

/** The random cases of a seed; `shown` is whether the dialect shows anything of a call that the limit cut. */
export const randomCases = (
  { valid }: CaseWriter,
  seed: string,
  random: Random,
  wireOf: (drawn: Drawn) => VectorWire,
  shown = true,
): readonly Vector[] =>
  flagged(
    'random',
    cuts.map((cut, i) => {
      const drawn = draw(random, { cut });
      const { open, ...dropped } = drawn.outcome;
      const outcome = shown && open !== undefined ? { ...dropped, open } : dropped;
      const what = cut
        ? 'a drawn text, and calls, the last of which the limit cut'
        : 'a drawn text, and calls, if any';
      const rows = cut ? `${shown ? 'C01 ' : ''}C03 C04` : 'C11 C17';
      return valid(`random-${seed}-${i}`, what, rows, wireOf(drawn), outcome);
    }),
  );
