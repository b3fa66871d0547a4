/**
 * JSON Web Tokens (RFC 7519) with HS256, the only algorithm of Fold. The caller checks the expiry. Not the package jose:
 * its verification returns a promise, and the gateway is a pure role that verifies a token within a step.
 */
import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WireproofError, isObject } from '../../../kit/base/index.ts';
import { parseJson } from '../../json.ts';
import { base64Url } from './curves.ts';
import { decodeCanonical } from './ssh-wire.ts';

/** The claims of a valid token. */
export interface JwtIdentity {
  /** The principal. */
  readonly sub: string;
  /** The expiry in Unix seconds; absent: none. */
  readonly exp?: number;
}

/** The longest token (characters). HTTP/2 peers rarely take longer headers. */
const longest = 16 << 10;

const mac = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest();

function assertSecret(secret: string): void {
  if (secret === '') throw new WireproofError('usage', 'expected a JWT secret; came an empty text; give one');
}

/** A part of a token as a JSON object. */
function jsonPart(part: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decodeCanonical(part, 'base64url');
  const parsed = bytes && parseJson(bytes);
  return parsed?.ok === true && isObject(parsed.value) ? parsed.value : undefined;
}

/** RFC 7515, section 4.1.11: a token with critical extensions is refused, because none is supported. */
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
 * Makes the verifier of a secret's tokens. It returns the claims of a token; `undefined` for a token that is malformed,
 * not HS256, or signed with another secret. It does not check the expiry, because it has no clock.
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
    const given = decodeCanonical(signature, 'base64url');
    const expected = mac(secret, `${header}.${claims}`);
    if (given?.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return acceptsHeader(header) ? identity(claims) : undefined;
  };
}

const part = (value: unknown): string => base64Url(Buffer.from(JSON.stringify(value)));

/**
 * A token for `claims`, signed with HS256.
 *
 * @throws {WireproofError} `usage` when the secret is empty
 */
export function signJwt(secret: string, claims: JwtIdentity & Readonly<Record<string, unknown>>): string {
  assertSecret(secret);
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${base64Url(mac(secret, text))}`;
}
