/** Roles that violate TOON-41, 47 and 51. */
import { editOutgoing, withPayload } from './mutant.ts';
import type { PeerFaults } from './mutant.ts';

/** The mutants of this theme. */
export const mannerFaults: PeerFaults = {
  'silent-about-bad-frames': () =>
    editOutgoing('ERROR', ({ code }, message) => (code === 'BAD_FRAME' ? [] : [message])),
  'silent-about-oversize': () => ({
    input(input, context) {
      if (input.type !== 'undecodable' || input.code !== 'too-large') return [input];
      context.close(8, 'a frame over the limit');
      return [];
    },
  }),
  'talking-heartbeats': () =>
    editOutgoing('HEARTBEAT', (_, message) => [withPayload(message, { alive: true })]),
  patient: { fault: () => ({}), options: { idle: 0 } },
  'slow-to-give-up': { fault: () => ({}), options: { idle: 50_000 } },
};
