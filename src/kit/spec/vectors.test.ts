/**
 * Files of golden vectors: one form, a manifest, nothing overwritten that is somebody else's, faults with their place.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { WireproofError } from '../base/index.ts';
import type { JsonObject } from '../base/index.ts';
import {
  isVectorSeed,
  seedOf,
  sentenceOf,
  vectorGenerator,
  vectorInput,
  vectorSchema,
} from './vector-set.ts';
import type { Vector, VectorFile } from './vector-set.ts';
import { placesOfTests, readVectors, vectorDifferences, verifyVectors, writeVectors } from './vectors.ts';

const root = mkdtempSync(join(tmpdir(), 'wireproof-vectors-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder = root;
let folders = 0;
beforeEach(() => {
  folder = join(root, String(folders++));
});

const test = (id: string, more: JsonObject = {}): Vector => ({
  id,
  comment: 'what is shown',
  flags: [],
  requirements: ['TOON-01'],
  result: 'valid',
  wire: '00ff',
  expect: { trailing: 0 },
  ...more,
});

const file = (name: string, ...tests: readonly Vector[]): VectorFile => ({
  name,
  vectors: {
    schema: vectorSchema,
    protocol: 'toon',
    revision: '1',
    generator: vectorGenerator('toon', '7'),
    notes: { odd: 'what is odd' },
    groups: [{ op: 'toon.decode', tests }],
  },
});

const two = [file('b.json', test('b1')), file('a.json', test('a1', { flags: ['odd'] }), test('a2'))];

const at = (name: string): string => join(folder, name);
const edit = (name: string, from: string | RegExp, to: string): void => {
  const before = readFileSync(at(name), 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(at(name), after);
};
const faults = (): readonly string[] => verifyVectors(folder).map(sentenceOf);

function refusal(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(WireproofError);
    return `${(error as WireproofError).code}: ${(error as WireproofError).message.replaceAll(folder, 'F')}`;
  }
}

describe('a folder of vectors', () => {
  it('is written with a manifest, and read back in the order of names', () => {
    expect(writeVectors(folder, two)).toEqual(['b.json', 'a.json', 'manifest.json', 'README.md']);
    expect(readVectors('toon', folder)).toEqual([two[1], two[0]]);
    expect(faults()).toEqual([]);
  });

  it('has the same bytes for the same vectors', () => {
    const bytes = (): readonly string[] => readdirSync(folder).map((name) => readFileSync(at(name), 'utf8'));
    writeVectors(folder, two);
    const before = bytes();
    rmSync(folder, { recursive: true });
    writeVectors(folder, structuredClone(two).toReversed());
    expect(bytes()).toEqual(before);
  });

  it('names the SHA-256, the length and the number of tests of each file', () => {
    writeVectors(folder, two);
    const { files, ...rest } = JSON.parse(readFileSync(at('manifest.json'), 'utf8')) as Record<
      string,
      object
    >;
    expect(rest).toEqual({
      generator: 'wireproof fixtures generate toon --seed 7',
      protocol: 'toon',
      revision: '1',
      schema: 'https://wireproof.dev/formats/vectors.schema.json#/definitions/manifest',
    });
    const sum: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(files).toEqual({
      'a.json': { bytes: readFileSync(at('a.json')).length, sha256: sum, tests: 2 },
      'b.json': { bytes: readFileSync(at('b.json')).length, sha256: sum, tests: 1 },
    });
  });
});

describe('the README', () => {
  it('has the files, their operations, and the meaning of each flag and member', () => {
    writeVectors(folder, two);
    const text = readFileSync(at('README.md'), 'utf8');
    expect(text).toMatch(/^# Golden vectors of toon\n/);
    expect(text).toMatch(/^\| `a\.json` +\| 2 +\| `toon\./m);
    for (const member of ['id', 'flags', 'result', 'expect', 'expect.without', 'error'])
      expect(text).toContain(`| \`${member}\``);
    for (const [flag, note] of Object.entries(two[0]?.vectors.notes ?? {}))
      expect(text).toMatch(new RegExp(`\`${flag}\` +\\| ${note}`));
  });

  it('of another is not overwritten', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(at('README.md'), '# Mine\n');
    expect(refusal(() => writeVectors(folder, two))).toMatch(/^usage: F has README\.md already/);
    writeVectors(folder, two, { force: true });
    expect(readFileSync(at('README.md'), 'utf8')).toMatch(/^# Golden vectors of toon/);
  });
});

describe('writing', () => {
  it('writes over what it made itself, and takes away what it no longer makes', () => {
    writeVectors(folder, two);
    writeVectors(folder, [file('a.json', test('a3'))]);
    expect(readdirSync(folder)).toEqual(['README.md', 'a.json', 'manifest.json']);
    expect(readVectors('toon', folder)[0]?.vectors.groups[0]?.tests.map(({ id }) => id)).toEqual(['a3']);
  });

  it('leaves a file alone that it did not make, and writes nothing else either', () => {
    writeVectors(folder, [file('a.json', test('a1'))]);
    writeFileSync(at('b.json'), 'mine');
    expect(refusal(() => writeVectors(folder, two))).toMatch(/^usage: F has b\.json already.*--force/);
    expect(readFileSync(at('b.json'), 'utf8')).toBe('mine');
    expect(readVectors.bind(null, 'toon', folder)).toThrow('not JSON');
    writeVectors(folder, two, { force: true });
    expect(faults()).toEqual([]);
  });

  it('leaves a file alone that was changed since it made it', () => {
    writeVectors(folder, two);
    edit('a.json', 'what is shown', 'what I think of it');
    expect(refusal(() => writeVectors(folder, two))).toMatch(/^usage: F has a\.json already/);
    expect(readFileSync(at('a.json'), 'utf8')).toContain('what I think of it');
  });

  it('leaves a manifest alone that is none of its own', () => {
    writeVectors(folder, two);
    writeFileSync(at('manifest.json'), '{"name":"an app","icons":[]}');
    expect(refusal(() => writeVectors(folder, two))).toMatch(
      /^usage: F has b\.json, a\.json, manifest\.json already/,
    );
  });

  it('says where it cannot write', () => {
    writeFileSync(folder, '');
    expect(refusal(() => writeVectors(folder, two))).toMatch(/^environment: cannot write to F/);
  });
});

describe('what is wrong with a folder is said with file, line and column', () => {
  beforeEach(() => void writeVectors(folder, two));

  it.each([
    ['what is no JSON', '"b1",', '"b1"', /^b\.json:7:80: not JSON/],
    ['what ends too soon', /\}\n$/, '', /^b\.json:\d{2}:1: not JSON/],
    ['an unknown key', '"revision"', '"more": 1,\n  "revision"', /^b\.json:1:1: the file .*"more"/],
    ['a missing key', '"protocol": "toon",\n  ', '', /^b\.json:1:1: the file .*'protocol'/],
    ['another schema', 'vectors.schema.json"', 'vectors-2.json"', /^b\.json:\d+:13: \/schema/],
    ['a generator that is no command of ours', '--seed 7', '--seed  7', /^b\.json:2:16: \/generator/],
    ['a result that is none', '"valid"', '"fine"', /^b\.json:\d+:\d+: \/groups\/0\/tests\/0\/result/],
    ['a requirement that is no id', 'TOON-01', 'toon 1', /^b\.json:\d+:\d+: .*\/requirements\/0/],
    ['bytes that are no hex', '00ff', '0FF', /^b\.json:\d+:\d+: \/groups\/0\/tests\/0\/wire/],
    ['an input that the operation has not', '"wire"', '"bytes"', /^b\.json:\d+:\d+: .*(bytes|wire)/],
    ['a fact that the operation has not', '"trailing"', '"tail"', /^b\.json:.*\/expect .*"tail"/],
    ['an id with a space', '"b1"', '"b 1"', /^b\.json:7:76: \/groups\/0\/tests\/0\/id/],
    ['too much depth', '"00ff"', `${'['.repeat(70)}${']'.repeat(70)}`, /^b\.json:1:1: nested deeper than 64/],
  ])('%s', (_, from, to, expected) => {
    edit('b.json', from, to);
    expect(faults()).toEqual([expect.stringMatching(expected)]);
    expect(refusal(() => readVectors('toon', folder))).toMatch(/^usage: F\/b\.json/);
  });

  it.each([
    ['other white space', '\n', '\n\n'],
    ['other line ends', '\n', '\r\n'],
    ['a key twice', '"flags":[]', '"flags":[],"flags":[]'],
    ['a number written otherwise', ':0}', ':0.0}'],
    ['no line end at the end', /\}\n$/, '}'],
  ])('what is not in canonical form: %s', (_, from, to) => {
    edit('b.json', from, to);
    expect(faults()).toEqual([
      expect.stringMatching(/^b\.json:\d+:\d+: not in canonical form/),
      expect.stringMatching(/^b\.json: its SHA-256 is/),
    ]);
  });

  it('a file that was changed', () => {
    edit('a.json', 'what is shown', 'what I think of it');
    expect(faults()).toEqual([
      expect.stringMatching(/^a\.json: its SHA-256 is \w{64}; the manifest says \w{64}$/),
    ]);
  });

  it('a file that is lost, and one that nobody listed', () => {
    rmSync(at('a.json'));
    writeFileSync(at('c.json'), readFileSync(at('b.json'), 'utf8').replace('b1', 'c1'));
    expect(faults()).toEqual(['c.json: not in the manifest', 'a.json: in the manifest, and not there']);
  });

  it('no manifest', () => {
    rmSync(at('manifest.json'));
    expect(faults()).toEqual(['manifest.json: not there']);
  });

  it('files of two seeds', () => {
    edit('manifest.json', '--seed 7', '--seed 8');
    expect(faults().map((line) => line.replace(/".*?"/g, '…'))).toEqual([
      'a.json:2:16: generator is …; the manifest says …',
      'b.json:2:16: generator is …; the manifest says …',
    ]);
  });

  it('an id that stands twice, in one file or in two', () => {
    writeVectors(folder, [file('a.json', test('x'), test('x')), file('b.json', test('x'))]);
    expect(faults()).toEqual([
      'a.json:8:76: the id x stands in a.json already',
      'b.json:7:76: the id x stands in a.json already',
    ]);
  });

  it('a flag that the notes do not explain', () => {
    writeVectors(folder, [file('a.json', test('x', { flags: ['odd', 'new'] })), file('b.json', test('y'))]);
    expect(faults()).toEqual([expect.stringMatching(/^a\.json:7:68: x has the flag new/)]);
  });

  it('no folder at all', () => {
    const nowhere = join(folder, 'nowhere');
    expect(refusal(() => verifyVectors(nowhere))).toMatch(/^usage: F\/nowhere: no such folder/);
    expect(refusal(() => readVectors('toon', nowhere))).toMatch(/^usage: F\/nowhere: no such folder/);
  });
});

describe('what a seed makes', () => {
  beforeEach(() => void writeVectors(folder, two));

  it('is what the folder has', () => {
    expect(vectorDifferences(folder, two)).toEqual([]);
  });

  it('or differs in this file from this place on', () => {
    expect(vectorDifferences(folder, [file('a.json', test('a1', { flags: ['odd'] }), test('a3'))])).toEqual([
      { file: 'b.json', what: 'not among the files that this seed makes' },
      { file: 'a.json', at: '8:78', what: 'from here on, it differs from the vectors of this seed' },
    ]);
    expect(vectorDifferences(folder, [...two, file('c.json', test('c1'))]).map(sentenceOf)).toEqual([
      'c.json: not there; this seed makes it',
    ]);
  });
});

describe('a test', () => {
  it('has as inputs what is none of the columns of every test', () => {
    expect(vectorInput(test('x', { chunks: ['00'], error: 'bad-rle' }))).toEqual({
      wire: '00ff',
      chunks: ['00'],
    });
  });

  it('stands somewhere', () => {
    writeVectors(folder, two);
    const [a = file('')] = readVectors('toon', folder);
    expect(placesOfTests(folder, a, new Set(['a2']))('a2')).toEqual({ file: 'a.json', at: '8:9' });
  });
});

describe('the generator', () => {
  it('is the command, and names the seed', () => {
    expect(seedOf(vectorGenerator('toon', 'v1.2_x-3'))).toBe('v1.2_x-3');
  });

  it.each([
    ['1', true],
    ['v1.2_x-3', true],
    ['', false],
    ['a b', false],
    ['a\nb', false],
    ['\u00e9', false],
    ['x'.repeat(65), false],
  ])('takes %j as a seed: %j', (seed, is) => {
    expect(isVectorSeed(seed)).toBe(is);
  });
});
