/** All lawful clients, by theme. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { lawfulPrograms } from './programs.ts';
import { lawfulRequests } from './requests.ts';
import { lawfulTestees } from './testees.ts';

/** Every lawful client. */
export const lawfulClients: readonly LawfulPeer[] = [...lawfulPrograms, ...lawfulRequests, ...lawfulTestees];
