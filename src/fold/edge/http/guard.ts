/**
 * Decides who may call the operator face: only its own page, not every page of this machine. A caller on another machine
 * needs a token. A foreign Host is refused before, as by every server of the kit (kit/transport/page-guard.ts).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WireproofError } from '../../../kit/base/index.ts';
import { isLoopback } from '../../../kit/transport/index.ts';

/** The refusal of a request. */
export interface HttpRefusal {
  readonly status: number;
  readonly error: string;
  readonly headers?: { readonly [name: string]: string };
}

export interface GuardOptions {
  /** The address the face listens on. */
  readonly host: string;
  readonly token?: string | undefined;
  /** More allowed names of this machine. */
  readonly allowHosts?: readonly string[];
}

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
  return (request, open) =>
    foreignOrigin(request) ??
    (token === undefined || token === '' || open ? undefined : badToken(request, token));
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
