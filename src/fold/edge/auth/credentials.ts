/**
 * The credentials with which a peer opens a stream: valid ones, and each kind of invalid ones that a gateway must refuse
 * (FOLD-G11 to G13). Clock and randomness are arguments.
 */
import { Buffer } from 'node:buffer';
import { createECDH, createPrivateKey, randomBytes } from 'node:crypto';
import type { Metadata } from '../../../kit/base/index.ts';
import { base64Url, curves, ecJwk } from './curves.ts';
import { signJwt } from './jwt.ts';
import { signerOf, sshSigner } from './ssh-signer.ts';
import type { SshSigner } from './ssh-signer.ts';
import { WireReader, string } from './ssh-wire.ts';

/** The kind of credentials: the fault that they have, or `valid`; see the run mark `credentials`. */
export type CredentialKind =
  | 'valid'
  | 'none'
  | 'stale'
  | 'future'
  | 'replayed'
  | 'reused'
  | 'forged'
  | 'expired'
  | 'revoked'
  | 'pending';

/** The secrets of a peer. Without a secret and without a key it has no credentials. */
export interface CredentialOptions {
  /** The secret of the gateway's tokens: HS256. */
  readonly jwtSecret?: string | undefined;
  /** The `sub` of a token; "wireproof" when absent. */
  readonly principal?: string | undefined;
  /** The text of a private key file. With a secret too, SSH is used, because gateways prefer it. */
  readonly sshKey?: string | undefined;
  /** The `sub` of a principal that is pending or revoked at the gateway. */
  readonly revokedPrincipal?: string | undefined;
  /** The text of the private key file of a principal that is revoked. */
  readonly revokedSshKey?: string | undefined;
  /** The text of the private key file of a principal that waits for approval. */
  readonly pendingSshKey?: string | undefined;
}

/** Makes credentials. `replayed` and `reused` need an earlier `valid`. */
export interface PeerCredentials {
  readonly scheme: 'none' | 'jwt' | 'ssh';
  /**
   * The metadata to open a stream with.
   *
   * @throws Error when the scheme does not have the kind, or a secret for it is missing
   */
  of(kind: CredentialKind, nowUnixMs: number): Metadata;
}

/** Makes `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

const minute = 60_000;

/** How much older than the valid ones the `reused` credentials are (ms): another second, in every window of time. */
const otherSecond = 5000;

const impossible = (scheme: string, kind: string, why: string): Error =>
  new Error(`no "${kind}" credentials with the scheme "${scheme}": ${why}`);

const missing = (scheme: string, kind: string, option: string): Error =>
  impossible(scheme, kind, `it needs ${option}, of a principal the gateway refuses`);

function anonymous(): PeerCredentials {
  const of = (kind: CredentialKind): Metadata => {
    if (kind === 'valid' || kind === 'none') return {};
    throw impossible('none', kind, 'give a JWT secret or an SSH key');
  };
  return { scheme: 'none', of };
}

/** A valid token expires in an hour; the expired one has expired an hour ago, beyond any tolerance of clocks (s). */
const hour = 3600;

function tokens(secret: string, options: CredentialOptions, random: RandomBytes): PeerCredentials {
  const { principal = 'wireproof', revokedPrincipal } = options;
  const of = (kind: CredentialKind, nowUnixMs: number): Metadata => {
    const now = Math.floor(nowUnixMs / 1000);
    const bearer = (key: string, sub: string, exp: number = now + hour): Metadata => ({
      authorization: `Bearer ${signJwt(key, { sub, exp })}`,
    });
    if (kind === 'none') return {};
    if (kind === 'valid') return bearer(secret, principal);
    if (kind === 'expired') return bearer(secret, principal, now - hour);
    if (kind === 'forged') return bearer(secret + Buffer.from(random(16)).toString('hex'), principal);
    if (kind === 'pending')
      throw impossible('jwt', kind, 'a token has one principal that is refused: "revoked"');
    if (kind !== 'revoked') throw impossible('jwt', kind, 'a token has neither timestamp nor nonce');
    if (revokedPrincipal === undefined) throw missing('jwt', kind, 'revokedPrincipal');
    return bearer(secret, revokedPrincipal);
  };
  return { scheme: 'jwt', of };
}

/** A signer with a random key of the same type as `like`. */
function randomSigner(like: SshSigner, random: RandomBytes): Pick<SshSigner, 'sign'> {
  const type = like.publicKey.split(' ', 1)[0] ?? '';
  const curve = curves.find(({ ssh }) => type.endsWith(ssh));
  if (curve !== undefined) {
    const pair = createECDH(curve.openssl);
    // More than zero, and less than the group's order: its top bytes are larger (P-521's first byte has one bit).
    const d = Buffer.from(random(curve.size));
    d[0] = 0;
    d[1] = (d[1] ?? 0) & 0x7f;
    d[curve.size - 1] = (d[curve.size - 1] ?? 0) | 1;
    pair.setPrivateKey(d);
    const key = { ...ecJwk(curve, pair.getPublicKey()), d: base64Url(d) };
    return signerOf(createPrivateKey({ key, format: 'jwk' }));
  }
  return type === 'ssh-rsa' ? randomRsaSigner(like, random) : randomEd25519Signer(random);
}

