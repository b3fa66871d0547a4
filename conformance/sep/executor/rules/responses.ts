/** Rules about responses and iterations: SEP-51 and 52. */
import { mismatch } from '../../../../src/kit/testee/index.ts';
import type { RunRules } from './rule.ts';

/** The rules of this file. */
export const responseRules: RunRules = {
  'SEP-51': ({ finals, responses }, event) => {
    if (event['type'] === 'response_end' && event['final'] === true && event['complete'] !== false)
      return finals === 0 ? undefined : mismatch('at most one final response', 'a second one');
    return event['type'] === 'finished' && responses > 1 ? 'exercised' : undefined;
  },

  'SEP-52': ({ finals, responses }, event) => {
    if (event['type'] === 'iteration') return event['n'] === 1 ? undefined : 'exercised';
    // A run without ends of responses may have had a final one.
    if (event['type'] !== 'finished' || event['reason'] !== 'final' || responses === 0 || finals > 0)
      return undefined;
    return mismatch('a further iteration after responses that are not final', 'finished');
  },
};
