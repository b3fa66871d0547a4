/** Our own files are refused with their position, and never cost more than their size ("Limits" of the design). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WireproofError } from '../base/index.ts';
import type { Validator } from '../base/index.ts';
import { checkDocument, readDocument } from './document.ts';
import { requirements, scenario, statement } from './generated/validators.ts';

const check = (text: string): unknown => checkDocument(text, 'f.yaml', statement, 'statement').value;

/** Why a text is refused; empty when it is not. */
function refusal(text: string, validator: Validator = statement, kind = 'statement'): string {
  try {
    checkDocument(text, 'f.yaml', validator, kind);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(WireproofError);
    expect((error as WireproofError).code).toBe('usage');
    return (error as WireproofError).message;
  }
}

describe('a document', () => {
  it('is YAML, and so JSON', () => {
    const value = { suite: 'fold/agent', target: { command: ['./a', '--x'] }, features: ['tools'] };
    expect(check('suite: fold/agent\ntarget: { command: [./a, --x] }\nfeatures:\n  - tools\n')).toEqual(
      value,
    );
    expect(check(JSON.stringify(value))).toEqual(value);
  });

  it('knows where its parts stand', () => {
    const text = 'suite: fold/agent\ntarget:\n  command:\n    - ./a\n    - --x\n';
    const { at } = checkDocument(text, 'f.yaml', statement, 'statement');
    expect(at('/suite')).toBe('1:8');
    expect(at('/target/command/1')).toBe('5:7');
    expect(at('/target/command/9')).toBe(at('/target/command'));
    expect(at('/nowhere')).toBe('1:1');
  });

  it('keeps a key "__proto__" as a key', () => {
    expect(Object.keys((check('suite: fold/agent\nenv: { __proto__: x }') as { env: object }).env)).toEqual([
      '__proto__',
    ]);
    expect(Object.getPrototypeOf(check('suite: fold/agent'))).toBe(Object.prototype);
  });
});

describe('a refusal names file, line and column', () => {
  it.each([
    ['what is no YAML', 'suite: fold/agent\nfeatures: [tools\n', /^f\.yaml:\d+:\d+: not YAML/],
    ['a text without its end', 'suite: "fold', /^f\.yaml:1:13: not YAML/],
    ['a key that stands twice', 'suite: fold/agent\nenv:\n  A: b\n  A: c\n', /^f\.yaml:4:3: .*unique/],
    ['two documents', 'suite: fold/agent\n---\nsuite: x\n', /^f\.yaml:2:1: not YAML/],
    [
      'a wrong type',
      'suite: fold/agent\ntarget:\n  command: ./a\n',
      /^f\.yaml:3:12: .*target\.command: expected an array; came "\.\/a"/,
    ],
    [
      'a wrong word',
      'suite: fold/agent\ncarrier: fast\n',
      /^f\.yaml:2:10: .*carrier: expected one of tcp, stdio, ws.*; came "fast"/,
    ],
    [
      'what is missing',
      'drive: auto\n',
      /^f\.yaml:1:1: .*expected exactly one of suite, targets; came the keys drive/,
    ],
    [
      'an unknown key',
      'suite: fold/agent\nsuit: x\n',
      /^f\.yaml:\d+:1: .*no keys but suite, target, .*the key "suit"/,
    ],
    ['an alias', 'suite: &a fold/agent\nservice: *a\n', /^f\.yaml:2:10: aliases/],
    ['a tag of its own', 'suite: !x fold/agent\n', /^f\.yaml:1:11: tags \(!x\)/],
    [
      'a list as a key',
      'suite: fold/agent\n? [a]\n: b\n',
      /^f\.yaml:2:3: a list or an object is not allowed as a key/,
    ],
    ['an object as a key', 'suite: fold/agent\nenv: { { a }: b }\n', /^f\.yaml:2:8: a list or an object/],
    ['nothing', '', /^f\.yaml:1:1: not a statement/],
    ['a list where an object is wanted', '- a\n', /^f\.yaml:1:1: not a statement/],
  ])('%s', (_, text, expected) => expect(refusal(text)).toMatch(expected));

  // The cure, not only the type: people write a command as they would for a shell.
  it.each([
    ['target: { command: "./a --x {address}" }', `write [./a, --x, '{address}']`],
    ['target: { command: "sh -c \'a b\' 1" }', `write [sh, -c, 'a b', '1']`],
    ['target: { command: "a && b" }', 'write a list of words, which no shell expands'],
    ['features: tools', 'write [tools]'],
    ['env: { PORT: 8080 }', 'write it in quotes, "8080"'],
    ['target: { command: [./a, --port, {port}] }', "write '{port}' in quotes"],
    ['target:\n  command:\n    - ./a\n    - {address}', "write '{address}' in quotes"],
    ['target: { command: [./a], drive: passive }', 'write drive beside target, not in it'],
    ['operator: { paths: { send: /s, url: /x } }', 'write url beside paths, not in it'],
  ])('and how to write %j', (text, cure) => {
    expect(refusal(`suite: fold/agent\n${text}\n`).endsWith(`: ${cure}`)).toBe(true);
  });

  it.each([
    ['targt: {}', 'the key "targt" (did you mean target?)'],
    [
      'operator: { headers: { api-key: { value: x } } }',
      'expected a text of ASCII characters, or { env: NAME } with the name of an environment variable; came an object',
    ],
    ['operator: { headers: { "a b": x } }', 'expected no keys but those that fit ^'],
    [' target: { command: [./a] }', 'f.yaml:2:2: not YAML: wrong indentation: target begins in column 2'],
  ])('in words that help: %j', (text, words) => {
    expect(refusal(`suite: fold/agent\n${text}\n`)).toContain(words);
  });

  it('an unknown key, at the key', () => {
    expect(refusal('suite: fold/agent\nenv: {}\nsuit: x\n')).toMatch(/^f\.yaml:3:/);
  });

  // "YAML 256 KiB without aliases or tags" (Limits): tags of YAML’s own are tags, too.
  it.each([
    'suite: !!str fold/agent',
    'suite: fold/agent\nenv: !!map {}',
    'suite: !<tag:yaml.org,2002:str> fold/agent',
  ])('a tag of YAML’s own: %s', (text) => expect(refusal(text)).toMatch(/tags/));
});

