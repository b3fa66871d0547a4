/** Subagents that carry out an instruction wrongly: its results and its end. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { editIncoming, editOutgoing, madeOf, withPayload, without } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext } from '../../shared/mutants/mutant.ts';
import { mutant } from './mutant.ts';

const reversed = (): PeerFault =>
  editOutgoing('STATUS', (payload, message) => {
    const { results } = payload;
    return [
      Array.isArray(results) ? withPayload(message, { ...payload, results: results.toReversed() }) : message,
    ];
  });

/** Ignores the requestIds of results. */
const withoutIds = (): PeerFault =>
  editIncoming((message) => [message.type === 'TOOL_RESULT' ? without(message, 'requestId') : message]);

/** Edits STATUS completed. */
const atEnd =
  (edit: (message: ToonMessage, context: FaultContext) => readonly ToonMessage[]) => (): PeerFault =>
    editOutgoing('STATUS', (payload, message, context) =>
      payload.status === 'completed' ? edit(message, context) : [message],
    );

/** The mutants of work on an instruction. */
export const workMutants: readonly Mutant[] = [
  mutant('TOON-40', 'last-in-first-out', 'It gives the first result to the last call.', reversed),
  mutant('TOON-40', 'deaf-to-ids', 'It gives results to calls in order, whatever their ids say.', withoutIds),
  mutant(
    'TOON-50',
    'never-completes',
    'It never says that it has completed.',
    atEnd(() => []),
  ),
  mutant(
    'TOON-50',
    'completes-twice',
    'It says twice that it has completed.',
    atEnd((message) => [message, message]),
  ),
  mutant(
    'TOON-50',
    'reports-afterwards',
    'It reports once more after it has completed.',
    atEnd((message) => [message, madeOf('STATUS', { status: 'cleaning up', progress: 1 })]),
  ),
  mutant(
    'TOON-50',
    'hangs-up-to-end',
    'It ends the connection instead of saying that it has completed.',
    atEnd((_, context) => {
      context.close(1, 'hung up');
      return [];
    }),
  ),
];
