/** Signs text with SSH keys; {@link sshVerifier} verifies the signatures. */
import { Buffer } from 'node:buffer';
import { createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { WireproofError } from '../../../kit/base/index.ts';
import { curves } from './curves.ts';
import { readPrivateKey } from './private-key.ts';
import { mpint, string } from './ssh-wire.ts';

/** A key that signs. */
export interface SshSigner {
  /** The authorized_keys line, without a comment. */
  readonly publicKey: string;
  /** Base64 of the SSH wire signature over the text's UTF-8 bytes; RSA signs as rsa-sha2-512. */
  sign(text: string): string;
}

/** The type of a key, the rest of its public blob, the format of its signatures, and a signature's blob. */
interface Parts {
  readonly type: string;
  readonly rest: Buffer;
  readonly format: string;
  blob(text: Buffer): Buffer;
}

function parts(key: KeyObject): Parts {
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  const bytes = (member: string | undefined): Buffer => Buffer.from(member ?? '', 'base64url');
  if (jwk.crv === 'Ed25519') {
    const blob = (text: Buffer): Buffer => sign(null, text, key);
    return { type: 'ssh-ed25519', rest: string(bytes(jwk.x)), format: 'ssh-ed25519', blob };
  }
  if (jwk.kty === 'RSA') {
    const blob = (text: Buffer): Buffer => sign('sha512', text, key);
    const rest = Buffer.concat([mpint(bytes(jwk.e)), mpint(bytes(jwk.n))]);
    return { type: 'ssh-rsa', rest, format: 'rsa-sha2-512', blob };
  }
  const curve = curves.find((one) => one.jwk === jwk.crv);
  if (curve === undefined)
    throw new WireproofError(
      'usage',
      `expected an ed25519, ecdsa or rsa key; came ${jwk.crv ?? jwk.kty ?? 'another'}`,
    );
  const point = Buffer.concat([Buffer.of(4), bytes(jwk.x), bytes(jwk.y)]);
  const type = `ecdsa-sha2-${curve.ssh}`;
  const blob = (text: Buffer): Buffer => {
    const pair = sign(curve.hash, text, { key, dsaEncoding: 'ieee-p1363' });
    return Buffer.concat([mpint(pair.subarray(0, curve.size)), mpint(pair.subarray(curve.size))]);
  };
  return { type, rest: Buffer.concat([string(curve.ssh), string(point)]), format: type, blob };
}

export function signerOf(key: KeyObject): SshSigner {
  const { type, rest, format, blob } = parts(key);
  const line = Buffer.concat([string(type), rest]).toString('base64');
  return {
    publicKey: `${type} ${line}`,
    sign(text) {
      return Buffer.concat([string(format), string(blob(Buffer.from(text)))]).toString('base64');
    },
  };
}

/**
 * The signer of the key in a private key file's text (OpenSSH or PEM, unencrypted).
 *
 * @throws {WireproofError} `usage` when the text holds no such key
 */
export function sshSigner(privateKeyFile: string): SshSigner {
  return signerOf(readPrivateKey(privateKeyFile));
}
