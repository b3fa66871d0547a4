/** All lawful gateways: the reference with one oddity each that the documents allow. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { gatewayWith } from '../mutants/mutant.ts';
import { lawfulCalls } from './calls.ts';
import { lawfulEvents } from './events.ts';
import { lawfulPacks } from './packs.ts';
import { lawfulRegistrations } from './registration.ts';

export const lawfulGateways: () => readonly LawfulPeer[] = lawfulOf(
  'fold/gateway',
  [lawfulRegistrations, lawfulEvents, lawfulCalls, lawfulPacks],
  gatewayWith,
);
