/** Lawful subagents with odd sequence ids and timestamps. */
import { onSend } from '../../../../src/kit/suite/index.ts';
import type { PeerFault, PeerFaults } from '../../shared/mutants/mutant.ts';

const ids = (number: (n: number) => number) => (): PeerFault => ({ number: (_, n) => number(n) });

const timestamps = (stamp: (n: number) => string) => (): PeerFault => {
  let sent = 0;
  return onSend((message) => [{ ...message, timestamp: stamp(sent++) }]);
};

export const headerPeers: PeerFaults = {
  'first-id-zero': ids((n) => n),
  'ids-with-gaps': ids((n) => 7 + n * 1000),
  'large-gap-of-ids': ids((n) => (n === 0 ? 5 : 0x7fffffff + 4 + n)),
  'ids-across-the-sign': ids((n) => 0x7fffffff + n),
  'wraps-at-once': ids((n) => (0xffffffff + n) >>> 0),
  'jumps-across-the-wrap': ids((n) => (0xfffffff0 + n * 9) >>> 0),
  'clock-at-zero': timestamps(() => '0'),
  'clock-runs-back': timestamps((n) => String(1_700_000_000_000 - n * 1000)),
  'clock-at-the-end': timestamps(() => '18446744073709551615'),
};
