/** Subagents that send forbidden messages, or messages with wrong fields or ids. */
import { COMPRESSION_THRESHOLD } from '../../../../src/toon/index.ts';
import { rightly } from '../../shared/mutants/bytes.ts';
import { compresses, emptyRest } from '../../shared/mutants/wire.ts';
import { editOutgoing, send, withPayload } from '../../shared/mutants/mutant.ts';
import type { PeerFault, PeerFaults } from '../../shared/mutants/mutant.ts';
import { atFirst } from './mutant.ts';

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
export const sendingFaults: PeerFaults = {
  instructs: atFirst((context) => send(context, 'INSTRUCTION', { instruction: 'Begin.' })),
  'status-as-state': () =>
    editOutgoing('STATUS', ({ status, ...rest }, message) => [
      withPayload(message, { ...rest, state: status }),
    ]),
  'calls-without-args': () =>
    editOutgoing('TOOL_CALL', ({ toolName }, message) => [withPayload(message, { toolName })]),
  'compresses-from-1024': compresses(
    (size, compressed) => size >= COMPRESSION_THRESHOLD && compressed < size,
    rightly,
  ),
  'empty-rest': compresses(
    (size, compressed) => size > COMPRESSION_THRESHOLD && compressed < size,
    emptyRest,
  ),
  'ids-per-instruction': countsAnew,
  'progress-in-percent': () =>
    editOutgoing('STATUS', (payload, message) => {
      const { progress } = payload;
      return [
        typeof progress === 'number'
          ? withPayload(message, { ...payload, progress: progress * 100 })
          : message,
      ];
    }),
  'progress-falls': () =>
    editOutgoing('STATUS', (payload, message) => {
      const { progress } = payload;
      return [
        typeof progress === 'number' ? withPayload(message, { ...payload, progress: 1 - progress }) : message,
      ];
    }),
  'progress-as-text': () =>
    editOutgoing('STATUS', (payload, message) => [
      'progress' in payload ? withPayload(message, { ...payload, progress: 'half' }) : message,
    ]),
};
