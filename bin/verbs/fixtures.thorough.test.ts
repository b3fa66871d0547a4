/** `wireproof fixtures` as a user runs it. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { registry } from '../registry.ts';
import { wireproof } from '../run.test-helper.ts';
import type { Ran } from '../run.test-helper.ts';

const root = mkdtempSync(join(tmpdir(), 'wireproof-fixtures-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const fixtures = (...args: readonly string[]): Promise<Ran> =>
  wireproof(['fixtures', ...args], { cwd: root });
const contents = (folder: string): readonly (readonly string[])[] =>
  readdirSync(resolve(root, folder)).map((name) => [name, readFileSync(resolve(root, folder, name), 'utf8')]);

/** The output of `fixtures generate toon`. The vectors are in ./vectors. */
let made: Ran;
beforeAll(async () => {
  made = await fixtures('generate', 'toon');
}, 60_000);

/** Verifies a copy of the vectors with one change in header.json and a matching manifest. */
function verifyChanged(name: string, from: string, to: string): Promise<Ran> {
  cpSync(join(root, 'vectors'), join(root, name), { recursive: true });
  const file = join(root, name, 'header.json');
  const before = readFileSync(file, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
  const sum = (text: string): string => createHash('sha256').update(text).digest('hex');
  const manifest = join(root, name, 'manifest.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(sum(before), sum(after)));
  return fixtures('verify', 'toon', name);
}

describe('fixtures generate', () => {
  it('writes vectors into ./vectors, and lists the files', () => {
    const { code, stdout, stderr } = made;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^header\.json +\d+ tests$/m);
    expect(stdout).toMatch(/^manifest\.json$/m);
    expect(stdout).toMatch(/^README\.md$/m);
    expect(stdout).toMatch(/^wrote \d{3} tests in \d+ files to vectors; seed 1\n$/m);
    expect(readdirSync(join(root, 'vectors'))).toContain('manifest.json');
  });

  it('writes the same bytes for the same seed, and other bytes for another seed', async () => {
    // Those of the kit are of the same seed.
    expect(contents('vectors')).toEqual(contents(join(packageRoot(), 'fixtures/toon/vectors')));
    await fixtures('generate', 'toon', '--seed', 'other', '--out', 'other');
    expect(contents('other')).not.toEqual(contents('vectors'));
  });

  it('overwrites its own files; other files only with --force', async () => {
    cpSync(join(root, 'vectors'), join(root, 'mine'), { recursive: true });
    expect((await fixtures('generate', 'toon', '--out', 'mine', '--seed', '2')).code).toBe(0);
    writeFileSync(join(root, 'mine/rle.json'), '{"mine":true}');
    const refused = await fixtures('generate', 'toon', '--out', 'mine');
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/^wireproof: mine has rle\.json already.*--force overwrites/);
    expect(readFileSync(join(root, 'mine/rle.json'), 'utf8')).toBe('{"mine":true}');
    expect((await fixtures('generate', 'toon', '--out', 'mine', '--force')).code).toBe(0);
    expect((await fixtures('verify', 'toon', 'mine')).code).toBe(0);
  });

  const withVectors = registry.protocols.filter(({ vectors }) => vectors !== undefined);
  const withConversations = registry.protocols.flatMap(({ name, conversations = {} }) =>
    Object.keys(conversations).map((role) => `${name}/${role}`),
  );
  const noVectors = (name: string): string =>
    `wireproof: there are no vectors of "${name}"; the protocols with vectors are ${withVectors.map((one) => one.name).join(', ')}\n`;

  it.each([
    [['generate', 'agent'], noVectors('agent')],
    [['generate', 'constructor'], noVectors('constructor')],
    [
      ['generate', 'toon', '--seed', 'a b'],
      'wireproof: --seed a b: expected up to 64 letters, digits, ".", "_" or "-"\n',
    ],
    [
      ['verify', 'nothing'],
      `wireproof: nothing: neither a protocol with vectors (${withVectors.map((one) => one.name).join(', ')}) nor a folder with a manifest.json\n`,
    ],
    [['verify', 'agent'], noVectors('agent')],
    [
      ['generate', 'tokens', '--conversations', '2'],
      `wireproof: there are no random conversations of "tokens"; the suites with conversations are ${withConversations.join(', ')}\n`,
    ],
    [
      ['generate', 'fold', '--conversations', '0'],
      'wireproof: --conversations 0: expected a whole number from 1 to 200\n',
    ],
    [
      ['generate', 'fold', '--conversations', '2', '--seed', 'x'],
      'wireproof: --seed x: expected a whole number, the seed of the first conversation\n',
    ],
    [['verify', 'toon', 'nowhere'], 'wireproof: nowhere: no such folder; expected one with vectors\n'],
  ])('%j is refused', async (args, sentence) => {
    expect(await fixtures(...args)).toEqual({ code: 2, stdout: '', stderr: sentence });
  });

  it('names a folder that it cannot write to', async () => {
    writeFileSync(join(root, 'file'), '');
    const { code, stderr } = await fixtures('generate', 'toon', '--out', 'file/vectors');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^wireproof: cannot write to file\/vectors: ENOTDIR/);
  });
});

