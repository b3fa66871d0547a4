/** `wireproof init`: the statement that it writes for each suite is one that `check` accepts, down to every comment. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

describe.each(registry.suites)('the statement for %s', (suite) => {
  it('is accepted as it stands, and with every comment taken away', async () => {
    const text = await statementFor(suite);
    expect(text).toContain(`suite: ${suite}`);
    const whole = uncommented(text);
    expect(whole).toMatch(/^timeouts:$/m);
    expect(whole).toMatch(/^env:/m);
    for (const statement of [text, whole]) {
      const { code, stderr } = await checked(suite, statement);
      // 3: the target cannot be started; everything before that was accepted. A refused statement gives 2.
      expect(code, stderr).toBe(3);
    }
  });

  it('names no other suite and no row of another', async () => {
    const text = await statementFor(suite);
    const rows = new Set(
      (await registry.loadSuite(suite)).judging.rules.map(({ requirement }) => requirement),
    );
    const named = [...text.matchAll(/\bid: (\S+)/g)].map(([, id = '']) => id);
    expect(named.filter((id) => !rows.has(id))).toEqual([]);
    expect(named.length).toBe(1);
  });
});
