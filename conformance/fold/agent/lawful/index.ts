/** All lawful agents, by theme. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { lawfulPassive } from './passive.ts';
import { lawfulRegistrations } from './registration.ts';
import { lawfulRequests } from './requests.ts';
import { lawfulSteering } from './steering.ts';
import { lawfulTools } from './tools.ts';

/** Every lawful agent. */
export const lawfulAgents: readonly LawfulPeer[] = [
  ...lawfulRegistrations,
  ...lawfulRequests,
  ...lawfulTools,
  ...lawfulSteering,
  ...lawfulPassive,
];
