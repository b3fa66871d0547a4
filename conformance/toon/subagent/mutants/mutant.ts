/** Makes mutants of subagents. */
import { subagent } from '../../../../src/toon/index.ts';
import { subagentOptions } from '../../shared/peers.ts';
import { mutantsOf } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext, MakeMutant } from '../../shared/mutants/mutant.ts';

/** Makes a mutant of the reference subagent. */
export const mutant: MakeMutant = mutantsOf((given) => subagent(subagentOptions(given)));

/** Acts right after it is connected. */
export const atFirst = (then: (context: FaultContext) => void) => (): PeerFault => ({
  input(input, context) {
    if (input.type === 'opened') then(context);
    return [input];
  },
});
