/** All lawful gateways: the reference with one oddity each that the documents allow. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { lawfulCalls } from './calls.ts';
import { lawfulEvents } from './events.ts';
import { lawfulPacks } from './packs.ts';
import { lawfulRegistrations } from './registration.ts';

/** Every lawful gateway. */
export const lawfulGateways: readonly LawfulPeer[] = [
  ...lawfulRegistrations,
  ...lawfulEvents,
  ...lawfulCalls,
  ...lawfulPacks,
];
