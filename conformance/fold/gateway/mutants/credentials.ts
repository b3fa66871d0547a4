/** Gateways that violate FOLD-G11 for agents without credentials, or with expired ones. */
import type { Metadata } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { none } from './faults.ts';
import type { Input } from './faults.ts';
import { mutant } from './mutant.ts';
import { checks, where } from './auth-faults.ts';

/** The token that a lenient gateway assumes for an agent without credentials. */
const nobody = 'nobody';

const knowsNobody = checks((auth) => ({
  ...auth,
  jwt: (token) => (token === nobody ? { sub: 'wireproof' } : auth.jwt?.(token)),
}));

const shows = (metadata: Metadata): boolean =>
  Object.keys(metadata).some((key) => key === 'authorization' || key.startsWith('x-ssh-'));

const namesNobody = (input: Input): readonly Input[] => [
  input.type === 'opened' && !shows(input.metadata)
    ? { ...input, metadata: { ...input.metadata, authorization: `Bearer ${nobody}` } }
    : input,
];

const withoutExpiry = checks((auth) => ({
  ...auth,
  jwt: (token) => {
    const claims = auth.jwt?.(token);
    return claims === undefined ? undefined : { sub: claims.sub };
  },
}));

/** Mutants of missing and expired credentials. */
export const credentialMutants: readonly Mutant[] = [
  mutant(
    'FOLD-G11',
    'lets-anyone-in',
    'It welcomes an agent without credentials.',
    () => ({ input: namesNobody }),
    knowsNobody,
  ),
  mutant('FOLD-G11', 'expiry-unchecked', 'It takes tokens past their expiry.', none, withoutExpiry),
  mutant(
    'FOLD-G11',
    'none-denied',
    'It refuses an agent without credentials with PERMISSION_DENIED (7).',
    where(/^expected authorization/, 7),
  ),
  mutant(
    'FOLD-G11',
    'none-unanswered',
    'It leaves an agent without credentials waiting.',
    where(/^expected authorization/, undefined),
  ),
  mutant(
    'FOLD-G11',
    'expired-invalid',
    'It refuses a token past its expiry with INVALID_ARGUMENT (3).',
    where(/^the token has expired$/, 3),
  ),
];
