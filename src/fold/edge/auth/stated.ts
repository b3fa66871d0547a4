/** Credentials from statements and files: those of the kit's peers, and the checks of the reference gateway. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { WireproofError } from '../../../kit/base/index.ts';
import type { Metadata } from '../../../kit/base/index.ts';
import { keyName } from '../../gateway/auth.ts';
import type { GatewayAuth } from '../../gateway/options.ts';
import { peerCredentials } from './credentials.ts';
import type { CredentialKind } from './credentials.ts';
import { jwtVerifier } from './jwt.ts';
import { sshVerifier } from './ssh.ts';

/** The value of an environment variable that a statement names under `key`; undefined without a name. */
export function fromEnvironment(name: string | undefined, key: string): string | undefined {
  if (name === undefined) return undefined;
  const value = process.env[name] ?? '';
  if (value !== '') return value;
  throw new WireproofError('usage', `${key}: the environment variable ${name} is not set`);
}

/** The credentials of a statement. */
export interface StatedAuth {
  readonly jwt_secret_env?: string;
  readonly ssh_key_file?: string;
  readonly principal?: string;
  readonly revoked_principal?: string;
}

/**
 * The credentials of simulated peers for a gateway that demands them.
 *
 * @throws WireproofError 'usage' when the secret or the key cannot be read
 */
export function statedCredentials(auth: StatedAuth): {
  readonly scheme: string;
  readonly features: readonly string[];
  of(kind: string, now: number): Metadata;
} {
  const jwtSecret = fromEnvironment(auth.jwt_secret_env, 'auth.jwt_secret_env');
  const { ssh_key_file: file, principal, revoked_principal: revokedPrincipal } = auth;
  const sshKey = file === undefined ? undefined : readKey(file);
  const { scheme, of } = peerCredentials({ jwtSecret, sshKey, principal, revokedPrincipal }, randomBytes);
  const revoked = revokedPrincipal === undefined || jwtSecret === undefined ? [] : ['revoked_principal'];
  const features = scheme === 'none' ? [] : ['auth', `${scheme}_auth`, ...revoked];
  // The suite's scenarios name only kinds of the scheme.
  return { scheme, features, of: (kind, now) => of(kind as CredentialKind, now) };
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WireproofError('usage', `auth.ssh_key_file ${file}: ${why}`);
  }
}

/** The checks of the reference gateway: every principal with valid credentials is approved, except revoked ones. */
export function gatewayAuth(options: {
  readonly jwtSecret: string | undefined;
  /** The text of an authorized_keys file. */
  readonly authorizedKeys: string | undefined;
  /** The names of revoked principals. */
  readonly revoked: readonly string[];
}): GatewayAuth {
  const { jwtSecret, authorizedKeys, revoked } = options;
  const lines = (authorizedKeys ?? '').split('\n').filter((line) => !line.startsWith('#'));
  const known = new Set(lines.map(keyName).filter((name) => name !== ''));
  const verify = sshVerifier();
  return {
    ...(jwtSecret === undefined ? {} : { jwt: jwtVerifier(jwtSecret) }),
    ...(authorizedKeys === undefined
      ? {}
      : { ssh: (key, text, signature) => known.has(keyName(key)) && verify(key, text, signature) }),
    principals: Object.fromEntries(revoked.map((name) => [name, 'revoked'])),
    others: 'approved',
  };
}
