import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Metadata } from '../../../kit/base/index.ts';
import { peerCredentials } from './credentials.ts';
import { jwtVerifier } from './jwt.ts';
import type { CredentialKind } from './credentials.ts';
import { sshVerifier, verifySsh } from './ssh.ts';
import { WireReader } from './ssh-wire.ts';

const now = Date.UTC(2026, 0, 19);
const seconds = now / 1000;
const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const verify = sshVerifier();

const header = (metadata: Metadata, name: string): string => metadata[name] ?? '';
const signed = (m: Metadata): boolean =>
  verify(
    header(m, 'x-ssh-pubkey'),
    `${header(m, 'x-ssh-timestamp')}|${header(m, 'x-ssh-nonce')}`,
    header(m, 'x-ssh-signature'),
  );
const age = (m: Metadata): number => seconds - Number(header(m, 'x-ssh-timestamp'));
const formatOf = (m: Metadata): string =>
  new WireReader(Buffer.from(header(m, 'x-ssh-signature'), 'base64')).string()?.toString() ?? '';

const makers: [string, () => KeyObject][] = [
  ['ed25519', () => generateKeyPairSync('ed25519').privateKey],
  ['nistp256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ['nistp384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
  ['nistp521', () => generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey],
  ['rsa', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
];

describe.each(makers)('SSH credentials of a key of %s', (_, make) => {
  const peer = peerCredentials(
    { sshKey: pem(make()), revokedPrincipal: 'mallory', revokedSshKey: pem(make()) },
    randomBytes,
  );

  it('valid ones are signed, of now, with a nonce used once', () => {
    const shown = Array.from({ length: 20 }, () => peer.of('valid', now + 999));
    expect(shown.every(signed)).toBe(true);
    expect(new Set(shown.map(age))).toEqual(new Set([0]));
    expect(new Set(shown.map((m) => header(m, 'x-ssh-nonce'))).size).toBe(20);
  });

  it('stale is six minutes old and future two minutes ahead, else impeccable', () => {
    const [stale, future] = [peer.of('stale', now), peer.of('future', now)];
    expect([age(stale), age(future)]).toEqual([360, -120]);
    expect([signed(stale), signed(future)]).toEqual([true, true]);
  });

  it('replayed are the valid ones before it, at any later second', () => {
    const valid = peer.of('valid', now);
    peer.of('stale', now);
    expect([0, 1, 999, 60_000].map((later) => peer.of('replayed', now + later))).toEqual(
      Array.from({ length: 4 }, () => valid),
    );
  });

  it('reused has the nonce of the valid ones before it, with a signature of another second', () => {
    const valid = peer.of('valid', now + 999);
    peer.of('stale', now);
    for (const later of [0, 999, 60_000]) {
      const reused = peer.of('reused', now + later);
      expect(header(reused, 'x-ssh-nonce')).toBe(header(valid, 'x-ssh-nonce'));
      expect(header(reused, 'x-ssh-signature')).not.toBe(header(valid, 'x-ssh-signature'));
      expect([age(reused), signed(reused)]).toEqual([5, true]);
    }
  });

  it("forged has the peer's key, and a signature of its form by another", () => {
    const valid = peer.of('valid', now);
    for (let i = 0; i < 20; i++) {
      const forged = peer.of('forged', now);
      expect(header(forged, 'x-ssh-pubkey')).toBe(header(valid, 'x-ssh-pubkey'));
      expect([formatOf(forged), age(forged), signed(forged)]).toEqual([formatOf(valid), 0, false]);
      const [line, text] = [header(forged, 'x-ssh-pubkey'), Buffer.from('x')];
      expect(() => verifySsh(line, text, header(forged, 'x-ssh-signature'))).not.toThrow();
    }
  });

  it("revoked are another principal's valid ones", () => {
    const [valid, revoked] = [peer.of('valid', now), peer.of('revoked', now)];
    expect(signed(revoked)).toBe(true);
    expect(header(revoked, 'x-ssh-pubkey')).not.toBe(header(valid, 'x-ssh-pubkey'));
  });

  it('none is no header at all, and nothing expires', () => {
    expect(peer.of('none', now)).toEqual({});
    expect(() => peer.of('expired', now)).toThrow('"expired"');
  });
});

describe('JWT credentials', () => {
  const peer = peerCredentials({ jwtSecret: 's3cret', revokedPrincipal: 'mallory' }, randomBytes);
  const said = (kind: CredentialKind): ReturnType<ReturnType<typeof jwtVerifier>> =>
    jwtVerifier('s3cret')(/^Bearer (.*)$/.exec(header(peer.of(kind, now), 'authorization'))?.[1] ?? '');

  it('say who, and until when', () => {
    expect(said('valid')).toEqual({ sub: 'wireproof', exp: seconds + 3600 });
    expect(said('expired')).toEqual({ sub: 'wireproof', exp: seconds - 3600 });
    expect(said('revoked')).toEqual({ sub: 'mallory', exp: seconds + 3600 });
    expect(said('forged')).toBeUndefined();
    expect(header(peer.of('forged', now), 'authorization')).toContain('Bearer ');
    expect(peer.of('none', now)).toEqual({});
    const named = peerCredentials({ jwtSecret: 's3cret', principal: 'ada' }, randomBytes);
    expect(named.of('valid', now)).not.toEqual(peer.of('valid', now));
  });

  it.each<CredentialKind>(['stale', 'future', 'replayed', 'reused'])('have no %s', (kind) => {
    expect(() => peer.of(kind, now)).toThrow('a token has neither timestamp nor nonce');
  });
});

describe('what there is nothing to make of', () => {
  it('is said: revoked without a principal, replayed before a valid', () => {
    expect(() => peerCredentials({ jwtSecret: 'x' }, randomBytes).of('revoked', now)).toThrow(
      'revokedPrincipal',
    );
    const key = pem(generateKeyPairSync('ed25519').privateKey);
    expect(() => peerCredentials({ sshKey: key }, randomBytes).of('revoked', now)).toThrow('revokedSshKey');
    for (const kind of ['replayed', 'reused'] as const)
      expect(() => peerCredentials({ sshKey: key }, randomBytes).of(kind, now)).toThrow('no "valid"');
  });

  it('is everything but valid and none without secret or key; with both, SSH is the scheme', () => {
    const peer = peerCredentials({}, randomBytes);
    expect([peer.scheme, peer.of('valid', now), peer.of('none', now)]).toEqual(['none', {}, {}]);
    expect(() => peer.of('forged', now)).toThrow('give a JWT secret or an SSH key');
    const sshKey = pem(generateKeyPairSync('ed25519').privateKey);
    expect(peerCredentials({ sshKey, jwtSecret: 'x' }, randomBytes).scheme).toBe('ssh');
  });
});

it('the same randomness gives the same credentials', () => {
  const sshKey = pem(generateKeyPairSync('ed25519').privateKey);
  const shown = (): Metadata[] => {
    let byte = 0;
    const counted = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => byte++);
    const peer = peerCredentials({ sshKey }, counted);
    return [peer.of('valid', now), peer.of('forged', now), peer.of('reused', now)];
  };
  expect(shown()).toEqual(shown());
});
