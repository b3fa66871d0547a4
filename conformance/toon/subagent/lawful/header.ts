/** Lawful subagents with odd sequence ids and timestamps. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { ToonMessage } from '../../../../src/toon/index.ts';
import type { PeerFault } from '../../shared/mutants/mutant.ts';
import { lawful } from './lawful.ts';

const ids = (number: (n: number) => number) => (): PeerFault => ({ number: (_, n) => number(n) });

const timestamps = (stamp: (n: number) => string) => (): PeerFault => {
  let sent = 0;
  return {
    output: (output) =>
      output.type === 'send'
        ? [{ ...output, message: { ...output.message, timestamp: stamp(sent++) } as ToonMessage }]
        : [output],
  };
};

const sequence = 'Wireproof: TOON decisions, 6. Sequence ids: the first is free, gaps are allowed';
const wraps = 'Wireproof: TOON decisions, 6. Sequence ids: 0 follows 4294967295, compared serially';
const clocks = 'Wireproof: TOON decisions, 5. Timestamps: they define no order, and may fall';

/** The peers of this theme. */
export const headerPeers: readonly LawfulPeer[] = [
  lawful(
    'first-id-zero',
    'Its first sequenceId is 0.',
    sequence,
    ids((n) => n),
  ),
  lawful(
    'ids-with-gaps',
    'Its sequence ids rise by 1000.',
    sequence,
    ids((n) => 7 + n * 1000),
  ),
  lawful(
    'large-gap-of-ids',
    'Its second sequenceId is 2147483647 after the first.',
    sequence,
    ids((n) => (n === 0 ? 5 : 0x7fffffff + 4 + n)),
  ),
  lawful(
    'ids-across-the-sign',
    'Its sequence ids cross 2^31.',
    sequence,
    ids((n) => 0x7fffffff + n),
  ),
  lawful(
    'wraps-at-once',
    'Its first sequenceId is the largest, and its second is 0.',
    wraps,
    ids((n) => (0xffffffff + n) >>> 0),
  ),
  lawful(
    'jumps-across-the-wrap',
    'Its ids jump from below the largest to above 0.',
    wraps,
    ids((n) => (0xfffffff0 + n * 9) >>> 0),
  ),
  lawful(
    'clock-at-zero',
    'All its timestamps are 0.',
    clocks,
    timestamps(() => '0'),
  ),
  lawful(
    'clock-runs-back',
    'Each of its timestamps lies before the last.',
    clocks,
    timestamps((n) => String(1_700_000_000_000 - n * 1000)),
  ),
  lawful(
    'clock-at-the-end',
    'Its timestamps are the largest of 64 bits.',
    'TOON Protocol Specification, Header Fields: timestamp is a uint64',
    timestamps(() => '18446744073709551615'),
  ),
];
