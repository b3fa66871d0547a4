/**
 * Who may speak to the operator face. A browser that a page lured to our port shows itself by a foreign Host (DNS
 * rebinding) or a foreign Origin; who is not on this machine shows a token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WireproofError } from '../../../kit/base/index.ts';

/** A request that is not let through. */
export interface HttpRefusal {
  readonly status: number;
  readonly error: string;
  readonly headers?: { readonly [name: string]: string };
}

/** What a guard goes by. */
export interface GuardOptions {
  /** The address the face listens on. */
  readonly host: string;
  readonly token?: string;
  /** More names by which the face may be called. */
  readonly allowHosts?: readonly string[];
}

const bare = (host: string): string => host.toLowerCase().replaceAll(/^\[|\]$/g, '');

/**
 * Whether a host name or address can only be this machine.
 *
 * @example
 * isLoopback('[::1]'); // true
 */
export function isLoopback(host: string): boolean {
  const name = bare(host);
  return name === 'localhost' || name === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name);
}

/** `name`, `name:port` or `[address]:port`; anything else (user info, a path) is no Host. */
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;

/** A host and port as both Host and Origin can be compared: lower case, without HTTP's default port. */
const authority = (host: string): string => host.toLowerCase().replace(/:80$/, '');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in a time that does not tell how much was right; hashed first, because lengths differ. */
const sameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/**
 * Makes the guard: it says why a request is refused, or nothing. `open` requests (health) need no token.
 *
 * @throws WireproofError 'usage' when the face would be open to the network without a token
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
  const own = new Set([host, ...(options.allowHosts ?? [])].map(bare));
  return (request, open) =>
    foreignHost(request, own) ??
    foreignOrigin(request) ??
    (token === undefined || token === '' || open ? undefined : badToken(request, token));
}

function foreignHost(request: IncomingMessage, own: ReadonlySet<string>): HttpRefusal | undefined {
  const said = request.headers.host ?? '';
  const name = hostForm.exec(said)?.[1];
  if (name !== undefined) {
    if (isLoopback(name) || own.has(bare(name))) return undefined;
    // Bound to all addresses: the one that was called. An address cannot be rebound, only a name can.
    if (bare(name) === bare(request.socket.localAddress ?? '').replace(/^::ffff:/, '')) return undefined;
  }
  return {
    status: 403,
    error: `expected a Host header that names this machine; came ${JSON.stringify(said)}. If it is meant, allow that host`,
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
