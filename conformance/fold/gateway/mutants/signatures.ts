/** Gateways that violate FOLD-G12 when they check signatures, timestamps and nonces. */
import type { Metadata } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { none } from './faults.ts';
import type { GatewayFault } from './faults.ts';
import { mutant } from './mutant.ts';
import type { Options } from './auth-faults.ts';
import { checks, where } from './auth-faults.ts';

/** The claims of a token, without a check of its signature. */
function unsigned(token: string): { sub: string; exp: number } | undefined {
  const [text = ''] = token.split('#');
  return JSON.parse(text) as { sub: string; exp: number };
}

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

/** Takes a used nonce again, if the headers of the stream are new (or known) by this name. */
const takesUsedNonce = (nameOf: (shown: Metadata) => string, when: 'new' | 'known') => (): GatewayFault => {
  const seen = new Set<string>();
  return {
    input(input, { state }) {
      const nonce = input.type === 'opened' ? input.metadata['x-ssh-nonce'] : undefined;
      if (input.type !== 'opened' || nonce === undefined) return [input];
      const name = nameOf(input.metadata);
      if (seen.has(name) === (when === 'known')) state.nonces.delete(nonce);
      seen.add(name);
      return [input];
    },
  };
};

const signatureOf = (shown: Metadata): string => shown['x-ssh-signature'] ?? '';

/** Mutants of signatures, timestamps and nonces. */
export const signatureMutants: readonly Mutant[] = [
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
    'takes-reused',
    'It keeps signatures instead of nonces: it takes a used nonce with a signature of another second.',
    takesUsedNonce(signatureOf, 'new'),
  ),
  mutant(
    'FOLD-G12',
    'takes-same-headers',
    'It takes the same four headers again.',
    takesUsedNonce(signatureOf, 'known'),
  ),
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
];
