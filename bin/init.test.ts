/**
 * `wireproof init`: `check` accepts the statement that it writes for each suite, also with every comment uncommented.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from './registry.ts';
import { scratch, uncommented, wireproof } from './run.test-helper.ts';

const written = new Map<string, Promise<string>>();

/** The statement that `init` writes for a suite. */
function statementFor(suite: string): Promise<string> {
  const text = written.get(suite) ?? wireproof(['init', suite, '--stdout']).then(({ stdout }) => stdout);
  written.set(suite, text);
  return text;
}

/** Checks with a statement whose target does not exist. */
async function checked(suite: string, text: string): Promise<{ code: number | null; stderr: string }> {
  const cwd = mkdtempSync(join(scratch, 'init-'));
  writeFileSync(join(cwd, 'wireproof.yaml'), text);
  return wireproof(['check', suite], { cwd, env: { MY_SECRET: 'secret', MY_TOKEN: 'token' } });
}

it('begins with the schema for editors, by a path that leads there', async () => {
  const folder = mkdtempSync(join(scratch, 'schema-'));
  const path = 'node_modules/wireproof/spec/formats/statement.schema.json';
  const first = async (cwd: string): Promise<string | undefined> =>
    (await wireproof(['init', '--stdout'], { cwd })).stdout.split('\n')[0];
  expect(await first(folder)).toBe(`# yaml-language-server: $schema=${path}`);
  mkdirSync(join(folder, 'packages/agent'), { recursive: true });
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), '{}');
  expect(await first(join(folder, 'packages/agent'))).toBe(`# yaml-language-server: $schema=../../${path}`);
});

it('is not written beside one of the other name', async () => {
  const cwd = mkdtempSync(join(scratch, 'yml-'));
  writeFileSync(join(cwd, 'wireproof.yml'), '');
  const { code, stderr } = await wireproof(['init'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('wireproof.yml already exists')]);
});

describe.each(registry.suites)('the statement for %s', (suite) => {
  it('is accepted as written, and with every comment uncommented', async () => {
    const text = await statementFor(suite);
    expect(text).toContain(`suite: ${suite}`);
    const whole = uncommented(text);
    expect(whole).toMatch(/^timeouts:$/m);
    expect(whole).toMatch(/^env:/m);
    for (const statement of [text, whole]) {
      const { code, stderr } = await checked(suite, statement);
      // Exit 3: the statement was accepted, and the target cannot be started. A refused statement gives exit 2.
      expect(code, stderr).toBe(3);
    }
  });

  it('names no other suite and no requirement of another suite', async () => {
    const text = await statementFor(suite);
    const rows = new Set(
      (await registry.loadSuite(suite)).judging.rules.map(({ requirement }) => requirement),
    );
    const named = [...text.matchAll(/\bid: (\S+)/g)].map(([, id = '']) => id);
    expect(named.filter((id) => !rows.has(id))).toEqual([]);
    expect(named.length).toBe(1);
  });
});
