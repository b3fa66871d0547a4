/** Clients that wait too long, or do not close an aborted response. */
import { intercepted, onOutput } from '../../../../src/kit/suite/index.ts';
import type { RoleFault } from '../../../../src/kit/suite/index.ts';
import type { ClientMessage } from '../../../../src/llm/index.ts';
import { hosted, roleOf } from '../target.ts';
import { changeExchange } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

/** A role that never closes its connections. */
const neverCloses = (): RoleFault<unknown, ClientMessage, ClientMessage> => onOutput('close', () => []);

export const timeFaults: ClientFaults = {
  'keeps-aborted-connection': {
    make: (reference) =>
      hosted(intercepted(roleOf(changeExchange({ cancel: () => [] }), reference), neverCloses)),
  },
  'waits-for-ever': { job: (job) => ({ ...job, idle: 1e9 }) },
  'waits-its-own-time': { job: (job) => ({ ...job, idle: 10_000 }) },
};
