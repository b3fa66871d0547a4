/** Reads unencrypted private key files, in OpenSSH's own format (PROTOCOL.key) and in PEM. */
import { Buffer } from 'node:buffer';
import { createPrivateKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { WireproofError } from '../../../kit/base/index.ts';
import { base64Url, curves, ecJwk } from './curves.ts';
import { WireReader, padded } from './ssh-wire.ts';

const refusal = (came: string): WireproofError =>
  new WireproofError(
    'usage',
    `expected an unencrypted private key, OpenSSH or PEM: ed25519, ecdsa (nistp256, nistp384, nistp521) or rsa; came ${came}`,
  );

const encrypted = (): WireproofError =>
  refusal('an encrypted one; take its passphrase off (ssh-keygen -p -N "" -f COPY) or give another key');

/** The first bytes of OpenSSH's format (PROTOCOL.key). */
const magic = 'openssh-key-v1\0';

/** Returns a value that was read. Throws when the file ended before it. */
function need<T>(value: T | undefined): T {
  if (value === undefined) throw refusal('an OpenSSH key file that is cut short or damaged');
  return value;
}

const toInteger = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);

function fromInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

function ed25519Jwk(reader: WireReader): JsonWebKey {
  const point = need(reader.string());
  const pair = need(reader.string());
  if (pair.length !== 64 || !pair.subarray(32).equals(point)) throw refusal('a damaged ed25519 key');
  return { kty: 'OKP', crv: 'Ed25519', x: base64Url(point), d: base64Url(pair.subarray(0, 32)) };
}

function rsaJwk(reader: WireReader): JsonWebKey {
  const next = (): Buffer => need(reader.mpint());
  const [n, e, d, qi, p, q] = [next(), next(), next(), next(), next(), next()];
  const reduced = (prime: Buffer): string => base64Url(fromInteger(toInteger(d) % (toInteger(prime) - 1n)));
  const [dp, dq] = [reduced(p), reduced(q)];
  return {
    kty: 'RSA',
    n: base64Url(n),
    e: base64Url(e),
    d: base64Url(d),
    p: base64Url(p),
    q: base64Url(q),
    dp,
    dq,
    qi: base64Url(qi),
  };
}

function ecdsaJwk(reader: WireReader, type: string): JsonWebKey {
  const name = need(reader.string()).toString('latin1');
  const point = need(reader.string());
  const d = need(reader.mpint());
  const curve = curves.find(({ ssh }) => ssh === name && type === `ecdsa-sha2-${ssh}`);
  if (curve === undefined || point.length !== 1 + 2 * curve.size) throw refusal(`a damaged ${type} key`);
  return { ...ecJwk(curve, point), d: base64Url(need(padded(d, curve.size))) };
}

function jwkOf(type: string, reader: WireReader): JsonWebKey {
  if (type === 'ssh-ed25519') return ed25519Jwk(reader);
  if (type === 'ssh-rsa') return rsaJwk(reader);
  if (type.startsWith('ecdsa-sha2-')) return ecdsaJwk(reader, type);
  throw refusal(`a key of type ${JSON.stringify(type)}`);
}

function openSshKey(body: string): KeyObject {
  const reader = new WireReader(Buffer.from(body, 'base64'));
  if (reader.bytes(magic.length)?.toString('latin1') !== magic)
    throw refusal('a file that only looks like OpenSSH');
  const [cipher, kdf] = [need(reader.string()), need(reader.string())];
  need(reader.string());
  if (cipher.toString('latin1') !== 'none' || kdf.toString('latin1') !== 'none') throw encrypted();
  if (need(reader.uint32()) !== 1) throw refusal('a file of several keys');
  need(reader.string());
  const secret = new WireReader(need(reader.string()));
  // Two equal numbers show that the section is intact.
  if (need(secret.uint32()) !== need(secret.uint32())) throw refusal('a damaged OpenSSH key file');
  const type = need(secret.string()).toString('latin1');
  return createPrivateKey({ key: jwkOf(type, secret), format: 'jwk' });
}

/**
 * The key of a private key file's text.
 *
 * @throws {WireproofError} `usage` when it is encrypted, of another kind, or damaged
 */
export function readPrivateKey(text: string): KeyObject {
  const [, label = '', body = ''] = /-----BEGIN ([A-Z ]+)-----([^]*?)-----END \1-----/.exec(text) ?? [];
  if (!label.endsWith('PRIVATE KEY')) throw refusal('a text without a private key');
  if (label.startsWith('ENCRYPTED') || body.includes('ENCRYPTED')) throw encrypted();
  try {
    return label === 'OPENSSH PRIVATE KEY' ? openSshKey(body) : createPrivateKey(text);
  } catch (error) {
    if (error instanceof WireproofError) throw error;
    throw refusal(`one that cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
