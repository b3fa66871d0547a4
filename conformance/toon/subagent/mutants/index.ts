/** Subagents that are wrong in one named way each. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { subagent } from '../../../../src/toon/index.ts';
import { subagentOptions } from '../../shared/peers.ts';
import { mannerMutants } from '../../shared/mutants/manners.ts';
import { receivingMutants } from '../../shared/mutants/receiving.ts';
import { wireMutants } from '../../shared/mutants/wire.ts';
import { hears, madeOf, mutantsOf, saysOf, withPayload, without } from '../../shared/mutants/mutant.ts';
import type { MessageEdit, PeerFault, FaultContext, Wrong } from '../../shared/mutants/mutant.ts';

const wrong: Wrong = mutantsOf((given) => subagent(subagentOptions(given)));

/** Does something as soon as it is connected. */
const atFirst = (then: (hand: FaultContext) => void) => (): PeerFault => ({
  input(input, hand) {
    if (input.type === 'opened') then(hand);
    return [input];
  },
});

/** Counts anew at the first status of each plain instruction. */
const countsAnew = (): PeerFault => {
  let count = 0;
  return {
    ...saysOf('STATUS', ({ status }, message) => {
      if (status === 'analyzing') count = 0;
      return [message];
    }),
    number: () => ++count,
  };
};

const sendMutants: readonly Mutant[] = [
  wrong(
    'TOON-34',
    'instructs',
    'It sends an INSTRUCTION when it is connected.',
    atFirst((hand) => hand.send('INSTRUCTION', { instruction: 'Begin.' })),
  ),
  wrong('TOON-35', 'status-as-state', 'Its STATUS has state instead of status.', () =>
    saysOf('STATUS', ({ status, ...rest }, message) => [withPayload(message, { ...rest, state: status })]),
  ),
  wrong('TOON-35', 'calls-without-args', 'Its calls have no args.', () =>
    saysOf('TOOL_CALL', ({ toolName }, message) => [withPayload(message, { toolName })]),
  ),
  wrong('TOON-30', 'ids-per-instruction', 'It counts anew for each instruction.', countsAnew),
  wrong('TOON-36', 'progress-in-percent', 'It reports progress from 0 to 100.', () =>
    saysOf('STATUS', (payload, message) => {
      const { progress } = payload;
      return [
        typeof progress === 'number'
          ? withPayload(message, { ...payload, progress: progress * 100 })
          : message,
      ];
    }),
  ),
  wrong('TOON-36', 'progress-as-text', 'It reports progress as a text.', () =>
    saysOf('STATUS', (payload, message) => [
      'progress' in payload ? withPayload(message, { ...payload, progress: 'half' }) : message,
    ]),
  ),
];

const reversed = (): PeerFault =>
  saysOf('STATUS', (payload, message) => {
    const { results } = payload;
    return [
      Array.isArray(results) ? withPayload(message, { ...payload, results: results.toReversed() }) : message,
    ];
  });

/** Pays no heed to ids of results. */
const withoutIds = (): PeerFault =>
  hears((message) => [message.type === 'TOOL_RESULT' ? without(message, 'requestId') : message]);

/** Does something about STATUS completed. */
const atEnd = (edit: MessageEdit) => (): PeerFault =>
  saysOf('STATUS', (payload, message, hand) =>
    payload.status === 'completed' ? edit(message, hand) : [message],
  );

/** Calls for something as soon as it is connected, and keeps the answer from the role. */
const callsFirst =
  (call: (hand: FaultContext) => void, isAnswer: (payload: JsonObject) => boolean) => (): PeerFault => ({
    input(input, hand) {
      if (input.type === 'opened') call(hand);
      return input.type === 'message' && isAnswer(input.message.payload) ? [] : [input];
    },
  });

const workMutants: readonly Mutant[] = [
  wrong('TOON-40', 'last-in-first-out', 'It gives the first result to the last call.', reversed),
  wrong('TOON-40', 'deaf-to-ids', 'It gives results to calls in order, whatever their ids say.', withoutIds),
  wrong(
    'TOON-50',
    'never-completes',
    'It never says that it has completed.',
    atEnd(() => []),
  ),
  wrong(
    'TOON-50',
    'completes-twice',
    'It says twice that it has completed.',
    atEnd((message) => [message, message]),
  ),
  wrong(
    'TOON-50',
    'reports-afterwards',
    'It reports once more after it has completed.',
    atEnd((message) => [message, madeOf('STATUS', { status: 'cleaning up', progress: 1 })]),
  ),
  wrong(
    'TOON-50',
    'hangs-up-to-end',
    'It ends the connection instead of saying that it has completed.',
    atEnd((_, hand) => {
      hand.hangUp();
      return [];
    }),
  ),
  wrong(
    'TOON-52',
    'reports-first',
    'It reports a status when it is connected.',
    atFirst((hand) => hand.send('STATUS', { status: 'ready' })),
  ),
  wrong(
    'TOON-52',
    'calls-first',
    'It calls a tool when it is connected.',
    callsFirst(
      (hand) => hand.send('TOOL_CALL', { toolName: 'setup', args: {} }),
      ({ data }) => data === 'ok:setup',
    ),
  ),
  wrong(
    'TOON-52',
    'asks-first',
    'It asks for context when it is connected.',
    callsFirst(
      (hand) => hand.send('CONTEXT_REQUEST', { type: 'file', path: 'README.md' }),
      ({ path }) => path === 'README.md',
    ),
  ),
];

/** Every mutant of the reference subagent. */
export const subagentMutants: readonly Mutant[] = [
  ...wireMutants(wrong),
  ...receivingMutants(wrong, 'INSTRUCTION'),
  ...mannerMutants(wrong),
  ...sendMutants,
  ...workMutants,
];
