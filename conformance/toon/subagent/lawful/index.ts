/** All lawful TOON subagents. spec/toon/lawful.md lists them. */
import { lawfulOf } from '../../../../src/kit/suite/index.ts';
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { subagentWith } from '../mutants/mutant.ts';
import { headerPeers } from './header.ts';
import { mannerPeers } from './manners.ts';
import { payloadPeers } from './payloads.ts';
import { workPeers } from './work.ts';

/** Subagents with oddities that the protocol allows. */
export const lawfulSubagents: () => readonly LawfulPeer[] = lawfulOf(
  'toon/subagent',
  [headerPeers, payloadPeers, workPeers, mannerPeers],
  subagentWith,
);
