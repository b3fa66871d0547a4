/**
 * `wireproof init`: `check` accepts the statement that it writes for each suite, also with every comment uncommented.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { WireproofError } from '../../src/kit/base/index.ts';
import { statementText, suiteRows } from '../../src/kit/suite/index.ts';
import { check } from '../api/index.ts';
import { registry } from '../registry.ts';
import { scratch, uncommented, wireproof } from '../run.test-helper.ts';
import { schemaLine } from './init.ts';

/** The statement that `init` writes for a suite. */
async function statementFor(id: string): Promise<string> {
  const suite = await registry.loadSuite(id);
  return schemaLine('.') + statementText(suite, suiteRows(suite).requirements);
}

/** Writes a statement into a folder of its own. */
function saved(text: string): string {
  const folder = mkdtempSync(join(scratch, 'init-'));
  writeFileSync(join(folder, 'wireproof.yaml'), text);
  return folder;
}

/** The values that the uncommented statements take from the environment. */
const env = { MY_SECRET: 'secret', MY_TOKEN: 'token' };

/** Checks with a statement whose target does not exist. @returns the kind of the error, and its sentence */
async function refusalOf(suite: string, text: string): Promise<readonly [string, string]> {
  const error: unknown = await check({ suite, statement: join(saved(text), 'wireproof.yaml') }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WireproofError)) throw new Error('expected a refusal', { cause: error });
  return [error.code, error.message];
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

it('is found and accepted by the command: only its target cannot be started', async () => {
  const { stdout } = await wireproof(['init', 'fold/agent', '--stdout']);
  expect(stdout.split('\n').slice(1)).toEqual((await statementFor('fold/agent')).split('\n').slice(1));
  const cwd = saved(uncommented(stdout));
  const { code, stderr } = await wireproof(['check', 'fold/agent'], { cwd, env });
  // A refused statement gives exit 2.
  expect(code, stderr).toBe(3);
});

describe.each(registry.suites)('the statement for %s', (suite) => {
  it('is accepted as written, and with every comment uncommented', async () => {
    const text = await statementFor(suite);
    expect(text).toContain(`suite: ${suite}`);
    const whole = uncommented(text);
    expect(whole).toMatch(/^timeouts:$/m);
    expect(whole).toMatch(/^env:/m);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    for (const statement of [text, whole]) {
      const [code, sentence] = await refusalOf(suite, statement);
      // The statement was accepted, and the target cannot be started. A refused statement is wrong usage.
      expect(code, sentence).toBe('environment');
    }
    vi.unstubAllEnvs();
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
