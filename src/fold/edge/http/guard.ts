/**
 * Decides who may call the operator face. A request that a web page makes through its reader's browser has a foreign
 * Host (DNS rebinding) or a foreign Origin. A caller on another machine needs a token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WireproofError } from '../../../kit/base/index.ts';
import { bareHost, isLoopback } from '../../../kit/transport/index.ts';

/** The refusal of a request. */
export interface HttpRefusal {
  readonly status: number;
  readonly error: string;
  readonly headers?: { readonly [name: string]: string };
}

/** The options of a guard. */
export interface GuardOptions {
  /** The address the face listens on. */
  readonly host: string;
  readonly token?: string | undefined;
  /** More allowed names of this machine. */
  readonly allowHosts?: readonly string[];
}

/** `name`, `name:port` or `[address]:port`. Other forms (user info, a path) are not valid in Host. */
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;

/** A host and port in a comparable form: lower case, without HTTP's default port. */
const authority = (host: string): string => host.toLowerCase().replace(/:80$/, '');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time; both are hashed first, because their lengths can differ. */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/**
 * Makes the guard, which returns the refusal of a request, or undefined. `open` requests (health) need no token.
 *
 * @throws WireproofError 'usage' when other machines could call the face without a token
 */
export function httpGuard(
  options: GuardOptions,
): (request: IncomingMessage, open: boolean) => HttpRefusal | undefined {
  const { host, token } = options;
  if (!isLoopback(host) && (token ?? '') === '') {
    throw new WireproofError(
      'usage',
      `the operator face would listen on ${host}, which others can reach: give a token, or listen on 127.0.0.1`,
    );
  }
  const own = new Set([host, ...(options.allowHosts ?? [])].map(bareHost));
  return (request, open) =>
    foreignHost(request, own) ??
    foreignOrigin(request) ??
    (token === undefined || token === '' || open ? undefined : badToken(request, token));
}

function foreignHost(request: IncomingMessage, own: ReadonlySet<string>): HttpRefusal | undefined {
  const given = request.headers.host ?? '';
  const name = hostForm.exec(given)?.[1];
  if (name !== undefined) {
    if (isLoopback(name) || own.has(bareHost(name))) return undefined;
    // A face on all addresses: the address that was called. DNS can rebind a name, but not an address.
    if (bareHost(name) === bareHost(request.socket.localAddress ?? '').replace(/^::ffff:/, ''))
      return undefined;
  }
  return {
    status: 403,
    error: `expected a Host header that names this machine; came ${JSON.stringify(given)}. If it is meant, allow that host`,
  };
}

function foreignOrigin(request: IncomingMessage): HttpRefusal | undefined {
  const { origin, host = '' } = request.headers;
  if (origin === undefined) return undefined;
  const from = /^https?:\/\/(.+)$/i.exec(origin)?.[1];
  if (from !== undefined && authority(from) === authority(host)) return undefined;
  return {
    status: 403,
    error: `expected no Origin header, or http://${host}; came ${JSON.stringify(origin)}: pages of other sites may not call this`,
  };
}

function badToken(request: IncomingMessage, token: string): HttpRefusal | undefined {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (given !== undefined && sameSecret(given, token)) return undefined;
  const came = given === undefined ? 'none' : 'another';
  return {
    status: 401,
    error: `expected the header "Authorization: Bearer TOKEN" with this face's token; came ${came}`,
    headers: { 'www-authenticate': 'Bearer' },
  };
}
