/** All lawful clients, by theme. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { clientWith } from '../mutants/mutant.ts';
import { lawfulKept } from './kept.ts';
import { lawfulPrograms } from './programs.ts';
import { lawfulProviders } from './providers.ts';
import { lawfulRequests } from './requests.ts';
import { lawfulSockets } from './sockets.ts';
import { lawfulTestees } from './testees.ts';

export const lawfulClients: () => readonly LawfulPeer[] = lawfulOf(
  'llm/client',
  [lawfulPrograms, lawfulRequests, lawfulSockets, lawfulTestees, lawfulKept, lawfulProviders],
  clientWith,
);
