/** Clients that wait too long, or do not let go. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { ClientRole } from '../../../../src/llm/index.ts';
import { hosted, roleOf } from '../target.ts';
import { changed, wrong } from './mutant.ts';

/** A role that never closes what it dialled. */
const clinging = (role: ClientRole): ClientRole => ({
  ...role,
  step(state, input, now) {
    const { state: next, outputs } = role.step(state, input, now);
    return { state: next, outputs: outputs.filter(({ type }) => type !== 'close') };
  },
});

/** Every mutant about time. */
export const timeMutants: readonly Mutant[] = [
  {
    breaks: 'LLM-C10',
    id: 'keeps-aborted-connection',
    title: 'lets an aborted response run on',
    make: (reference) => hosted(clinging(roleOf(changed({ cancel: () => [] }), reference))),
  },
  wrong('LLM-C15', 'waits-for-ever', 'waits for a stalled stream for ever', {
    job: (job) => ({ ...job, idle: 1e9 }),
  }),
  wrong('LLM-C23', 'waits-its-own-time', 'waits for a stalled stream as long as it likes', {
    job: (job) => ({ ...job, idle: 10_000 }),
  }),
];
