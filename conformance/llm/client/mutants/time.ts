/** Clients that wait too long, or do not close an aborted response. */
import { intercepted } from '../../../../src/kit/suite/index.ts';
import type { Mutant, RoleFault } from '../../../../src/kit/suite/index.ts';
import type { ClientMessage } from '../../../../src/llm/index.ts';
import { hosted, roleOf } from '../target.ts';
import { changeExchange, mutant } from './mutant.ts';

/** A role that never closes its connections. */
const neverCloses = (): RoleFault<unknown, ClientMessage, ClientMessage> => ({
  output: (output) => (output.type === 'close' ? [] : [output]),
});

/** The mutants about time. */
export const timeMutants: readonly Mutant[] = [
  {
    breaks: 'LLM-C10',
    id: 'keeps-aborted-connection',
    title: 'does not close an aborted response',
    make: (reference) =>
      hosted(intercepted(roleOf(changeExchange({ cancel: () => [] }), reference), neverCloses)),
  },
  mutant('LLM-C15', 'waits-for-ever', 'waits forever for a stalled stream', {
    job: (job) => ({ ...job, idle: 1e9 }),
  }),
  mutant('LLM-C23', 'waits-its-own-time', "waits longer for a stalled stream than the caller's timeout", {
    job: (job) => ({ ...job, idle: 10_000 }),
  }),
];
