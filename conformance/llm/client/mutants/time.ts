/** Clients that wait too long, or do not let go. */
import { intercepted } from '../../../../src/kit/suite/index.ts';
import type { Mutant, RoleFault } from '../../../../src/kit/suite/index.ts';
import type { ClientMessage } from '../../../../src/llm/index.ts';
import { hosted, roleOf } from '../target.ts';
import { changed, mutant } from './mutant.ts';

/** It never closes what it dialled. */
const neverCloses = (): RoleFault<unknown, ClientMessage, ClientMessage> => ({
  output: (output) => (output.type === 'close' ? [] : [output]),
});

/** Every mutant about time. */
export const timeMutants: readonly Mutant[] = [
  {
    breaks: 'LLM-C10',
    id: 'keeps-aborted-connection',
    title: 'lets an aborted response run on',
    make: (reference) => hosted(intercepted(roleOf(changed({ cancel: () => [] }), reference), neverCloses)),
  },
  mutant('LLM-C15', 'waits-for-ever', 'waits for a stalled stream for ever', {
    job: (job) => ({ ...job, idle: 1e9 }),
  }),
  mutant('LLM-C23', 'waits-its-own-time', 'waits for a stalled stream as long as it likes', {
    job: (job) => ({ ...job, idle: 10_000 }),
  }),
];
