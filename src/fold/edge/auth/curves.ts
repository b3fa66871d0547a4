/** The NIST curves by their names in SSH, JWK and OpenSSL, with the hash that RFC 5656, section 6.2.1, gives each. */
export const curves = [
  { ssh: 'nistp256', jwk: 'P-256', openssl: 'prime256v1', size: 32, hash: 'sha256' },
  { ssh: 'nistp384', jwk: 'P-384', openssl: 'secp384r1', size: 48, hash: 'sha384' },
  { ssh: 'nistp521', jwk: 'P-521', openssl: 'secp521r1', size: 66, hash: 'sha512' },
] as const;

/** One of {@link curves}. */
export type Curve = (typeof curves)[number];
