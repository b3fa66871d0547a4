/** Mutants that cancel wrongly below: AGENT-01 to AGENT-03. */
import type { RoleOutput } from '../../../../src/kit/base/index.ts';
import type { AgentOut } from '../../../../src/agent/index.ts';
import { asksAgain, cancelledBy, isModelDial } from '../asks-again.ts';
import type { AgentFault } from '../target.ts';
import type { WholeAgentFaults } from './mutant.ts';

type Output = RoleOutput<AgentOut>;

/** Too late for a request that the cancel crossed (ms). */
const tooLate = 800;

/** Lets go of all model requests when one request is cancelled. */
function endsAll(): AgentFault {
  const open = new Set<string>();
  return {
    input(input) {
      if (input.type === 'left') open.delete(input.peer);
      return [input];
    },
    output(output) {
      if (isModelDial(output)) open.add(output.peer);
      if (output.type === 'close') open.delete(output.peer);
      if (cancelledBy(output) === undefined) return [output];
      const status = { code: 0, message: '' };
      return [output, ...[...open].map((peer): Output => ({ type: 'close', peer, status }))];
    },
  };
}

export const cancellationFaults: WholeAgentFaults = {
  'asks-again': () => ({ fault: asksAgain(tooLate) }),
  'asks-at-once': () => ({ fault: asksAgain(1) }),
  'ignores-cancel-below': () => ({ parts: { abandon: () => [] } }),
  'cancels-all': () => ({ fault: endsAll() }),
};