describe('a document is refused', () => {
  it.each([
    ['10 KB of [[[[', '['.repeat(10_240)],
    ['10 KB of {{{{', '{'.repeat(10_240)],
    ['[a: [a: [a:', '[a: '.repeat(2500)],
    ['lists in lists, by dashes', '- '.repeat(130)],
    [
      'objects in objects, by indentation',
      Array.from({ length: 70 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    ],
  ])('for its depth: %s', (_, text) => expect(refusal(text)).toMatch(/nested deeper than 64/));

  it.each(['[', '{', '- ', '? ', '- - ? '])('for 200,000 characters of "%s"', (open) => {
    expect(refusal(open.repeat(200_000 / open.length))).toMatch(/^f\.yaml:1/);
  });

  it('for 65 lists in lists, by dashes', () => {
    expect(refusal('- '.repeat(65))).toMatch(/nested deeper than 64/);
  });

  it.each(['- ', '? '])('for its depth, and says so: 100,000 times "%s"', (open) => {
    expect(refusal(open.repeat(100_000))).toMatch(/nested deeper than 64/);
  });

  it('at 256 KiB, whatever is in it', () => {
    const filled = (n: number): string => `suite: fold/agent\n#${'x'.repeat(n)}`;
    expect(refusal(filled(262_144))).toMatch(/^f\.yaml: longer than 262144 bytes/);
    expect(refusal(filled(262_144 - 100))).toBe('');
  });

  it('at 256 KiB of UTF-8', () => {
    expect(refusal(`suite: fold/agent\n#${'é'.repeat(200_000)}`)).toMatch(/longer than 262144 bytes/);
  });

  it('not for 64 levels', () => {
    const deep = `${'['.repeat(63)}${']'.repeat(63)}`;
    const text = `title: x\nsuite: x\npeers: { g: { role: r, options: { deep: ${deep.slice(4, -4)} } } }\nsteps: []\n`;
    expect(refusal(text, scenario, 'scenario')).not.toMatch(/nested/);
  });

  it('not for brackets that are text', () => {
    expect(refusal(`suite: fold/agent\nservice: "${'['.repeat(100)}"\n`)).toBe('');
  });
});

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wireproof-document-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (name: string, text?: string): unknown => {
    const file = join(folder, name);
    if (text !== undefined) writeFileSync(file, text);
    return readDocument(file, requirements, 'requirement list').value;
  };

  it('that is not there is named', () => {
    expect(() => read('none.yaml')).toThrow(/none\.yaml: no such file; expected a requirement list/);
    expect(() => readDocument(folder, statement, 'statement')).toThrow(WireproofError);
  });

  it('larger than 256 KiB is not even read', () => {
    expect(() => read('large.yaml', '#'.repeat(262_145))).toThrow(
      /262145 bytes; expected a requirement list of at most 262144/,
    );
  });

  it('is read and checked', () => {
    const row = {
      id: 'XYZ-A01',
      level: 'MUST',
      role: 'agent',
      text: 'A sentence.',
      source: { document: 'd', section: '1' },
      since: '0.1.0',
    };
    const list = { protocol: 'x', revision: '1', requirements: [row] };
    expect(read('good.yaml', JSON.stringify(list))).toEqual(list);
    const bad = { ...list, requirements: [{ ...row, level: 'PERHAPS' }] };
    expect(() => read('bad.yaml', JSON.stringify(bad))).toThrow(
      /bad\.yaml:1:\d+: .*expected one of MUST, SHOULD, MAY; came "PERHAPS"/,
    );
  });
});
