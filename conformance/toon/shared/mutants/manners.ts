/** Roles that violate TOON-41, 47 and 51. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { editOutgoing, withPayload } from './mutant.ts';
import type { MakeMutant } from './mutant.ts';

/** The mutants of this theme. */
export const mannerMutants = (mutant: MakeMutant): readonly Mutant[] => [
  mutant('TOON-41', 'silent-about-bad-frames', 'It does not report bad frames.', () =>
    editOutgoing('ERROR', ({ code }, message) => (code === 'BAD_FRAME' ? [] : [message])),
  ),
  mutant(
    'TOON-41',
    'silent-about-oversize',
    'It closes at a frame over its cap, and sends no ERROR.',
    () => ({
      input(input, context) {
        if (input.type !== 'undecodable' || input.code !== 'too-large') return [input];
        context.close(8, 'a frame over the limit');
        return [];
      },
    }),
  ),
  mutant('TOON-47', 'talking-heartbeats', 'Its heartbeats have a payload.', () =>
    editOutgoing('HEARTBEAT', (_, message) => [withPayload(message, { alive: true })]),
  ),
  mutant('TOON-51', 'patient', 'It never gives a silent peer up.', () => ({}), { idle: 0 }),
  mutant('TOON-51', 'slow-to-give-up', 'It gives a silent peer up after 50 s.', () => ({}), { idle: 50_000 }),
];
