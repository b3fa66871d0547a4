/** Roles that violate TOON-41, 47 and 51. */
import { onInput, onSend } from '../../../../src/kit/suite/index.ts';
import { payloads } from './mutant.ts';
import type { PeerFaults } from './mutant.ts';

export const mannerFaults: PeerFaults = {
  'silent-about-bad-frames': () =>
    onSend('ERROR', ({ payload }) => (payload['code'] === 'BAD_FRAME' ? [] : undefined)),
  'silent-about-oversize': () =>
    onInput('undecodable', ({ code }, context) => {
      if (code !== 'too-large') return;
      context.close(8, 'a frame over the limit');
      return [];
    }),
  'talking-heartbeats': () => payloads('HEARTBEAT', () => ({ alive: true })),
  patient: { fault: () => ({}), options: { idle: 0 } },
  'slow-to-give-up': { fault: () => ({}), options: { idle: 50_000 } },
};
