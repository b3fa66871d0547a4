/** Credentials from statements and files: those of the kit's peers, and the checks of the reference gateway. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Metadata } from '../../../kit/base/index.ts';
import { readUserFile } from '../../../kit/spec/index.ts';
import { credentialIn } from '../../../kit/world/index.ts';
import { keyName } from '../../gateway/auth.ts';
import type { GatewayAuth } from '../../gateway/options.ts';
import { peerCredentials } from './credentials.ts';
import type { CredentialKind, CredentialOptions } from './credentials.ts';
import { jwtVerifier } from './jwt.ts';
import { sshVerifier } from './ssh.ts';

/** The credential in an environment variable that a statement names under `key`; undefined without a name. */
export function fromEnvironment(name: string | undefined, key: string): string | undefined {
  return name === undefined ? undefined : credentialIn(name, key);
}

/** The credentials of a statement. */
export interface StatedAuth {
  readonly jwt_secret_env?: string;
  readonly ssh_key_file?: string;
  readonly principal?: string;
  readonly revoked_principal?: string;
  /** The private key file of a principal that the gateway has revoked. */
  readonly revoked_ssh_key_file?: string;
  /** The private key file of a principal that waits for approval. */
  readonly pending_ssh_key_file?: string;
  /** How the gateway treats an SSH key that it does not know. */
  readonly auto_register?: 'approved' | 'pending';
}

let made: string | undefined;

/** The text of a private key that no gateway knows; the same one in the whole run. */
function unknownKey(): string {
  made ??= generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return made;
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
  const { principal, revoked_principal: revokedPrincipal } = auth;
  const keys = keysOf(auth, jwtSecret === undefined);
  const { scheme, of } = peerCredentials({ jwtSecret, principal, revokedPrincipal, ...keys }, randomBytes);
  const revoked = scheme === 'ssh' ? keys.revokedSshKey : revokedPrincipal;
  const features = [
    ...(scheme === 'none' ? [] : ['auth', `${scheme}_auth`]),
    ...(scheme === 'none' || revoked === undefined ? [] : ['revoked_principal']),
    ...(scheme !== 'ssh' || keys.pendingSshKey === undefined ? [] : ['pending_principal']),
  ];
  // The suite's scenarios name only kinds of the scheme.
  return { scheme, features, of: (kind, now) => of(kind as CredentialKind, now) };
}

type Keys = Pick<CredentialOptions, 'sshKey' | 'revokedSshKey' | 'pendingSshKey'>;

/** The texts of the keys of a statement. `needed`: whether agents have no other credentials. */
function keysOf(auth: StatedAuth, needed: boolean): Keys {
  const text = (name: keyof StatedAuth): string | undefined => {
    const file = auth[name];
    return file === undefined ? undefined : readKey(name, file);
  };
  const made = (when: boolean): string | undefined => (when ? unknownKey() : undefined);
  const sshKey = text('ssh_key_file') ?? made(needed && auth.auto_register === 'approved');
  const pendingSshKey = text('pending_ssh_key_file') ?? made(auth.auto_register === 'pending');
  return { sshKey, revokedSshKey: text('revoked_ssh_key_file'), pendingSshKey };
}

function readKey(name: string, file: string): string {
  return readUserFile(file, { kind: `the key of auth.${name}`, most: 1 << 20 });
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
