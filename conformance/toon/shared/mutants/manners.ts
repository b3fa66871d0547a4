/** Roles that are rude beside their work: TOON-41, 47 and 51. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { saysOf, withPayload } from './mutant.ts';
import type { Wrong } from './mutant.ts';

/** The mutants of this theme. */
export const mannerMutants = (wrong: Wrong): readonly Mutant[] => [
  wrong('TOON-41', 'silent-about-bad-frames', 'It says nothing of bad frames.', () =>
    saysOf('ERROR', ({ code }, message) => (code === 'BAD_FRAME' ? [] : [message])),
  ),
  wrong('TOON-47', 'talking-heartbeats', 'Its heartbeats say that it lives.', () =>
    saysOf('HEARTBEAT', (_, message) => [withPayload(message, { alive: true })]),
  ),
  wrong('TOON-51', 'patient', 'It never gives a silent peer up.', () => ({}), { idle: 0 }),
  wrong('TOON-51', 'slow-to-give-up', 'It gives a silent peer up after 50 s.', () => ({}), { idle: 50_000 }),
];
