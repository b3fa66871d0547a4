/**
 * The credentials of simulated peers in the simulated world. Their signatures need no keys, so that a run can be
 * repeated. The gateway's own policy (windows, nonces, principals) applies to them.
 */
import { hashSeed } from '../../../src/kit/world/index.ts';
import type { JsonObject, Metadata } from '../../../src/kit/base/index.ts';
import type { Credentials } from '../../../src/kit/suite/index.ts';
import type { GatewayAuth } from '../../../src/fold/index.ts';

/** Unix milliseconds when the simulated world begins: 2026-01-21. */
export const simulatedEpoch = 1_769_000_000_000;

/** The public key that credentials of a kind show. */
const lineOf = (kind: string): string => {
  if (kind === 'revoked') return 'ssh-ed25519 cmV2b2tlZA';
  return kind === 'pending' ? 'ssh-ed25519 cGVuZGluZw' : 'ssh-ed25519 c2ltdWxhdGVk wireproof';
};
const sign = (key: string, text: string): string => hashSeed(`${key} signs ${text}`).toString(16);
const seconds = (ms: number): number => Math.floor(ms / 1000);

const token = (secret: string, claims: { sub: string; exp: number }): string => {
  const text = JSON.stringify(claims);
  return `${text}#${sign(secret, text)}`;
};

/** How the reference gateway of the simulated world checks the credentials of a scheme. */
export function simulatedAuth(scheme: string): GatewayAuth | undefined {
  const principals = { wireproof: 'approved', 'wireproof-revoked': 'revoked' } as const;
  if (scheme === 'ssh')
    return {
      ssh: (key, text, signature) => signature === sign(key, text),
      principals: { [lineOf('revoked')]: 'revoked', [lineOf('pending')]: 'pending' },
      others: 'approved',
    };
  if (scheme !== 'jwt') return undefined;
  return {
    jwt: (shown) => {
      const [text = '', signature] = shown.split('#');
      return signature === sign('secret', text)
        ? (JSON.parse(text) as { sub: string; exp: number })
        : undefined;
    },
    principals,
  };
}

/** The credentials of a simulated peer, by kind, at a moment of the simulated clock. */
export function simulatedCredentials(reference: JsonObject): Credentials {
  const scheme = typeof reference['auth'] === 'string' ? reference['auth'] : 'none';
  let nonces = 0;
  let lastValid = { at: 0, shown: {} as Metadata };
  const of = (kind: string, now: number): Metadata => {
    if (kind === 'none' || scheme === 'none') return {};
    return scheme === 'ssh' ? ssh(kind, now) : jwt(kind, now);
  };
  const ssh = (kind: string, now: number): Metadata => {
    if (kind === 'replayed') return lastValid.shown;
    if (kind === 'reused') return signed(kind, lastValid.at - 5000, lastValid.shown['x-ssh-nonce'] ?? '');
    const shift = kind === 'stale' ? -360_000 : kind === 'future' ? 120_000 : 0;
    const shown = signed(kind, now + shift, `nonce-${++nonces}`);
    if (kind === 'valid') lastValid = { at: now, shown };
    return shown;
  };
  const signed = (kind: string, at: number, nonce: string): Metadata => {
    const timestamp = String(seconds(simulatedEpoch + at));
    const line = lineOf(kind);
    const key = kind === 'forged' ? 'another key' : line;
    return {
      'x-ssh-pubkey': line,
      'x-ssh-timestamp': timestamp,
      'x-ssh-nonce': nonce,
      'x-ssh-signature': sign(key, `${timestamp}|${nonce}`),
    };
  };
  const jwt = (kind: string, now: number): Metadata => {
    const exp = seconds(simulatedEpoch + now) + (kind === 'expired' ? -60 : 3600);
    const sub = kind === 'revoked' ? 'wireproof-revoked' : 'wireproof';
    return {
      authorization: `Bearer ${token(kind === 'forged' ? 'another secret' : 'secret', { sub, exp })}`,
    };
  };
  return { scheme, features: [], of };
}
