/** All lawful agents, by theme. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { agentWith } from '../mutants/mutant.ts';
import { lawfulPassive } from './passive.ts';
import { lawfulRegistrations } from './registration.ts';
import { lawfulRequests } from './requests.ts';
import { lawfulSteering } from './steering.ts';
import { lawfulTools } from './tools.ts';

export const lawfulAgents: () => readonly LawfulPeer[] = lawfulOf(
  'fold/agent',
  [lawfulRegistrations, lawfulRequests, lawfulTools, lawfulSteering, lawfulPassive],
  agentWith,
);
