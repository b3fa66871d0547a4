/** Mutants that cancel wrongly below: AGENT-01 to AGENT-03. */
import type { RoleOutput } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { AgentOut } from '../../../../src/agent/index.ts';
import { asksAgain, cancelledBy, isModelDial } from '../asks-again.ts';
import type { AgentFault } from '../target.ts';
import { mutant } from './mutant.ts';

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

/** The mutants of this theme. */
export const cancellationMutants: readonly Mutant[] = [
  mutant('AGENT-01', 'asks-again', 'It makes its last model request again after a cancel.', () => ({
    fault: asksAgain(tooLate),
  })),
  mutant(
    'AGENT-01',
    'asks-at-once',
    'It makes its last model request again as soon as it is cancelled.',
    () => ({
      fault: asksAgain(1),
    }),
  ),
  mutant(
    'AGENT-02',
    'ignores-cancel-below',
    'It does not let go of the model request of a cancelled request.',
    () => ({
      parts: { abandon: () => [] },
    }),
  ),
  mutant(
    'AGENT-03',
    'cancels-all',
    'It lets go of all model requests when one request is cancelled.',
    () => ({
      fault: endsAll(),
    }),
  ),
];
