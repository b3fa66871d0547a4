/** Subagents that send something before the first instruction. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { send } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext } from '../../shared/mutants/mutant.ts';
import { mutant, atFirst } from './mutant.ts';

/** Makes a call right after it is connected, and hides the answer from the role. */
const callsFirst =
  (call: (context: FaultContext) => void, isAnswer: (payload: JsonObject) => boolean) => (): PeerFault => ({
    input(input, context) {
      if (input.type === 'opened') call(context);
      return input.type === 'message' && isAnswer(input.message.payload) ? [] : [input];
    },
  });

/** The mutants of an opening. */
export const openingMutants: readonly Mutant[] = [
  mutant(
    'TOON-52',
    'reports-first',
    'It reports a status when it is connected.',
    atFirst((context) => send(context, 'STATUS', { status: 'ready' })),
  ),
  mutant(
    'TOON-52',
    'calls-first',
    'It calls a tool when it is connected.',
    callsFirst(
      (context) => send(context, 'TOOL_CALL', { toolName: 'setup', args: {} }),
      ({ data }) => data === 'ok:setup',
    ),
  ),
  mutant(
    'TOON-52',
    'asks-first',
    'It asks for context when it is connected.',
    callsFirst(
      (context) => send(context, 'CONTEXT_REQUEST', { type: 'file', path: 'README.md' }),
      ({ path }) => path === 'README.md',
    ),
  ),
];
