/** The mutants of TOON orchestrators. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { mutantsOf, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { MakeFaulty, Mutant } from '../../../../src/kit/suite/index.ts';
import { orchestrator } from '../../../../src/toon/index.ts';
import { orchestratorOptions } from '../../shared/peers.ts';
import { mannerFaults } from '../../shared/mutants/manners.ts';
import { receivingFaults } from '../../shared/mutants/receiving.ts';
import { wireFaults } from '../../shared/mutants/wire.ts';
import { payloads, peerWith, send, withPayload, without } from '../../shared/mutants/mutant.ts';
import type { PeerFault, PeerFaults, FaultContext, OptionedFault } from '../../shared/mutants/mutant.ts';

/** Makes the reference orchestrator with a fault. */
export const orchestratorWith: MakeFaulty<(() => PeerFault) | OptionedFault> = peerWith((given) =>
  orchestrator(orchestratorOptions(given)),
);

/** Sends a further message after each INSTRUCTION. */
const afterInstruction = (then: (context: FaultContext) => void) => (): PeerFault =>
  onSend('INSTRUCTION', (_, context) => context.later(1, then));

const sendFaults: PeerFaults = {
  reports: afterInstruction((context) => send(context, 'STATUS', { status: 'waiting' })),
  'instruction-as-text': () => payloads('INSTRUCTION', ({ instruction }) => ({ text: instruction })),
  'results-without-success': () => onSend('TOOL_RESULT', (message) => [without(message, 'success')]),
};

/** Holds results back for a moment, and sends the last first. */
const lastFirst = (): PeerFault => {
  const held: JsonObject[] = [];
  return onSend('TOOL_RESULT', ({ payload }, context) => {
    if (held.push(payload) === 1)
      context.later(20, (then) => {
        for (const one of held.splice(0).toReversed()) send(then, 'TOOL_RESULT', one);
      });
    return [];
  });
};

const nothingOf = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault => onSend(type, () => []);

const errorsInstead = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault =>
  onSend(type, (message) => [
    { ...message, type: 'ERROR', payload: { code: 'TOOL_FAILED', message: 'it broke' } },
  ]);

const twice = (type: 'TOOL_RESULT' | 'CONTEXT_RESPONSE') => (): PeerFault =>
  onSend(type, (message) => [message, message]);

const hangsUpAt = (type: 'TOOL_CALL' | 'CONTEXT_REQUEST') => (): PeerFault =>
  onReceive(type, (_, context) => {
    context.close(1, 'hung up');
    return [];
  });

/** Ends its instruction at more statuses than `completed`. */
const endsAt = (ends: (payload: JsonObject) => boolean) => (): PeerFault =>
  onReceive('STATUS', (message) =>
    ends(message.payload) ? [withPayload(message, { ...message.payload, status: 'completed' })] : undefined,
  );

const workFaults: PeerFaults = {
  'ends-at-complete-words': endsAt(({ status }) => typeof status === 'string' && /complete/i.test(status)),
  'ends-at-progress-1': endsAt(({ progress }) => progress === 1),
  'last-result-first': lastFirst,
  'forgets-ids': () => onSend('TOOL_RESULT', (message) => [without(message, 'requestId')]),
  'no-results': nothingOf('TOOL_RESULT'),
  'errors-for-results': errorsInstead('TOOL_RESULT'),
  'hangs-up-at-calls': hangsUpAt('TOOL_CALL'),
  'no-context': nothingOf('CONTEXT_RESPONSE'),
  'errors-for-context': errorsInstead('CONTEXT_RESPONSE'),
  'hangs-up-at-requests': hangsUpAt('CONTEXT_REQUEST'),
  'results-twice': twice('TOOL_RESULT'),
  'context-twice': twice('CONTEXT_RESPONSE'),
  'result-unasked': afterInstruction((context) => send(context, 'TOOL_RESULT', { success: true })),
  'context-unasked': afterInstruction((context) =>
    send(context, 'CONTEXT_RESPONSE', { type: 'file', path: 'README.md', content: '' }),
  ),
};

/** Every mutant of the reference orchestrator. */
export const orchestratorMutants: () => readonly Mutant[] = mutantsOf(
  'toon/orchestrator',
  [wireFaults, receivingFaults('TOOL_CALL'), mannerFaults, sendFaults, workFaults],
  orchestratorWith,
);
