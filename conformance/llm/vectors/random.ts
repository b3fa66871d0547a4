/** The random tests of a dialect: drawn generations on its wire. */
import type { RandomTests } from '../../../src/kit/testee/index.ts';
import { drawGeneration } from './draw.ts';
import { llmVector } from './vector.ts';
import type { DialectWire } from './vector.ts';

/** Which of the random tests the limit cuts. */
const cuts = [false, false, false, true, true];

/** The random tests of a dialect. */
export const randomTests =
  (dialect: string, wire: DialectWire): RandomTests =>
  (seed, random) => ({
    'llm.decode': cuts.map((cut, i) => {
      const drawn = drawGeneration(random, { cut });
      const { open, ...dropped } = drawn.outcome;
      const isShown = wire.hidesCutCalls !== true;
      const rows = cut ? [...(isShown ? ['LLM-C01'] : []), 'LLM-C03', 'LLM-C04'] : ['LLM-C11', 'LLM-C17'];
      return llmVector(wire, {
        id: `${dialect}-random-${seed}-${i}`,
        comment: cut
          ? 'a drawn text, and calls, the last of which the limit cut'
          : 'a drawn text, and calls, if any',
        requirements: rows,
        dialect,
        wire: wire.wireOf(drawn),
        ...dropped,
        ...(isShown && open !== undefined ? { open } : {}),
      });
    }),
  });
