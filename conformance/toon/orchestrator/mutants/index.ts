/** Orchestrators that are wrong in one named way each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { orchestrator } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { orchestratorOptions } from '../../shared/peers.ts';
import { mannerMutants } from '../../shared/mutants/manners.ts';
import { receivingMutants } from '../../shared/mutants/receiving.ts';
import { wireMutants } from '../../shared/mutants/wire.ts';
import { hears, mutantsOf, saysOf, withPayload, without } from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext, Wrong } from '../../shared/mutants/mutant.ts';

const wrong: Wrong = mutantsOf((given) => orchestrator(orchestratorOptions(given)));

/** Sends something after each INSTRUCTION. */
const afterInstruction = (then: (hand: FaultContext) => void) => (): PeerFault =>
  saysOf('INSTRUCTION', (_, message, hand) => {
    hand.later(1, then);
    return [message];
  });

const sendMutants: readonly Mutant[] = [
  wrong(
    'TOON-34',
    'reports',
    'It sends a STATUS after its INSTRUCTION.',
    afterInstruction((hand) => hand.send('STATUS', { status: 'waiting' })),
  ),
  wrong('TOON-35', 'instruction-as-text', 'Its INSTRUCTION has text instead of instruction.', () =>
    saysOf('INSTRUCTION', ({ instruction }, message) => [withPayload(message, { text: instruction })]),
  ),
  wrong('TOON-35', 'results-without-success', 'Its results do not say whether it went well.', () =>
    saysOf('TOOL_RESULT', (_, message) => [without(message, 'success')]),
  ),
];

/** Holds results back for a moment, and sends the last first. */
const lastFirst = (): PeerFault => {
  const held: ToonMessage[] = [];
  return saysOf('TOOL_RESULT', (_, message, hand) => {
    if (held.push(message) === 1)
      hand.later(20, (then) => {
        for (const one of held.splice(0).toReversed())
          if (one.type === 'TOOL_RESULT') then.send('TOOL_RESULT', one.payload);
      });
    return [];
  });
};

const nothingOf = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault => saysOf(type, () => []);

const errorsInstead = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault =>
  saysOf(type, (_, message) => [
    withPayload({ ...message, type: 'ERROR' } as ToonMessage, { code: 'TOOL_FAILED', message: 'it broke' }),
  ]);

const twice = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault =>
  saysOf(type, (_, message) => [message, message]);

const hangsUpAt = (type: 'TOOL_CALL' | 'CONTEXT_REQUEST') => (): PeerFault =>
  hears((message, hand) => {
    if (message.type !== type) return [message];
    hand.hangUp();
    return [];
  });

const workMutants: readonly Mutant[] = [
  wrong('TOON-40', 'last-result-first', 'It sends the result of the last call first.', lastFirst),
  wrong('TOON-40', 'forgets-ids', 'Its results do not repeat the requestId of their calls.', () =>
    saysOf('TOOL_RESULT', (_, message) => [without(message, 'requestId')]),
  ),
  wrong('TOON-48', 'no-results', 'It answers no call.', nothingOf('TOOL_RESULT')),
  wrong('TOON-48', 'errors-for-results', 'It answers calls with an ERROR.', errorsInstead('TOOL_RESULT')),
  wrong('TOON-48', 'hangs-up-at-calls', 'It ends the connection at a call.', hangsUpAt('TOOL_CALL')),
  wrong('TOON-49', 'no-context', 'It answers no request for context.', nothingOf('CONTEXT_RESPONSE')),
  wrong(
    'TOON-49',
    'errors-for-context',
    'It answers requests for context with an ERROR.',
    errorsInstead('CONTEXT_RESPONSE'),
  ),
  wrong(
    'TOON-49',
    'hangs-up-at-requests',
    'It ends the connection at a request for context.',
    hangsUpAt('CONTEXT_REQUEST'),
  ),
  wrong('TOON-53', 'results-twice', 'It sends every result twice.', twice('TOOL_RESULT')),
  wrong('TOON-53', 'context-twice', 'It sends every context twice.', twice('CONTEXT_RESPONSE')),
  wrong(
    'TOON-53',
    'result-unasked',
    'It sends a result after its INSTRUCTION.',
    afterInstruction((hand) => hand.send('TOOL_RESULT', { success: true })),
  ),
  wrong(
    'TOON-53',
    'context-unasked',
    'It sends context after its INSTRUCTION.',
    afterInstruction((hand) =>
      hand.send('CONTEXT_RESPONSE', { type: 'file', path: 'README.md', content: '' }),
    ),
  ),
];

/** Every mutant of the reference orchestrator. */
export const orchestratorMutants: readonly Mutant[] = [
  ...wireMutants(wrong),
  ...receivingMutants(wrong, 'TOOL_CALL'),
  ...mannerMutants(wrong),
  ...sendMutants,
  ...workMutants,
];
