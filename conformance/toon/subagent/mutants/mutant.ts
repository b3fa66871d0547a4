/** Makes mutants of subagents. */
import { onInput } from '../../../../src/kit/suite/index.ts';
import type { MakeFaulty } from '../../../../src/kit/suite/index.ts';
import { subagent } from '../../../../src/toon/index.ts';
import { subagentOptions } from '../../shared/peers.ts';
import { peerWith } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext, OptionedFault } from '../../shared/mutants/mutant.ts';

/** Makes the reference subagent with a fault. */
export const subagentWith: MakeFaulty<(() => PeerFault) | OptionedFault> = peerWith((given) =>
  subagent(subagentOptions(given)),
);

/** Acts right after it is connected. */
export const atFirst = (then: (context: FaultContext) => void) => (): PeerFault =>
  onInput('opened', (_, context) => then(context));
