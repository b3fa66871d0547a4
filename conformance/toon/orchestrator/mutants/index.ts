/** The mutants of TOON orchestrators. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { orchestrator } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { orchestratorOptions } from '../../shared/peers.ts';
import { mannerMutants } from '../../shared/mutants/manners.ts';
import { receivingMutants } from '../../shared/mutants/receiving.ts';
import { wireMutants } from '../../shared/mutants/wire.ts';
import {
  editIncoming,
  editOutgoing,
  mutantsOf,
  send,
  withPayload,
  without,
} from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext, MakeMutant } from '../../shared/mutants/mutant.ts';

const mutant: MakeMutant = mutantsOf((given) => orchestrator(orchestratorOptions(given)));

/** Sends a further message after each INSTRUCTION. */
const afterInstruction = (then: (context: FaultContext) => void) => (): PeerFault =>
  editOutgoing('INSTRUCTION', (_, message, context) => {
    context.later(1, then);
    return [message];
  });

const sendMutants: readonly Mutant[] = [
  mutant(
    'TOON-34',
    'reports',
    'It sends a STATUS after its INSTRUCTION.',
    afterInstruction((context) => send(context, 'STATUS', { status: 'waiting' })),
  ),
  mutant('TOON-35', 'instruction-as-text', 'Its INSTRUCTION has text instead of instruction.', () =>
    editOutgoing('INSTRUCTION', ({ instruction }, message) => [withPayload(message, { text: instruction })]),
  ),
  mutant('TOON-35', 'results-without-success', 'Its results do not say whether it went well.', () =>
    editOutgoing('TOOL_RESULT', (_, message) => [without(message, 'success')]),
  ),
];

/** Holds results back for a moment, and sends the last first. */
const lastFirst = (): PeerFault => {
  const held: ToonMessage[] = [];
  return editOutgoing('TOOL_RESULT', (_, message, context) => {
    if (held.push(message) === 1)
      context.later(20, (then) => {
        for (const one of held.splice(0).toReversed())
          if (one.type === 'TOOL_RESULT') send(then, 'TOOL_RESULT', one.payload);
      });
    return [];
  });
};

const nothingOf = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault => editOutgoing(type, () => []);

const errorsInstead = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault =>
  editOutgoing(type, (_, message) => [
    withPayload({ ...message, type: 'ERROR' } as ToonMessage, { code: 'TOOL_FAILED', message: 'it broke' }),
  ]);

const twice = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault =>
  editOutgoing(type, (_, message) => [message, message]);

const hangsUpAt = (type: 'TOOL_CALL' | 'CONTEXT_REQUEST') => (): PeerFault =>
  editIncoming((message, context) => {
    if (message.type !== type) return [message];
    context.close(1, 'hung up');
    return [];
  });

/** Ends its instruction at more statuses than `completed`. */
const endsAt = (ends: (payload: JsonObject) => boolean) => (): PeerFault =>
  editIncoming((message) => [
    message.type === 'STATUS' && ends(message.payload)
      ? withPayload(message, { ...message.payload, status: 'completed' })
      : message,
  ]);

const workMutants: readonly Mutant[] = [
  mutant(
    'TOON-48',
    'ends-at-complete-words',
    'A status that contains the word complete ends its instruction.',
    endsAt(({ status }) => typeof status === 'string' && /complete/i.test(status)),
  ),
  mutant(
    'TOON-48',
    'ends-at-progress-1',
    'A status of progress 1 ends its instruction.',
    endsAt(({ progress }) => progress === 1),
  ),
  mutant('TOON-40', 'last-result-first', 'It sends the result of the last call first.', lastFirst),
  mutant('TOON-40', 'forgets-ids', 'Its results do not repeat the requestId of their calls.', () =>
    editOutgoing('TOOL_RESULT', (_, message) => [without(message, 'requestId')]),
  ),
  mutant('TOON-48', 'no-results', 'It answers no call.', nothingOf('TOOL_RESULT')),
  mutant('TOON-48', 'errors-for-results', 'It answers calls with an ERROR.', errorsInstead('TOOL_RESULT')),
  mutant('TOON-48', 'hangs-up-at-calls', 'It ends the connection at a call.', hangsUpAt('TOOL_CALL')),
  mutant('TOON-49', 'no-context', 'It answers no request for context.', nothingOf('CONTEXT_RESPONSE')),
  mutant(
    'TOON-49',
    'errors-for-context',
    'It answers requests for context with an ERROR.',
    errorsInstead('CONTEXT_RESPONSE'),
  ),
  mutant(
    'TOON-49',
    'hangs-up-at-requests',
    'It ends the connection at a request for context.',
    hangsUpAt('CONTEXT_REQUEST'),
  ),
  mutant('TOON-53', 'results-twice', 'It sends every result twice.', twice('TOOL_RESULT')),
  mutant('TOON-53', 'context-twice', 'It sends every context twice.', twice('CONTEXT_RESPONSE')),
  mutant(
    'TOON-53',
    'result-unasked',
    'It sends a result after its INSTRUCTION.',
    afterInstruction((context) => send(context, 'TOOL_RESULT', { success: true })),
  ),
  mutant(
    'TOON-53',
    'context-unasked',
    'It sends context after its INSTRUCTION.',
    afterInstruction((context) =>
      send(context, 'CONTEXT_RESPONSE', { type: 'file', path: 'README.md', content: '' }),
    ),
  ),
];

/** Every mutant of the reference orchestrator. */
export const orchestratorMutants: readonly Mutant[] = [
  ...wireMutants(mutant),
  ...receivingMutants(mutant, 'TOOL_CALL'),
  ...mannerMutants(mutant),
  ...sendMutants,
  ...workMutants,
];
