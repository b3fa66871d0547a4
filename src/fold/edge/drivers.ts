/** How an operator reaches a gateway that is not ours, and what its peers show it: from a statement's words. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { WireproofError } from '../../kit/base/index.ts';
import type { Metadata } from '../../kit/base/index.ts';
import { dialGrpc } from '../../kit/transport/index.ts';
import type { Dial } from '../../kit/world/index.ts';
import type { GatewayAuth } from '../gateway/gateway.ts';
import { jwtVerifier, peerCredentials, sshVerifier } from './auth/index.ts';
import type { CredentialKind } from './auth/index.ts';
import { clientServiceDriver } from './client-service/driver.ts';
import { commandDriver } from './command/driver.ts';
import type { Commands } from './command/driver.ts';
import { httpDriver } from './http/driver.ts';

/** What is asked of a driver; see a suite's `Listening.driver`. */
export interface OperatorDriverRequest {
  readonly name: string;
  readonly place: {
    readonly host: string;
    readonly port: number;
    readonly url: string;
    readonly tls?: boolean;
    readonly ca?: string;
    readonly token?: string;
  };
  readonly statement:
    | {
        readonly operator?: {
          readonly url?: string;
          readonly token_env?: string;
          readonly commands?: { readonly [verb: string]: readonly string[] };
        };
      }
    | undefined;
  readonly next: () => number;
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);
const maxReceive = 16 << 20;

/** The value of an environment variable that a statement names. */
function fromEnvironment(name: string | undefined, key: string): string | undefined {
  if (name === undefined) return undefined;
  const value = process.env[name] ?? '';
  if (value === '') throw usage(`${key}: the environment variable ${name} is not set`);
  return value;
}

/**
 * Opens a driver by its name: `http`, `client-service` or `command`.
 *
 * @throws WireproofError 'usage' when the statement lacks what it needs
 */
export async function operatorDriver(request: OperatorDriverRequest): Promise<Dial> {
  const { name, place, next } = request;
  const { url = place.url, token_env, commands } = request.statement?.operator ?? {};
  const token = fromEnvironment(token_env, 'operator.token_env') ?? place.token;
  const trust = place.ca === undefined ? {} : { ca: place.ca };
  if (name === 'command') {
    if (commands === undefined)
      throw usage(
        'the command driver wants operator.commands in the statement: an argv for send, cancel, inject, approve',
      );
    return commandDriver({ commands: at(place, commands), next, env: { WIREPROOF_URL: place.url } });
  }
  if (name === 'client-service') {
    const address = `${place.host}:${place.port}`;
    const tls = place.tls === true ? { tls: trust } : {};
    const dial = dialGrpc({ address, method: '', maxReceive, next, ...tls });
    const metadata: Metadata = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return clientServiceDriver({ dial, next, metadata });
  }
  if (url === '')
    throw usage("the http driver wants operator.url in the statement: where the gateway's HTTP face is");
  return httpDriver({ url, next, ...trust, ...(token === undefined ? {} : { token }) });
}

/** Commands with the places of the gateway filled in: `{url}`, `{address}`, `{host}`, `{port}`. */
function at(place: OperatorDriverRequest['place'], commands: Commands): Commands {
  const { host, port, url } = place;
  const values: { readonly [name: string]: string } = {
    host,
    port: String(port),
    address: `${host}:${port}`,
    url,
  };
  const fill = (arg: string): string =>
    arg.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return Object.fromEntries(Object.entries(commands).map(([verb, argv]) => [verb, argv.map(fill)]));
}

/** What a statement says of credentials. */
export interface StatedAuth {
  readonly jwt_secret_env?: string;
  readonly ssh_key_file?: string;
  readonly principal?: string;
  readonly revoked_principal?: string;
}

/** Credentials by which simulated peers come to a gateway that demands them. */
export function statedCredentials(auth: StatedAuth): {
  readonly scheme: string;
  readonly features: readonly string[];
  of(kind: string, now: number): Metadata;
} {
  const jwtSecret = fromEnvironment(auth.jwt_secret_env, 'auth.jwt_secret_env');
  const { ssh_key_file: file, principal, revoked_principal: revokedPrincipal } = auth;
  const sshKey = file === undefined ? undefined : readKey(file);
  const stated = {
    ...(jwtSecret === undefined ? {} : { jwtSecret }),
    ...(sshKey === undefined ? {} : { sshKey }),
    ...(principal === undefined ? {} : { principal }),
    ...(revokedPrincipal === undefined ? {} : { revokedPrincipal }),
  };
  const { scheme, of } = peerCredentials(stated, randomBytes);
  const revoked = revokedPrincipal === undefined || jwtSecret === undefined ? [] : ['revoked_principal'];
  const features = scheme === 'none' ? [] : ['auth', `${scheme}_auth`, ...revoked];
  // Kinds come from scenarios, which the suite wrote for the scheme.
  return { scheme, features, of: (kind, now) => of(kind as CredentialKind, now) };
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usage(`auth.ssh_key_file ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Whom the reference gateway lets in, by secrets and keys as their files have them. */
export function gatewayAuth(options: {
  readonly jwtSecret: string | undefined;
  /** The text of an authorized_keys file. */
  readonly authorizedKeys: string | undefined;
  /** Principals that may not come in. */
  readonly revoked: readonly string[];
}): GatewayAuth {
  const { jwtSecret, authorizedKeys, revoked } = options;
  const known = keysOf(authorizedKeys ?? '');
  const verify = sshVerifier();
  return {
    ...(jwtSecret === undefined ? {} : { jwt: jwtVerifier(jwtSecret) }),
    ...(authorizedKeys === undefined
      ? {}
      : { ssh: (key, text, signature) => known.has(nameOf(key)) && verify(key, text, signature) }),
    // Whoever shows good credentials is let in, but for those who are named.
    principals: Object.fromEntries(revoked.map((name) => [name, 'revoked'])),
    others: 'approved',
  };
}

/** A key's type and base64, which are its name. */
const nameOf = (line: string): string => line.trim().split(/\s+/).slice(0, 2).join(' ');

const keysOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map(nameOf),
  );
