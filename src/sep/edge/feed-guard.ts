/**
 * Decides who may ask a feed server. A page that reaches it by DNS rebinding has a foreign Host. A caller without the token
 * has no right to ask. The server of kit/transport refuses a foreign Origin itself.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { clip, WireproofError } from '../../kit/base/index.ts';
import type { Metadata } from '../../kit/base/index.ts';
import { bareHost, isLoopback } from '../../kit/transport/index.ts';
import { isToken } from './feed-contract.ts';

/** The refusal of a request. */
export interface FeedRefusal {
  readonly status: number;
  readonly error: string;
  readonly headers?: Metadata;
}

/** The options of a guard. */
export interface FeedGuardOptions {
  /** The address on which the server listens. */
  readonly host: string;
  readonly token?: string | undefined;
  /** More names of this machine. */
  readonly allowHosts?: readonly string[];
}

/** `name`, `name:port` or `[address]:port` (RFC 9110, 7.2). */
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

/** The addresses that mean all addresses of a machine. */
const everywhere: readonly string[] = ['0.0.0.0', '::'];

/**
 * Makes the guard. It returns the refusal of a request, by its headers, or undefined.
 *
 * @throws WireproofError 'usage' for a token that no header can carry, and without one on an address that others can reach
 */
export function feedGuard(options: FeedGuardOptions): (headers: Metadata) => FeedRefusal | undefined {
  const { host, token, allowHosts = [] } = options;
  if (token !== undefined && !isToken(token))
    throw new WireproofError(
      'usage',
      `the token of a feed server: expected visible ASCII characters, and no blank; came ${token === '' ? 'an empty text' : 'others'}`,
    );
  if (token === undefined && !isLoopback(host))
    throw new WireproofError(
      'usage',
      `the feed server would listen on ${host}, which others can reach: give a token, or listen on 127.0.0.1`,
    );
  const own = new Set([host, ...allowHosts].map(bareHost));
  const onAll = everywhere.includes(bareHost(host));
  // DNS can rebind a name, but not an address.
  const isOwn = (name: string): boolean => isLoopback(name) || own.has(name) || (onAll && isIP(name) !== 0);
  return (headers) => foreignHost(headers, isOwn) ?? badToken(headers, token);
}

function foreignHost({ host = '' }: Metadata, isOwn: (name: string) => boolean): FeedRefusal | undefined {
  const name = hostForm.exec(host)?.[1];
  if (name !== undefined && isOwn(bareHost(name))) return undefined;
  const came = JSON.stringify(clip(host, 200));
  return {
    status: 403,
    error: `expected a Host header that names this machine; came ${came}. If it is meant, allow that host`,
  };
}

/** The token is compared in constant time. Both are hashed first, because their lengths can differ. */
function badToken({ authorization = '' }: Metadata, token: string | undefined): FeedRefusal | undefined {
  if (token === undefined) return undefined;
  const given = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return undefined;
  const came = given === undefined ? 'none' : 'another';
  return {
    status: 401,
    error: `expected the header "Authorization: Bearer TOKEN" with this server's token; came ${came}`,
    headers: { 'www-authenticate': 'Bearer' },
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
