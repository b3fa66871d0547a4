/** The mutants of TOON subagents. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { subagent } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { subagentOptions } from '../../shared/peers.ts';
import { mannerMutants } from '../../shared/mutants/manners.ts';
import { receivingMutants } from '../../shared/mutants/receiving.ts';
import { wireMutants } from '../../shared/mutants/wire.ts';
import {
  editIncoming,
  editOutgoing,
  madeOf,
  mutantsOf,
  send,
  withPayload,
  without,
} from '../../shared/mutants/mutant.ts';
import type { PeerFault, FaultContext, MakeMutant } from '../../shared/mutants/mutant.ts';

const mutant: MakeMutant = mutantsOf((given) => subagent(subagentOptions(given)));

/** Acts right after it is connected. */
const atFirst = (then: (context: FaultContext) => void) => (): PeerFault => ({
  input(input, context) {
    if (input.type === 'opened') then(context);
    return [input];
  },
});

/** Starts the sequenceIds again at the first status of each ordinary instruction. */
const countsAnew = (): PeerFault => {
  let count = 0;
  return {
    ...editOutgoing('STATUS', ({ status }, message) => {
      if (status === 'analyzing') count = 0;
      return [message];
    }),
    number: () => ++count,
  };
};

const sendMutants: readonly Mutant[] = [
  mutant(
    'TOON-34',
    'instructs',
    'It sends an INSTRUCTION when it is connected.',
    atFirst((context) => send(context, 'INSTRUCTION', { instruction: 'Begin.' })),
  ),
  mutant('TOON-35', 'status-as-state', 'Its STATUS has state instead of status.', () =>
    editOutgoing('STATUS', ({ status, ...rest }, message) => [
      withPayload(message, { ...rest, state: status }),
    ]),
  ),
  mutant('TOON-35', 'calls-without-args', 'Its calls have no args.', () =>
    editOutgoing('TOOL_CALL', ({ toolName }, message) => [withPayload(message, { toolName })]),
  ),
  mutant('TOON-30', 'ids-per-instruction', 'It counts anew for each instruction.', countsAnew),
  mutant('TOON-36', 'progress-in-percent', 'It reports progress from 0 to 100.', () =>
    editOutgoing('STATUS', (payload, message) => {
      const { progress } = payload;
      return [
        typeof progress === 'number'
          ? withPayload(message, { ...payload, progress: progress * 100 })
          : message,
      ];
    }),
  ),
  mutant('TOON-36', 'progress-as-text', 'It reports progress as a text.', () =>
    editOutgoing('STATUS', (payload, message) => [
      'progress' in payload ? withPayload(message, { ...payload, progress: 'half' }) : message,
    ]),
  ),
];

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

/** Makes a call right after it is connected, and hides the answer from the role. */
const callsFirst =
  (call: (context: FaultContext) => void, isAnswer: (payload: JsonObject) => boolean) => (): PeerFault => ({
    input(input, context) {
      if (input.type === 'opened') call(context);
      return input.type === 'message' && isAnswer(input.message.payload) ? [] : [input];
    },
  });

const workMutants: readonly Mutant[] = [
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

/** Every mutant of the reference subagent. */
export const subagentMutants: readonly Mutant[] = [
  ...wireMutants(mutant),
  ...receivingMutants(mutant, 'INSTRUCTION'),
  ...mannerMutants(mutant),
  ...sendMutants,
  ...workMutants,
];
