/** Mutants that do not mind the context window: AGENT-13 and AGENT-14. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { wholeAgentPeer } from '../target.ts';
import { mutant } from './mutant.ts';

/** A window that nothing fills (tokens). */
const boundless = 1_000_000_000;

/** The mutants of this theme. */
export const budgetMutants: readonly Mutant[] = [
  {
    id: 'ignores-window',
    breaks: 'AGENT-13',
    title: 'It sends the whole thread, however large its window is.',
    make: (options) => wholeAgentPeer({}, { ...options, window: boundless }),
  },
  mutant('AGENT-14', 'grows-after-overflow', 'After an overflow it sends a larger request.', () => {
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
  }),
];
