/**
 * codex itself on the WebSocket of the simulated provider. WIREPROOF_CODEX names an installed one; else npm installs the version
 * that was measured. Skipped where neither can be had.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import type { ScriptBuilder } from '../../script/builder.ts';
import { opened } from './simulated.test-helper.ts';
import type { OpenedLlm } from './simulated.test-helper.ts';

const version = '0.171.0';
const folder = mkdtempSync(join(tmpdir(), 'wireproof-codex-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command; undefined: it cannot be had. */
function installed(): string | undefined {
  const named = process.env['WIREPROOF_CODEX'];
  if (named !== undefined) return named;
  try {
    const wanted = `@openai/codex@${version}`;
    const quiet = ['--no-audit', '--no-fund', '--prefix', folder];
    execFileSync('npm', ['install', ...quiet, wanted], { stdio: 'ignore', timeout: 300_000 });
    return join(folder, 'node_modules/.bin/codex');
  } catch {
    return undefined;
  }
}

const codex = installed();

interface Ran {
  readonly llm: OpenedLlm;
  readonly code: number;
  /** Whether a file was made in its folder. */
  made(file: string): boolean;
}

let runs = 0;

/** Runs codex with one prompt, to its end. */
async function run(played: ScriptBuilder): Promise<Ran> {
  const llm = await opened(played);
  const [home, work] = ['home', 'work'].map((name) => join(folder, `${name}${++runs}`));
  for (const path of [home, work]) if (path !== undefined) mkdirSync(path);
  const provider = `{name="wp",base_url="${llm.url}/v1",wire_api="responses",env_key="OPENAI_API_KEY",supports_websockets=true}`;
  const settings = ['-c', 'model_provider=wp', '-c', `model_providers.wp=${provider}`, '-C', work ?? ''];
  const alone = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  const child = spawn(codex ?? '', ['exec', '-m', 'gpt-5', ...alone, ...settings, 'Make a file.'], {
    env: { PATH: process.env['PATH'], HOME: home, OPENAI_API_KEY: 'wireproof' },
    stdio: 'ignore',
    timeout: 60_000,
  });
  const [code] = await once(child, 'exit');
  return { llm, code: Number(code), made: (file) => existsSync(join(work ?? '', file)) };
}

/** The members of each request that say what it continues, and on which WebSocket it came. */
const asked = ({ llm }: Ran): readonly unknown[] =>
  llm.requests.map(({ carrier, exchange, body }) => {
    const { generate, previous_response_id: previous } = Object(body) as Record<string, unknown>;
    return [carrier, exchange, generate !== false, typeof previous];
  });

const touch = (file: string): { readonly cmd: string } => ({ cmd: `touch ${file}` });
const start = (): ScriptBuilder => script().toolCall('exec_command', touch('whole.txt')).turn();

describe.skipIf(codex === undefined)('codex', { timeout: 90_000 }, () => {
  it('warms up, asks, and sends the result of its call on one WebSocket', async () => {
    const ran = await run(start().times('always').text('Done.'));
    expect([ran.code, ran.made('whole.txt')]).toEqual([0, true]);
    expect(asked(ran)).toEqual([
      ['ws', 's1 response 1', false, 'undefined'],
      ['ws', 's1 response 2', true, 'string'],
      ['ws', 's1 response 3', true, 'string'],
    ]);
  });

  it('does not run the call that the limit cut in a string', async () => {
    const cut = start().toolCall('exec_command', touch('cut.txt')).cutAt({ json: 'inside-string' });
    const ran = await run(cut.turn().times('always').text('Done.'));
    expect([ran.made('whole.txt'), ran.made('cut.txt')]).toEqual([true, false]);
    expect(ran.code).not.toBe(0);
  });

  // LLM-C45.
  it('sends the whole conversation on a new WebSocket when the first was lost', async () => {
    const lost = start().wait('200ms').with({ signal: 'missing', transport: 'reset' });
    const ran = await run(lost.turn().times('always').text('Done.'));
    expect([ran.code, asked(ran).at(-1)]).toEqual([0, ['ws', 's2 response 1', true, 'undefined']]);
  });
});
