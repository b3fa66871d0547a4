/** Mutants that do not ask before a gated tool runs: FOLD-A32. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { mutant } from './mutant.ts';

/** The mutants of this theme. */
export const approvalMutants: readonly Mutant[] = [
  mutant('FOLD-A32', 'never-asks', 'It runs gated tools without an approval.', () => ({
    parts: { gates: () => false },
  })),
  mutant('FOLD-A32', 'asks-once', 'It takes one approval for an approval of all later calls.', () => {
    let hasAsked = false;
    return {
      parts: {
        gates({ name }, gated) {
          const asks = gated.includes(name) && !hasAsked;
          hasAsked ||= asks;
          return asks;
        },
      },
    };
  }),
];