describe('fixtures verify', () => {
  it.each(['fold', 'toon', 'llm', 'tokens'])(
    'checks the vectors of the kit for %s against schema, manifest, seed and reference',
    async (protocol) => {
      const { code, stdout, stderr } = await fixtures('verify', protocol);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(
        new RegExp(`fixtures/${protocol}/vectors: \\d{3} tests in \\d+ files are valid: .*seed 1`),
      );
    },
  );

  it('reads the protocol from the manifest of a folder, and prints its result as JSON with --json', async () => {
    const { code, stdout, stderr } = await fixtures('verify', 'vectors', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ protocol: 'toon', folder: 'vectors', faults: [] });
  });

  it('refuses a folder whose manifest is faulty', async () => {
    mkdirSync(join(root, 'faulty'), { recursive: true });
    writeFileSync(join(root, 'faulty/manifest.json'), '{}');
    const { code, stdout, stderr } = await fixtures('verify', 'faulty');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^wireproof: faulty\/manifest\.json: the file must have required property/);
  });

  it('finds a file that was changed', async () => {
    cpSync(join(root, 'vectors'), join(root, 'changed'), { recursive: true });
    writeFileSync(join(root, 'changed/rle.json'), '{}\n');
    const { code, stdout } = await fixtures('verify', 'toon', 'changed');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^changed\/rle\.json:1:1: the file must have required property/);
    expect(stdout).toMatch(/changed: \d+ faults?\n$/);
  });

  it('finds a test that differs from the seed, though the manifest matches', async () => {
    const { code, stdout } = await verifyChanged('reworded', 'the known answer', 'an answer');
    expect(code).toBe(1);
    expect(stdout).toBe(
      'reworded/header.json:7:51: from here on, it differs from the vectors of this seed\nreworded: 1 fault\n',
    );
  });

  it('finds an expectation that the reference does not meet', async () => {
    const { code, stdout } = await verifyChanged('wrong', '"sequenceId":1,', '"sequenceId":2,');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^wrong\/header\.json:\d+:9: header-known-answer: the reference fails: .*sequenceId/,
    );
  });

  it('finds an unknown requirement id', async () => {
    const { code, stdout } = await verifyChanged('stranger', '"TOON-01"', '"TOON-99"');
    expect(code).toBe(1);
    expect(stdout).toMatch(/header-known-answer: TOON-99 is not a requirement of toon$/m);
  });
});

describe('fixtures generate --conversations', () => {
  it('writes traces that every seed makes again, that verify accepts and judge finds clean', async () => {
    const { code, stdout, stderr } = await fixtures(
      'generate',
      'fold',
      '--conversations',
      '2',
      '--seed',
      '7',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const names = ['fold-agent-7', 'fold-agent-8', 'fold-gateway-7', 'fold-gateway-8'].map(
      (n) => `${n}.jsonl`,
    );
    for (const name of names) expect(stdout).toMatch(new RegExp(`^${name} +\\d+ events$`, 'm'));
    expect(stdout).toMatch(/^wrote 4 conversations to conversations; seed 7\n$/m);
    await fixtures('generate', 'fold', '--conversations', '2', '--seed', '7', '--out', 'talks');
    expect(contents('talks')).toEqual(contents('conversations'));
    const verified = await fixtures('verify', 'talks');
    expect(verified).toMatchObject({
      code: 0,
      stdout: 'talks: 4 conversations are valid: manifest, seed, rules\n',
    });
    for (const name of names) {
      const judged = await wireproof(['judge', `talks/${name}`, '--json', '--allow-inconclusive'], {
        cwd: root,
      });
      expect([name, judged.code, judged.stderr]).toEqual([name, 0, '']);
    }
  });

  it('finds a conversation that was changed, though the manifest matches', async () => {
    cpSync(join(root, 'talks'), join(root, 'other'), { recursive: true });
    const file = join(root, 'other/fold-agent-7.jsonl');
    const before = readFileSync(file, 'utf8');
    const after = before.replace('"seq":3,', '"seq": 3,');
    writeFileSync(file, after);
    const unlisted = await fixtures('verify', 'other');
    expect(unlisted.code).toBe(1);
    expect(unlisted.stdout).toMatch(/^other\/fold-agent-7\.jsonl: its SHA-256 is .*\nother: 1 fault\n$/);
    const sum = (text: string): string => createHash('sha256').update(text).digest('hex');
    const manifest = join(root, 'other/manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(sum(before), sum(after)));
    const listed = await fixtures('verify', 'fold', 'other');
    expect([listed.code, listed.stdout]).toEqual([
      1,
      'other/fold-agent-7.jsonl:5:8: from here on, it differs from the conversation of this seed\nother: 1 fault\n',
    ]);
  });
});
