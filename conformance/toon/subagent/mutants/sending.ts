/** Subagents that send forbidden messages, or messages with wrong fields or ids. */
import type { Json } from '../../../../src/kit/base/index.ts';
import { onSend } from '../../../../src/kit/suite/index.ts';
import { COMPRESSION_THRESHOLD } from '../../../../src/toon/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import { rightly } from '../../shared/mutants/bytes.ts';
import { compresses, emptyRest } from '../../shared/mutants/wire.ts';
import { payloads, send } from '../../shared/mutants/mutant.ts';
import type { PeerFault, PeerFaults } from '../../shared/mutants/mutant.ts';
import { atFirst } from './mutant.ts';

/** Starts the sequenceIds again at the first status of each ordinary instruction. */
const countsAnew = (): PeerFault => {
  let count = 0;
  return {
    ...onSend<unknown, ToonMessage, ToonMessage, 'STATUS'>('STATUS', ({ payload }) => {
      if (payload.status === 'analyzing') count = 0;
    }),
    number: () => ++count,
  };
};

export const progress = (edit: (progress: number) => Json) => (): PeerFault =>
  payloads('STATUS', (payload) => {
    const { progress: value } = payload;
    return typeof value === 'number' ? { ...payload, progress: edit(value) } : payload;
  });

export const sendingFaults: PeerFaults = {
  instructs: atFirst((context) => send(context, 'INSTRUCTION', { instruction: 'Begin.' })),
  'status-as-state': () => payloads('STATUS', ({ status, ...rest }) => ({ ...rest, state: status })),
  'calls-without-args': () => payloads('TOOL_CALL', ({ toolName }) => ({ toolName })),
  'compresses-from-1024': compresses(
    (size, compressed) => size >= COMPRESSION_THRESHOLD && compressed < size,
    rightly,
  ),
  'empty-rest': compresses(
    (size, compressed) => size > COMPRESSION_THRESHOLD && compressed < size,
    emptyRest,
  ),
  'ids-per-instruction': countsAnew,
  'progress-in-percent': progress((value) => value * 100),
  'progress-falls': progress((value) => 1 - value),
  'progress-as-text': progress(() => 'half'),
};