/** PKCS #8 around an ed25519 seed (RFC 8410, section 7). */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function randomEd25519Signer(random: RandomBytes): SshSigner {
  const key = Buffer.concat([seedPrefix, random(32)]);
  return signerOf(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
}

/** RSA keys cannot be made from given bytes. To a verifier, random bytes look like another key's signature. */
function randomRsaSigner(like: SshSigner, random: RandomBytes): Pick<SshSigner, 'sign'> {
  const sign = (text: string): string => {
    const reader = new WireReader(Buffer.from(like.sign(text), 'base64'));
    const format = reader.string() ?? Buffer.alloc(0);
    const value = Buffer.from(random(reader.string()?.length ?? 0));
    // Less than the modulus: its top bit is set.
    value[0] = (value[0] ?? 0) & 0x7f;
    return Buffer.concat([string(format), string(value)]).toString('base64');
  };
  return { sign };
}

/** The headers of a peer that shows a key, signed at a time (Unix ms). */
function sshHeaders(publicKey: string, by: Pick<SshSigner, 'sign'>, ms: number, nonce: string): Metadata {
  const timestamp = String(Math.floor(ms / 1000));
  return {
    'x-ssh-pubkey': publicKey,
    'x-ssh-timestamp': timestamp,
    'x-ssh-nonce': nonce,
    'x-ssh-signature': by.sign(`${timestamp}|${nonce}`),
  };
}

/** Reads the keys that the gateway refuses. @returns a function that makes the headers of a peer with one of them */
function refusedKeys(
  options: CredentialOptions,
): (kind: 'revoked' | 'pending', now: number, nonce: () => string) => Metadata {
  const signerIn = (file: string | undefined): SshSigner | undefined =>
    file === undefined ? undefined : sshSigner(file);
  const refused = { revoked: signerIn(options.revokedSshKey), pending: signerIn(options.pendingSshKey) };
  return (kind, now, nonce) => {
    const signer = refused[kind];
    if (signer === undefined) throw missing('ssh', kind, `${kind}SshKey`);
    return sshHeaders(signer.publicKey, signer, now, nonce());
  };
}

function signatures(keyFile: string, options: CredentialOptions, random: RandomBytes): PeerCredentials {
  const own = sshSigner(keyFile);
  const shownBy = refusedKeys(options);
  let last: { readonly shown: Metadata; readonly at: number; readonly nonce: string } | undefined;
  const fresh = (): string => Buffer.from(random(16)).toString('hex');
  const mine = (ms: number, nonce: string): Metadata => sshHeaders(own.publicKey, own, ms, nonce);
  const valid = (at: number): Metadata => {
    const nonce = fresh();
    const shown = mine(at, nonce);
    last = { shown, at, nonce };
    return shown;
  };
  const lastValid = (kind: CredentialKind): NonNullable<typeof last> => {
    if (last === undefined) throw impossible('ssh', kind, 'no "valid" ones were made before');
    return last;
  };
  const makers: Record<CredentialKind, (now: number) => Metadata> = {
    none: () => ({}),
    valid,
    stale: (now) => mine(now - 6 * minute, fresh()),
    future: (now) => mine(now + 2 * minute, fresh()),
    // All headers are the same, as somebody who has seen them would send them.
    replayed: () => lastValid('replayed').shown,
    // Another second, and so another signature: only the nonce is wrong.
    reused() {
      const { at, nonce } = lastValid('reused');
      return mine(at - otherSecond, nonce);
    },
    forged: (now) => sshHeaders(own.publicKey, randomSigner(own, random), now, fresh()),
    expired() {
      throw impossible('ssh', 'expired', 'a signature has a timestamp, not an expiry; "stale" is its like');
    },
    revoked: (now) => shownBy('revoked', now, fresh),
    pending: (now) => shownBy('pending', now, fresh),
  };
  const of = (kind: CredentialKind, nowUnixMs: number): Metadata => {
    if (!Object.hasOwn(makers, kind)) throw impossible('ssh', kind, 'there is no such kind');
    return makers[kind](nowUnixMs);
  };
  return { scheme: 'ssh', of };
}

/**
 * The credentials of one peer.
 *
 * @param random for nonces and forgeries; the machine's own when absent
 * @throws {WireproofError} `usage` when a key file cannot be read or the secret is empty
 * @example
 * const peer = peerCredentials({ jwtSecret: 'a secret' });
 * peer.scheme; // 'jwt'
 */
export function peerCredentials(
  options: CredentialOptions,
  random: RandomBytes = randomBytes,
): PeerCredentials {
  if (options.sshKey !== undefined) return signatures(options.sshKey, options, random);
  if (options.jwtSecret !== undefined) return tokens(options.jwtSecret, options, random);
  return anonymous();
}
