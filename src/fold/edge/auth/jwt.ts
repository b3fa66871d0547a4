/** JSON Web Tokens as Fold uses them (RFC 7519): HS256 and nothing else; whoever asks judges the expiry. */
import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WireproofError, isObject } from '../../../kit/base/index.ts';
import { fromBase64Url } from './ssh-wire.ts';

/** What a token that holds says. */
export interface JwtIdentity {
  /** The principal. */
  readonly sub: string;
  /** Seconds since 1970 from which the token no longer holds; absent: never. */
  readonly exp?: number;
}

/** Longer tokens are refused unread; HTTP/2 peers rarely take headers beyond this either. */
const longest = 16 << 10;
const utf8 = new TextDecoder('utf-8', { fatal: true });

const mac = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest();

function assertSecret(secret: string): void {
  if (secret === '') throw new WireproofError('usage', 'expected a JWT secret; came an empty text; give one');
}

/** A part of a token as a JSON object. */
function jsonPart(part: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = fromBase64Url(part);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 7515, section 4.1.11: extensions that a header calls critical must be understood; none is. */
function acceptsHeader(part: string): boolean {
  const header = jsonPart(part);
  return header !== undefined && header['alg'] === 'HS256' && !Object.hasOwn(header, 'crit');
}

function identity(part: string): JwtIdentity | undefined {
  const claims = jsonPart(part);
  const sub = claims?.['sub'];
  const exp = claims?.['exp'];
  if (typeof sub !== 'string' || sub === '') return undefined;
  if (exp === undefined) return { sub };
  return typeof exp === 'number' && Number.isFinite(exp) ? { sub, exp } : undefined;
}

/**
 * Tells who a token is for, or `undefined` when it is malformed, not HS256, or not made with this secret. The
 * expiry is returned, not judged: there is no clock here.
 *
 * @throws {WireproofError} `usage` when the secret is empty
 * @example
 * jwtVerifier('s3cret')(signJwt('s3cret', { sub: 'ada' })); // { sub: 'ada' }
 */
export function jwtVerifier(secret: string): (token: string) => JwtIdentity | undefined {
  assertSecret(secret);
  return (token) => {
    if (token.length > longest) return undefined;
    const [header, claims, signature, ...rest] = token.split('.');
    if (header === undefined || claims === undefined || signature === undefined || rest.length > 0)
      return undefined;
    const given = fromBase64Url(signature);
    const expected = mac(secret, `${header}.${claims}`);
    if (given?.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return acceptsHeader(header) ? identity(claims) : undefined;
  };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A token for `claims`, signed with HS256.
 *
 * @throws {WireproofError} `usage` when the secret is empty
 */
export function signJwt(secret: string, claims: JwtIdentity & Readonly<Record<string, unknown>>): string {
  assertSecret(secret);
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${mac(secret, text).toString('base64url')}`;
}
