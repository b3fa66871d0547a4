/** Gateways that violate FOLD-G12 when they check signatures, timestamps and nonces. */
import { onInput } from '../../../../src/kit/suite/index.ts';
import type { Metadata } from '../../../../src/kit/base/index.ts';
import { none } from './faults.ts';
import type { GatewayFault } from './faults.ts';
import type { Options } from './auth-faults.ts';
import { checks, where } from './auth-faults.ts';
import type { GatewayFaults } from './mutant.ts';

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
const forgetsNonces = (): GatewayFault => onInput('opened', (_, { state }) => state.nonces.clear());

/** Takes a used nonce again, if the headers of the stream are new (or known) by this name. */
const takesUsedNonce = (nameOf: (shown: Metadata) => string, when: 'new' | 'known') => (): GatewayFault => {
  const seen = new Set<string>();
  return onInput('opened', ({ metadata }, { state }) => {
    const nonce = metadata['x-ssh-nonce'];
    if (nonce === undefined) return;
    const name = nameOf(metadata);
    if (seen.has(name) === (when === 'known')) state.nonces.delete(nonce);
    seen.add(name);
  });
};

const signatureOf = (shown: Metadata): string => shown['x-ssh-signature'] ?? '';

export const signatureFaults: GatewayFaults = {
  'takes-stale': lenient(600_000, 60_000),
  'takes-future': lenient(300_000, 300_000),
  'takes-replayed': forgetsNonces,
  'takes-reused': takesUsedNonce(signatureOf, 'new'),
  'takes-same-headers': takesUsedNonce(signatureOf, 'known'),
  'ssh-unverified': {
    fault: none,
    options: checks((auth) => (auth.ssh === undefined ? auth : { ...auth, ssh: () => true })),
  },
  'jwt-unverified': {
    fault: none,
    options: checks((auth) => (auth.jwt === undefined ? auth : { ...auth, jwt: unsigned })),
  },
  'stale-denied': where(/^timestamp /, 7),
  'replayed-exists': where(/^this nonce was used/, 6),
  'forged-unanswered': where(/ is not valid here$/, undefined),
};
