/**
 * Starts claude-code-router, which reads its configuration from the home folder: node claude-code-router.mjs PORT LLM_URL.
 * The home folder is a temporary one, so that several can run at a time, and none reads the configuration of a user.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [port, llm] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'claude-code-router-'));
mkdirSync(join(home, '.claude-code-router'));
writeFileSync(
  join(home, '.claude-code-router/config.json'),
  JSON.stringify({
    LOG: false,
    HOST: '127.0.0.1',
    PORT: Number(port),
    NON_INTERACTIVE_MODE: true,
    Router: { default: 'kit,m' },
    Providers: [
      {
        name: 'kit',
        api_base_url: `${llm}/v1/chat/completions`,
        api_key: process.env['WIREPROOF_PROVIDER_KEY'],
        models: ['m'],
      },
    ],
  }),
);
const router = spawn('ccr', ['start'], { stdio: 'inherit', env: { ...process.env, HOME: home } });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => router.kill(signal));
router.on('error', ({ message }) => console.error(message));
router.on('close', (code) => {
  rmSync(home, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
