/** The credentials of statements: keys of refused principals, and keys that the kit makes. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sshVerifier } from './ssh.ts';
import { statedCredentials } from './stated.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

function keyFile(name: string): string {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  writeFileSync(join(folder, name), pem);
  return join(folder, name);
}

/** The public key that credentials of a kind show, with a signature that is valid. */
function keyOf(credentials: ReturnType<typeof statedCredentials>, kind: string): string {
  const shown = credentials.of(kind, Date.now());
  const [key = '', stamp = '', nonce = '', signature = ''] = [
    'pubkey',
    'timestamp',
    'nonce',
    'signature',
  ].map((name) => shown[`x-ssh-${name}`]);
  expect(sshVerifier()(key, `${stamp}|${nonce}`, signature)).toBe(true);
  return key;
}

describe('credentials of a statement', () => {
  it('without an entry there are none', () => {
    expect(statedCredentials({})).toMatchObject({ scheme: 'none', features: [] });
  });

  it('the key of a revoked principal is a valid key of its own', () => {
    const files = { revoked_ssh_key_file: keyFile('revoked'), pending_ssh_key_file: keyFile('pending') };
    const stated = statedCredentials({ ssh_key_file: keyFile('own'), ...files });
    expect(stated.features).toEqual(['auth', 'ssh_auth', 'revoked_principal', 'pending_principal']);
    const keys = ['valid', 'revoked', 'pending'].map((kind) => keyOf(stated, kind));
    expect(new Set(keys).size).toBe(3);
  });

  it('a pending key is enough without a revoked one', () => {
    const stated = statedCredentials({ ssh_key_file: keyFile('a'), pending_ssh_key_file: keyFile('b') });
    expect(stated.features).toEqual(['auth', 'ssh_auth', 'pending_principal']);
    expect(keyOf(stated, 'pending')).not.toBe(keyOf(stated, 'valid'));
  });

  it('auto_register: pending makes the pending key, the same one in the whole run', () => {
    const auth = { ssh_key_file: keyFile('c'), auto_register: 'pending' } as const;
    const [first, second] = [statedCredentials(auth), statedCredentials(auth)];
    expect(keyOf(first, 'pending')).toBe(keyOf(second, 'pending'));
    expect(keyOf(first, 'pending')).not.toBe(keyOf(first, 'valid'));
  });

  it("auto_register: approved makes the kit's own key, unless one is stated", () => {
    const made = statedCredentials({ auto_register: 'approved' });
    expect(made).toMatchObject({ scheme: 'ssh', features: ['auth', 'ssh_auth'] });
    const stated = statedCredentials({ auto_register: 'approved', ssh_key_file: keyFile('d') });
    expect(keyOf(stated, 'valid')).not.toBe(keyOf(made, 'valid'));
  });

  it('a key file that cannot be read is named by its entry', () => {
    expect(() => statedCredentials({ ssh_key_file: keyFile('e'), pending_ssh_key_file: '/no/such' })).toThrow(
      '/no/such: no such file; expected the key of auth.pending_ssh_key_file',
    );
  });
});
