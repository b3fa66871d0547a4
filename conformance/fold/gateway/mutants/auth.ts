/** Gateways that violate FOLD-G11 to G13 when they check credentials. */
import type { Metadata } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { GatewayAuth, GatewayOptions } from '../../../../src/fold/index.ts';
import { editCloses, none } from './faults.ts';
import type { GatewayFault, Input } from './faults.ts';
import { mutant } from './mutant.ts';

type Options = Partial<GatewayOptions>;

/** Edits the checks of the scenario. */
const checks =
  (change: (auth: GatewayAuth) => GatewayAuth): ((given: Options) => Options) =>
  (given) => ({ ...given, ...(given.auth === undefined ? {} : { auth: change(given.auth) }) });

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

/** The claims of a token, without a check of its signature. */
function unsigned(token: string): { sub: string; exp: number } | undefined {
  const [text = ''] = token.split('#');
  return JSON.parse(text) as { sub: string; exp: number };
}

const withoutExpiry = checks((auth) => ({
  ...auth,
  jwt: (token) => {
    const claims = auth.jwt?.(token);
    return claims === undefined ? undefined : { sub: claims.sub };
  },
}));

/** Ends streams with another status, or not at all, if the status message fits. */
const where = (says: RegExp, code: number | undefined) => (): GatewayFault =>
  editCloses('agent', (close) => {
    if (!says.test(close.status.message)) return [close];
    return code === undefined ? [] : [{ ...close, status: { ...close.status, code } }];
  });

/** Accepts timestamps that are this far behind or ahead of its clock (ms). */
const lenient =
  (behind: number, ahead: number) =>
  ({ epoch = 0 }: Options): GatewayFault => ({
    clock(input, now) {
      const stamp = input.type === 'opened' ? input.metadata['x-ssh-timestamp'] : undefined;
      if (stamp === undefined) return now;
      const shown = Number(stamp) * 1000 - epoch;
      const late = now > shown && now - shown < behind;
      const early = now < shown && shown - now < ahead;
      return late || early ? shown : now;
    },
  });

/** Forgets each nonce after its input. */
const forgetsNonces = (): GatewayFault => ({
  input(input, { state }) {
    if (input.type === 'opened') state.nonces.clear();
    return [input];
  },
});

/** Mutants of this theme. */
export const authMutants: readonly Mutant[] = [
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
  mutant('FOLD-G12', 'takes-stale', 'It takes timestamps of the last ten minutes.', lenient(600_000, 60_000)),
  mutant(
    'FOLD-G12',
    'takes-future',
    'It takes timestamps up to five minutes ahead.',
    lenient(300_000, 300_000),
  ),
  mutant('FOLD-G12', 'takes-replayed', 'It takes a nonce that an earlier stream has used.', forgetsNonces),
  mutant(
    'FOLD-G12',
    'ssh-unverified',
    'It does not verify SSH signatures.',
    none,
    checks((auth) => (auth.ssh === undefined ? auth : { ...auth, ssh: () => true })),
  ),
  mutant(
    'FOLD-G12',
    'jwt-unverified',
    'It does not verify the signature of a token.',
    none,
    checks((auth) => (auth.jwt === undefined ? auth : { ...auth, jwt: unsigned })),
  ),
  mutant(
    'FOLD-G12',
    'stale-denied',
    'It refuses timestamps out of its window with PERMISSION_DENIED (7).',
    where(/^timestamp /, 7),
  ),
  mutant(
    'FOLD-G12',
    'replayed-exists',
    'It refuses a nonce that was used with ALREADY_EXISTS (6).',
    where(/^this nonce was used/, 6),
  ),
  mutant(
    'FOLD-G12',
    'forged-unanswered',
    'It leaves an agent with a bad signature waiting.',
    where(/ is not valid here$/, undefined),
  ),
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
