/** Mutants that do not ask before a gated tool runs: FOLD-A32. */
import type { WholeAgentFaults } from './mutant.ts';

export const approvalFaults: WholeAgentFaults = {
  'never-asks': () => ({ parts: { gates: () => false } }),
  'asks-once': () => {
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
  },
};
