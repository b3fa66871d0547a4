/**
 * Verifies SSH signatures over plain text, as Fold's agents send them: an authorized_keys line names the key, and an SSH
 * wire signature (format and blob, RFC 4253 section 6.6) proves it. No input of a peer makes this throw.
 */
import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { base64Url, curves, ecJwk } from './curves.ts';
import type { Curve } from './curves.ts';
import { WireReader, decodeCanonical, padded } from './ssh-wire.ts';

/** Reads one type of key, and verifies its signatures. */
interface Scheme {
  /** The key in a public key blob, after its type. */
  key(blob: WireReader): KeyObject | undefined;
  /** Verifies the blob of a signature in `format`. */
  verify(key: KeyObject, text: Buffer, format: string, blob: Buffer): boolean;
}

/** The longest line and signature (characters): an RSA key of 16384 bits takes 2.8 kB. */
const longest = 16 << 10;
/** The accepted sizes of an RSA modulus (bits): OpenSSH's smallest to OpenSSL's largest. */
const modulus = { least: 1024, most: 16384 } as const;

const publicKey = (jwk: JsonWebKey): KeyObject => createPublicKey({ key: jwk, format: 'jwk' });

/** RFC 8709. */
const ed25519: Scheme = {
  key(blob) {
    const point = blob.string();
    return point?.length === 32 ? publicKey({ kty: 'OKP', crv: 'Ed25519', x: base64Url(point) }) : undefined;
  },
  verify: (key, text, format, blob) =>
    format === 'ssh-ed25519' && blob.length === 64 && verify(null, text, key, blob),
};

/** RFC 5656, section 3.1; points uncompressed. */
function ecdsa(type: string, curve: Curve): Scheme {
  const { ssh, size, hash } = curve;
  return {
    key(blob) {
      const [name, point] = [blob.string(), blob.string()];
      if (name?.toString('latin1') !== ssh || point?.length !== 1 + 2 * size || point[0] !== 4)
        return undefined;
      return publicKey(ecJwk(curve, point));
    },
    verify(key, text, format, blob) {
      const reader = new WireReader(blob);
      const [r, s] = [reader.mpint(), reader.mpint()];
      if (format !== type || r === undefined || s === undefined || !reader.done) return false;
      const [left, right] = [padded(r, size), padded(s, size)];
      if (left === undefined || right === undefined) return false;
      return verify(hash, text, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat([left, right]));
    },
  };
}

/** RFC 8332. The format `ssh-rsa` uses SHA-1, so it is refused. */
const rsaHashes = new Map([
  ['rsa-sha2-256', 'sha256'],
  ['rsa-sha2-512', 'sha512'],
]);

const rsa: Scheme = {
  key(blob) {
    const [e, n] = [blob.mpint(), blob.mpint()];
    const bits = (n?.length ?? 0) * 8 - Math.clz32(n?.[0] ?? 0) + 24;
    if (e === undefined || n === undefined || bits < modulus.least || bits > modulus.most) return undefined;
    const odd = ((e.at(-1) ?? 0) & 1) === 1;
    const one = e.length === 1 && e[0] === 1;
    return odd && !one && e.length <= 8
      ? publicKey({ kty: 'RSA', n: base64Url(n), e: base64Url(e) })
      : undefined;
  },
  verify(key, text, format, blob) {
    const hash = rsaHashes.get(format);
    const size = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
    // Like OpenSSH: some signers omit leading zeros.
    const signature = padded(blob, size);
    return hash !== undefined && signature !== undefined && verify(hash, text, key, signature);
  },
};

/** The types of keys by their names in authorized_keys lines. */
const schemes: ReadonlyMap<string, Scheme> = new Map([
  ['ssh-ed25519', ed25519],
  ['ssh-rsa', rsa],
  ...curves.map((curve): [string, Scheme] => {
    const type = `ecdsa-sha2-${curve.ssh}`;
    return [type, ecdsa(type, curve)];
  }),
]);

/** The key of a line `type base64 [comment]`. A line with options is refused. */
function parseLine(line: string): { scheme: Scheme; key: KeyObject } | undefined {
  if (line.length > longest || /[\r\n\0]/.test(line)) return undefined;
  const [type = '', base64 = ''] = line.split(/[ \t]+/, 2);
  const scheme = schemes.get(type);
  const blob = decodeCanonical(base64, 'base64');
  if (scheme === undefined || blob === undefined) return undefined;
  const reader = new WireReader(blob);
  if (reader.string()?.toString('latin1') !== type) return undefined;
  const key = scheme.key(reader);
  return key !== undefined && reader.done ? { scheme, key } : undefined;
}

/**
 * Verifies a signature over bytes.
 *
 * @throws Error of OpenSSL for invalid keys, such as points off the curve
 */
export function verifySsh(line: string, text: Buffer, signature: string): boolean {
  if (signature.length > longest) return false;
  const blob = decodeCanonical(signature, 'base64');
  const parsed = parseLine(line);
  if (blob === undefined || parsed === undefined) return false;
  const reader = new WireReader(blob);
  const [format, value] = [reader.string(), reader.string()];
  if (format === undefined || value === undefined || !reader.done) return false;
  return parsed.scheme.verify(parsed.key, text, format.toString('latin1'), value);
}

/**
 * Makes the verifier of base64 SSH wire signatures over a text by the key of an authorized_keys line: ssh-ed25519,
 * ecdsa-sha2-nistp256/384/521, or ssh-rsa with rsa-sha2-256/512. Other keys and formats give `false`.
 */
export function sshVerifier(): (keyLine: string, text: string, signature: string) => boolean {
  return (keyLine, text, signature) => {
    const bytes = Buffer.from(text);
    // UTF-8 would replace a lone surrogate, so the signature would be over another text.
    if (bytes.toString() !== text) return false;
    try {
      return verifySsh(keyLine, bytes, signature);
    } catch {
      return false;
    }
  };
}
