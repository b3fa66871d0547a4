/** The NIST curves of SSH keys, and their keys as JWKs. */
import { Buffer } from 'node:buffer';
import type { JsonWebKey } from 'node:crypto';

/** The curves by their names in SSH, JWK and OpenSSL, with their hashes (RFC 5656, section 6.2.1). */
export const curves = [
  { ssh: 'nistp256', jwk: 'P-256', openssl: 'prime256v1', size: 32, hash: 'sha256' },
  { ssh: 'nistp384', jwk: 'P-384', openssl: 'secp384r1', size: 48, hash: 'sha384' },
  { ssh: 'nistp521', jwk: 'P-521', openssl: 'secp521r1', size: 66, hash: 'sha512' },
] as const;

/** One of {@link curves}. */
export type Curve = (typeof curves)[number];

/** Bytes as base64url, as in JWKs. */
export const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The public key of an uncompressed point (0x04, x, y). */
export const ecJwk = ({ jwk, size }: Curve, point: Uint8Array): JsonWebKey & { kty: string } => ({
  kty: 'EC',
  crv: jwk,
  x: base64Url(point.subarray(1, 1 + size)),
  y: base64Url(point.subarray(1 + size)),
});
