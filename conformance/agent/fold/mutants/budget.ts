/** Mutants that do not mind the context window: AGENT-13 and AGENT-14. */
import { wholeAgentPeer } from '../target.ts';
import type { WholeAgentFaults } from './mutant.ts';

/** A window that nothing fills (tokens). */
const boundless = 1_000_000_000;

export const budgetFaults: WholeAgentFaults = {
  'ignores-window': { make: (options) => wholeAgentPeer({}, { ...options, window: boundless }) },
  'grows-after-overflow': () => {
    let hasOverflowed = false;
    return {
      parts: {
        failure: ({ message }, shown) => {
          hasOverflowed ||= message.includes('too long');
          return { kind: shown ? 'stream' : 'overflow' };
        },
        request: (request) => (hasOverflowed ? { ...request, system: 'Be brief. '.repeat(2000) } : request),
      },
    };
  },
};
