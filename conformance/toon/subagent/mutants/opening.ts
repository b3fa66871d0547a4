/** Subagents that send something before the first instruction. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { allFaults, onReceive } from '../../../../src/kit/suite/index.ts';
import { send } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext, PeerFaults } from '../../shared/mutants/mutant.ts';
import { atFirst } from './mutant.ts';

/** Makes a call right after it is connected, and hides the answer from the role. */
const callsFirst =
  (call: (context: FaultContext) => void, isAnswer: (payload: JsonObject) => boolean) => (): PeerFault =>
    allFaults(
      atFirst(call)(),
      onReceive(({ payload }) => (isAnswer(payload) ? [] : undefined)),
    );

export const openingFaults: PeerFaults = {
  'reports-first': atFirst((context) => send(context, 'STATUS', { status: 'ready' })),
  'calls-first': callsFirst(
    (context) => send(context, 'TOOL_CALL', { toolName: 'setup', args: {} }),
    ({ data }) => data === 'ok:setup',
  ),
  'asks-first': callsFirst(
    (context) => send(context, 'CONTEXT_REQUEST', { type: 'file', path: 'README.md' }),
    ({ path }) => path === 'README.md',
  ),
};
