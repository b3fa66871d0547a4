/** Subagents that send forbidden messages, or messages with wrong fields or ids. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { COMPRESSION_THRESHOLD } from '../../../../src/toon/index.ts';
import { rightly } from '../../shared/mutants/bytes.ts';
import { compresses, emptyRest } from '../../shared/mutants/wire.ts';
import { editOutgoing, send, withPayload } from '../../shared/mutants/mutant.ts';
import type { PeerFault } from '../../shared/mutants/mutant.ts';
import { mutant, atFirst } from './mutant.ts';

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

/** The mutants of sent messages. */
export const sendingMutants: readonly Mutant[] = [
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
  mutant(
    'TOON-14',
    'compresses-from-1024',
    'It compresses payloads of exactly 1024 bytes, too.',
    compresses((size, compressed) => size >= COMPRESSION_THRESHOLD && compressed < size, rightly),
  ),
  mutant(
    'TOON-22',
    'empty-rest',
    'After a run of a multiple of 255 it writes a triple with the count 0.',
    compresses((size, compressed) => size > COMPRESSION_THRESHOLD && compressed < size, emptyRest),
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
  mutant('TOON-36', 'progress-falls', 'Its progress falls while it finds more to do.', () =>
    editOutgoing('STATUS', (payload, message) => {
      const { progress } = payload;
      return [
        typeof progress === 'number' ? withPayload(message, { ...payload, progress: 1 - progress }) : message,
      ];
    }),
  ),
  mutant('TOON-36', 'progress-as-text', 'It reports progress as a text.', () =>
    editOutgoing('STATUS', (payload, message) => [
      'progress' in payload ? withPayload(message, { ...payload, progress: 'half' }) : message,
    ]),
  ),
];
