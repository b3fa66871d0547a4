// Opens koda_client.html in a headless browser, without a person, and closes it when this program is stopped. The page
// comes from this machine, so that the kit's WebSocket takes it.
//   node koda-client-page.mjs ws://127.0.0.1:50081
// CHROMIUM names another browser than chromium, chromium-browser or google-chrome. WIREPROOF_PROMPT is its prompt.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [engine] = process.argv.slice(2);
if (engine === undefined || !/^wss?:\/\//.test(engine)) {
  console.error('expected the address of an engine: node koda-client-page.mjs ws://127.0.0.1:50081');
  process.exit(2);
}
const { CHROMIUM, WIREPROOF_PROMPT } = process.env;
const browsers = CHROMIUM === undefined ? ['chromium', 'chromium-browser', 'google-chrome'] : [CHROMIUM];
const browser = browsers.find((name) => spawnSync(name, ['--version']).status === 0);
if (browser === undefined) {
  console.error(`no browser: install ${browsers.join(' or ')}, or name one in CHROMIUM`);
  process.exit(3);
}

const page = readFileSync(join(import.meta.dirname, 'koda_client.html'));
const server = createServer((_, response) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const query = new URLSearchParams({ engine, unattended: '1' });
if (WIREPROOF_PROMPT !== undefined) query.set('prompt', WIREPROOF_PROMPT);
const profile = mkdtempSync(join(tmpdir(), 'koda-client-'));
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'];
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
const url = `http://127.0.0.1:${server.address().port}/?${query}`;
const running = spawn(browser, [...flags, ...quiet, `--user-data-dir=${profile}`, url], { stdio: 'ignore' });

function end() {
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  process.exit(0);
}
running.on('exit', end);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => running.kill());
