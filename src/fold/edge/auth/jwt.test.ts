import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jwtVerifier, signJwt } from './jwt.ts';

const secret = 's3cret';
const verify = jwtVerifier(secret);
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (header: unknown, claims: unknown, hash = 'sha256'): string => {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
};

describe('a token', () => {
  it('made here holds, and its expiry is returned, not judged', () => {
    expect(verify(signJwt(secret, { sub: 'ada' }))).toEqual({ sub: 'ada' });
    expect(verify(signJwt(secret, { sub: 'ada', exp: 1, role: 'x' }))).toEqual({ sub: 'ada', exp: 1 });
  });

  it('made elsewhere holds: the HS256 example of jwt.io', () => {
    const token =
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';
    expect(jwtVerifier('your-256-bit-secret')(token)).toEqual({ sub: '1234567890' });
  });

  it('of another secret does not hold', () => {
    expect(verify(signJwt('other', { sub: 'ada' }))).toBeUndefined();
  });

  it.each([
    ['alg none, unsigned (RFC 7519, section 6.1)', `${part({ alg: 'none' })}.${part({ sub: 'ada' })}.`],
    ['alg none, signed', signed({ alg: 'none' }, { sub: 'ada' })],
    ['HS512', signed({ alg: 'HS512' }, { sub: 'ada' }, 'sha512')],
    ['HS512 with an HS256 signature', signed({ alg: 'HS512' }, { sub: 'ada' })],
    ['RS256', signed({ alg: 'RS256' }, { sub: 'ada' })],
    ['hs256: names are case-sensitive', signed({ alg: 'hs256' }, { sub: 'ada' })],
    ['no alg', signed({}, { sub: 'ada' })],
    [
      'a critical extension (RFC 7515, section 4.1.11)',
      signed({ alg: 'HS256', crit: ['b64'] }, { sub: 'ada' }),
    ],
    ['a header that is no object', signed('HS256', { sub: 'ada' })],
    ['no sub', signed({ alg: 'HS256' }, {})],
    ['an empty sub', signed({ alg: 'HS256' }, { sub: '' })],
    ['a sub that is a number', signed({ alg: 'HS256' }, { sub: 7 })],
    ['an exp that is a text', signed({ alg: 'HS256' }, { sub: 'ada', exp: '7' })],
    ['claims that are no object', signed({ alg: 'HS256' }, null)],
    ['two parts', 'a.b'],
    ['four parts', `${signJwt(secret, { sub: 'ada' })}.x`],
    ['nothing', ''],
    ['padding', `${signJwt(secret, { sub: 'ada' })}=`],
  ])('with %s does not hold', (_, token) => {
    expect(verify(token)).toBeUndefined();
  });

  it('with any character changed does not hold, and never throws', () => {
    const token = signJwt(secret, { sub: 'ada', exp: 7 });
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        (at, c) => {
          fc.pre(token[at] !== c);
          expect(verify(token.slice(0, at) + c + token.slice(at + 1))).toBeUndefined();
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('of any text is judged without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (token) => verify(token) === undefined));
  });
});

it('an empty secret is refused: anybody could sign with it', () => {
  expect(() => jwtVerifier('')).toThrow('expected a JWT secret');
  expect(() => signJwt('', { sub: 'ada' })).toThrow('expected a JWT secret');
});
