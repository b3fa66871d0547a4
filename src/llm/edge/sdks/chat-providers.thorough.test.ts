/**
 * The SDKs of Mistral and OpenRouter against the variants of Chat Completions that are theirs. npm installs the versions that were
 * measured; skipped where they cannot be had.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import type { ScriptBuilder } from '../../script/builder.ts';
import { opened } from './simulated.test-helper.ts';
import type { OpenedLlm } from './simulated.test-helper.ts';

const packages = ['@mistralai/mistralai@2.7.0', '@openrouter/ai-sdk-provider@2.10.0', 'ai@6.0.326'];
const folder = mkdtempSync(join(tmpdir(), 'wireproof-chat-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function installs(): boolean {
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...quiet, ...packages], {
      cwd: folder,
      stdio: 'ignore',
      timeout: 300_000,
    });
    return true;
  } catch {
    return false;
  }
}

const program = join(import.meta.dirname, 'chat-providers.test-helper.mjs');

async function asked(
  chat: 'mistral' | 'openrouter',
  played: ScriptBuilder,
): Promise<{ readonly llm: OpenedLlm; readonly handed: unknown }> {
  const llm = await opened(
    played.with({ variants: { chat } }).turn().text('Done.').with({ variants: { chat } }),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [program, chat, llm.url], { cwd: folder });
  return { llm, handed: JSON.parse(stdout) };
}

const thoughtful = (): ScriptBuilder =>
  script().thinking('Hm.', { signature: 'c2ln' }).text('So.').toolCall('add', { a: 1 });
const failed = (): ScriptBuilder => script().text('So').error({ type: 'overloaded', message: 'Too many' });

describe.skipIf(!installs())('the SDKs of providers of Chat Completions', { timeout: 60_000 }, () => {
  it('@mistralai/mistralai reads lists of chunks, whole calls, and the finish reason error', async () => {
    const { handed } = await asked('mistral', thoughtful());
    expect(handed).toEqual({
      contents: [
        '',
        [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }],
        [{ type: 'text', text: 'So.' }],
        '',
      ],
      calls: [{ name: 'add', arguments: '{"a":1}' }],
      finish: 'tool_calls',
    });
    expect((await asked('mistral', failed())).handed).toMatchObject({
      contents: ['', 'So', ''],
      finish: 'error',
    });
  });

  it('@openrouter/ai-sdk-provider sends thoughts back with their signature, and reports an error', async () => {
    const { llm, handed } = await asked('openrouter', thoughtful());
    expect(handed).toMatchObject({
      errors: [],
      text: 'Done.',
      steps: [
        ['tool-calls', 'Hm.'],
        ['stop', null],
      ],
    });
    expect(llm.requests[1]?.body).toMatchObject({
      messages: [
        { role: 'user' },
        {
          reasoning_details: [
            {
              type: 'reasoning.text',
              text: 'Hm.',
              signature: 'c2ln',
              format: 'anthropic-claude-v1',
              index: 0,
            },
          ],
        },
        { role: 'tool' },
      ],
    });
    expect((await asked('openrouter', failed())).handed).toMatchObject({
      errors: ['Too many'],
      text: 'So',
      steps: [['error', null]],
    });
  });
});
