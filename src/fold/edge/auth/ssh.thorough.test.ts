import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { sshSigner } from './ssh-signer.ts';
import { sshVerifier, verifySsh } from './ssh.ts';
import { signerOf } from './ssh-signer.ts';
import { mpint, string } from './ssh-wire.ts';

const verify = sshVerifier();
const text = '1768780800|6f1e4c';

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const ec = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey;
const rsa = (modulusLength: number, publicExponent = 65537): KeyObject =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).privateKey;

const makers: [string, () => KeyObject][] = [
  ['ssh-ed25519', () => generateKeyPairSync('ed25519').privateKey],
  ['ecdsa-sha2-nistp256', () => ec('P-256')],
  ['ecdsa-sha2-nistp384', () => ec('P-384')],
  ['ecdsa-sha2-nistp521', () => ec('P-521')],
  ['ssh-rsa', () => rsa(2048)],
];

const wire = (format: string, blob: Uint8Array): string =>
  Buffer.concat([string(format), string(blob)]).toString('base64');
const decoded = (base64: string): Buffer => Buffer.from(base64, 'base64');

describe.each(makers)('%s', (type, make) => {
  const signer = sshSigner(pem(make()));
  const signature = signer.sign(text);
  const [, base64 = ''] = signer.publicKey.split(' ');

  it('signs what the verifier takes, with or without a comment on the line', () => {
    expect(signer.publicKey.startsWith(`${type} `)).toBe(true);
    for (const line of [signer.publicKey, `${signer.publicKey} ada@example`, `${type}\t${base64} a b c`])
      expect(verify(line, text, signature)).toBe(true);
    for (let i = 0; i < 200; i++) expect(verify(signer.publicKey, `${i}`, signer.sign(`${i}`))).toBe(true);
  });

  it("another key's signature does not hold, of its kind or of another", () => {
    for (const [, other] of makers)
      expect(verify(signer.publicKey, text, signerOf(other()).sign(text))).toBe(false);
  });

  it('any byte changed in signature, key or text is false, and never a throw', () => {
    const bent = (bytes: Buffer, at: number, by: number): Buffer => {
      const copy = Buffer.from(bytes);
      copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ by;
      return copy;
    };
    const change = fc.tuple(fc.nat(5000), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(change, ([at, by]) => {
        const bentSignature = bent(decoded(signature), at, by).toString('base64');
        expect(verify(signer.publicKey, text, bentSignature)).toBe(false);
        const bentKey = bent(decoded(base64), at, by).toString('base64');
        expect(verify(`${type} ${bentKey}`, text, signature)).toBe(false);
        const bentText = bent(Buffer.from(text), at, by).toString('latin1');
        expect(verify(signer.publicKey, bentText, signature)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('any character changed in the base64 of signature or key is false', () => {
    const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
    const swap = (whole: string, at: number, c: string): string =>
      whole.slice(0, at % whole.length) + c + whole.slice((at % whole.length) + 1);
    fc.assert(
      fc.property(fc.nat(5000), character, (at, c) => {
        const spoilt = swap(signature, at, c);
        if (spoilt !== signature) expect(verify(signer.publicKey, text, spoilt)).toBe(false);
        const line = swap(`${type} ${base64}`, at, c);
        fc.pre(line !== signer.publicKey && line !== `${type}\t${base64}`);
        expect(verify(line, text, signature)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('cut or lengthened values are false', () => {
    for (const whole of [decoded(signature), decoded(base64)])
      for (let length = 0; length < whole.length; length += 7) {
        const cut = whole.subarray(0, length).toString('base64');
        expect(verify(signer.publicKey, text, cut)).toBe(false);
        expect(verify(`${type} ${cut}`, text, signature)).toBe(false);
      }
    const longer = (value: string): string =>
      Buffer.concat([decoded(value), Buffer.alloc(1)]).toString('base64');
    expect(verify(signer.publicKey, text, longer(signature))).toBe(false);
    expect(verify(`${type} ${longer(base64)}`, text, signature)).toBe(false);
  });

  it('a line with options in front, of two lines, or of another type is false', () => {
    for (const line of [
      `no-pty ${signer.publicKey}`,
      `${signer.publicKey}\n`,
      `\n${signer.publicKey}`,
      ` ${signer.publicKey}`,
      `ssh-dss ${base64}`,
      base64,
      type,
      '',
    ])
      expect(verify(line, text, signature), line).toBe(false);
  });
});

describe('RSA', () => {
  const key = rsa(2048);
  const { publicKey } = signerOf(key);

  it('takes rsa-sha2-256 and rsa-sha2-512 (RFC 8332), and no SHA-1 nor a wrong hash', () => {
    const by = (format: string, hash: string): boolean =>
      verify(publicKey, text, wire(format, sign(hash, Buffer.from(text), key)));
    expect(by('rsa-sha2-256', 'sha256')).toBe(true);
    expect(by('rsa-sha2-512', 'sha512')).toBe(true);
    expect(by('ssh-rsa', 'sha1')).toBe(false);
    expect(by('rsa-sha2-256', 'sha1')).toBe(false);
    expect(by('rsa-sha2-256', 'sha512')).toBe(false);
    expect(by('ssh-ed25519', 'sha256')).toBe(false);
  });

  it('takes no key too small to trust, nor one whose exponent signs everything', () => {
    const small = signerOf(rsa(768));
    expect(verify(small.publicKey, text, small.sign(text))).toBe(false);
    const edge = signerOf(rsa(1024));
    expect(verify(edge.publicKey, text, edge.sign(text))).toBe(true);
    const n = decoded(createPublicKey(key).export({ format: 'jwk' }).n ?? '');
    const blob = Buffer.concat([string('ssh-rsa'), mpint(Buffer.of(1)), mpint(n)]);
    const padding = Buffer.alloc(256 - 3 - 51, 0xff);
    const info = Buffer.from('3031300d060960864801650304020105000420', 'hex');
    const hash = createHash('sha256').update(text).digest();
    const own = Buffer.concat([Buffer.of(0, 1), padding, Buffer.of(0), info, hash]);
    expect(verify(`ssh-rsa ${blob.toString('base64')}`, text, wire('rsa-sha2-256', own))).toBe(false);
  });

  it('takes a signature without its leading zeros, as OpenSSH does', () => {
    for (let i = 0; i < 3000; i++) {
      const value = sign('sha256', Buffer.from(`${i}`), key);
      if (value[0] !== 0) continue;
      expect(verify(publicKey, `${i}`, wire('rsa-sha2-256', value.subarray(1)))).toBe(true);
      return;
    }
    throw new Error('no signature began with a zero');
  });
});

it('RFC 8032, section 7.1, test 2: a key and signature made by others hold', () => {
  const point = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');
  const value = Buffer.from(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    'hex',
  );
  const line = `ssh-ed25519 ${Buffer.concat([string('ssh-ed25519'), string(point)]).toString('base64')}`;
  expect(verify(line, '\x72', wire('ssh-ed25519', value))).toBe(true);
  expect(verify(line, '\x73', wire('ssh-ed25519', value))).toBe(false);
});

it('RFC 6979, appendix A.2.5: an ECDSA signature over "sample" made by others holds', () => {
  const hex = (value: string): Buffer => Buffer.from(value, 'hex');
  const point = Buffer.concat([
    Buffer.of(4),
    hex('60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6'),
    hex('7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299'),
  ]);
  const value = Buffer.concat([
    mpint(hex('EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716')),
    mpint(hex('F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8')),
  ]);
  const type = 'ecdsa-sha2-nistp256';
  const line = `${type} ${Buffer.concat([string(type), string('nistp256'), string(point)]).toString('base64')}`;
  expect(verify(line, 'sample', wire(type, value))).toBe(true);
  expect(verify(line, 'simple', wire(type, value))).toBe(false);
});

it('a needless zero before r or s is false: an mpint has one spelling (RFC 4251, section 5)', () => {
  const signer = signerOf(ec('P-256'));
  const type = 'ecdsa-sha2-nistp256';
  const blob = decoded(signer.sign(text)).subarray(4 + type.length + 4);
  const r = blob.subarray(4, 4 + blob.readUInt32BE());
  const s = blob.subarray(8 + r.length);
  expect(verify(signer.publicKey, text, wire(type, Buffer.concat([string(r), string(s)])))).toBe(true);
  const zero = string(Buffer.concat([Buffer.alloc(1), r]));
  expect(verify(signer.publicKey, text, wire(type, Buffer.concat([zero, string(s)])))).toBe(false);
});

it('any three texts are judged without throwing', () => {
  const any = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(fc.property(any, any, any, (a, b, c) => !verify(a, b, c)));
});

const keygen = 'ssh-keygen';
const there = spawnSync(keygen, ['-?']).error === undefined;
if (!there) console.log('ssh-keygen is not on this machine: the tests against it are skipped');

describe.skipIf(!there)('keys of ssh-keygen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wireproof-ssh-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const made = (name: string, ...args: string[]): { file: string; line: string } => {
    const file = join(folder, name);
    execFileSync(keygen, ['-q', '-N', '', '-C', 'ada@example', '-f', file, ...args]);
    return { file, line: readFileSync(`${file}.pub`, 'utf8').trim() };
  };
  const kinds: [string, string[]][] = [
    ['ed25519', []],
    ['ecdsa', ['-b', '256']],
    ['ecdsa', ['-b', '384']],
    ['ecdsa', ['-b', '521']],
    ['rsa', ['-b', '2048']],
    ['rsa', ['-b', '3072']],
  ];
  const forms: [string, string[]][] = [
    ['OpenSSH', []],
    ['PEM', ['-m', 'PEM']],
    ['PKCS8', ['-m', 'PKCS8']],
  ];
  const table = kinds.flatMap(([kind, size]) =>
    forms
      // OpenSSH writes ed25519 keys in its own format, whatever is asked; a long RSA key takes a second to make.
      .filter(([form]) => form === 'OpenSSH' || (kind !== 'ed25519' && !size.includes('3072')))
      .map(([form, flags]) => ({
        name: `${kind} ${size.join(' ')} ${form}`,
        args: ['-t', kind, ...size, ...flags],
      })),
  );

  it.each(table)('$name: the file is read, and its line is the one ssh-keygen wrote', ({ name, args }) => {
    const { file, line } = made(name.replaceAll(' ', '_'), ...args);
    const signer = sshSigner(readFileSync(file, 'utf8'));
    expect(`${signer.publicKey} ada@example`).toBe(line);
    expect(verify(line, text, signer.sign(text))).toBe(true);
    expect(verify(line, `${text}x`, signer.sign(text))).toBe(false);
  });

  it('read many times over: short numbers and odd paddings too', () => {
    for (let i = 0; i < 40; i++) {
      const { file, line } = made(`many${i}`, '-t', i % 2 === 0 ? 'ecdsa' : 'ed25519');
      expect(`${sshSigner(readFileSync(file, 'utf8')).publicKey} ada@example`).toBe(line);
    }
  });

  it.each(kinds)('a signature that ssh-keygen itself made holds: %s %s', (kind, size) => {
    const { file, line } = made(`sig-${kind}${size.join('')}`, '-t', kind, ...size);
    writeFileSync(join(folder, 'text'), text);
    rmSync(join(folder, 'text.sig'), { force: true });
    execFileSync(keygen, ['-q', '-Y', 'sign', '-n', 'test', '-f', file, join(folder, 'text')], {
      stdio: 'ignore',
    });
    const armour = readFileSync(join(folder, 'text.sig'), 'utf8');
    const blob = decoded(armour.replaceAll(/-----.*-----|\s/g, ''));
    // PROTOCOL.sshsig: the magic and a version, then publickey, namespace, reserved, hash algorithm, signature.
    let at = 10;
    const next = (): Buffer => {
      const start = at + 4;
      at = start + blob.readUInt32BE(at);
      return blob.subarray(start, at);
    };
    next();
    const [namespace, reserved, algorithm, signature] = [next(), next(), next(), next()];
    const hash = createHash(algorithm.toString()).update(text).digest();
    const said = Buffer.concat([
      Buffer.from('SSHSIG'),
      ...[namespace, reserved, algorithm, hash].map((value) => string(value)),
    ]);
    expect(verifySsh(line, said, signature.toString('base64'))).toBe(true);
    expect(verifySsh(line, said.subarray(1), signature.toString('base64'))).toBe(false);
  });

  it('an encrypted key is refused with what to do', () => {
    for (const [form, flags] of forms) {
      const file = join(folder, `encrypted-${form}`);
      execFileSync(keygen, ['-q', '-t', 'ecdsa', '-N', 'passphrase', '-f', file, ...flags]);
      expect(() => sshSigner(readFileSync(file, 'utf8')), form).toThrow('take its passphrase off');
    }
  });

  it('a key file with any byte changed or cut off is refused or read, with an error of ours only', () => {
    const whole = readFileSync(made('damaged', '-t', 'ecdsa').file, 'utf8');
    const lines = whole.split('\n');
    const body = decoded(lines.slice(1, -2).join(''));
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, by, cut) => {
        const bytes = Buffer.from(cut ? body.subarray(0, at) : body);
        if (!cut) bytes[at] = (bytes[at] ?? 0) ^ by;
        const file = [lines[0], bytes.toString('base64'), lines.at(-2)].join('\n');
        try {
          sshSigner(file);
        } catch (error) {
          expect(error).toMatchObject({ name: 'WireproofError', code: 'usage' });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

it.each([
  ['nothing', ''],
  ['a public key', 'ssh-ed25519 AAAA'],
  ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ['an empty OpenSSH file', '-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n'],
  [
    'an ed448 key',
    generateKeyPairSync('ed448').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ],
  ['a secp256k1 key', pem(ec('secp256k1'))],
])('a key file of %s is refused', (_, file) => {
  expect(() => sshSigner(file)).toThrow(expect.objectContaining({ name: 'WireproofError', code: 'usage' }));
});
