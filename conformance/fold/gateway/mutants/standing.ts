/** Gateways that violate FOLD-G13 for a principal without approval. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { none } from './faults.ts';
import { mutant } from './mutant.ts';
import { checks, where } from './auth-faults.ts';

/** Mutants of the standing of principals. */
export const standingMutants: readonly Mutant[] = [
  mutant(
    'FOLD-G13',
    'standing-unchecked',
    'It welcomes every agent with valid credentials.',
    none,
    checks(({ jwt, ssh }) => ({
      ...(jwt === undefined ? {} : { jwt }),
      ...(ssh === undefined ? {} : { ssh }),
    })),
  ),
  mutant(
    'FOLD-G13',
    'revoked-unauthenticated',
    'It refuses a revoked principal with UNAUTHENTICATED (16).',
    where(/^principal is /, 16),
  ),
  mutant(
    'FOLD-G13',
    'revoked-unanswered',
    'It leaves a revoked principal waiting for approval.',
    where(/^principal is /, undefined),
  ),
];
