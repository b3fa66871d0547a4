/** `wireproof check llm/server` as a user runs it: a server that the kit starts on one port, and one that refuses all. */
import { describe, expect, it } from 'vitest';
import { checked, longTimeouts, program, reference, wireproof } from './run.test-helper.ts';

/** Scripts of a model that answers every request. */
const script = program(
  'always.yaml',
  'turns:\n  - times: always\n    steps:\n      - text: Hello from the wire.\n',
);

/** A proxy that listens on the port of its argument, as most servers do, in front of the simulated provider. */
const proxy = program(
  'model-server.mjs',
  `import { createServer } from 'node:http';
import { spawn } from 'node:child_process';
const [port, ...command] = process.argv.slice(2);
const provider = spawn(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
let text = '';
const base = new Promise((resolve) => provider.stderr.on('data', (data) => {
  const found = /ANTHROPIC_BASE_URL=(\\S+)/.exec((text += data));
  if (found) resolve(found[1]);
}));
process.on('exit', () => provider.kill());
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
await base;
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, headers } = request;
  const body = method === 'GET' ? undefined : Buffer.concat(chunks);
  const answer = await fetch((await base) + url, { method, body, headers: { 'content-type': 'application/json', accept: headers.accept ?? '*/*' } });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  if (answer.body) for await (const chunk of answer.body) response.write(chunk);
  response.end();
}).listen(Number(port), '127.0.0.1');
`,
);

/** A server that refuses all requests. */
const refusing = program(
  'refusing-server.mjs',
  `import { createServer } from 'node:http';
createServer((request, response) => {
  request.resume();
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: 'no key', type: 'auth', code: null, param: null } }));
}).listen(Number(process.argv[2]), '127.0.0.1');
`,
);

const check = (
  dialect: string,
  args: readonly string[],
  command: readonly string[],
): ReturnType<typeof checked> =>
  checked(['llm/server', '--drive', dialect, ...longTimeouts, ...args], command);

describe('check llm/server', () => {
  it.each(['openai-chat', 'anthropic', 'ollama'])('judges a server on {port}: %s', async (dialect) => {
    const simulator = reference('simulate', 'llm', '--script', script, '--listen', '127.0.0.1:0');
    const found = await check(
      dialect,
      ['--scenario', `${dialect}-text`, '--scenario', `${dialect}-invalid`],
      ['node', proxy, '{port}', ...simulator],
    );
    const verdicts = new Map(found.report?.requirements.map(({ id, verdict }) => [id, verdict]));
    expect(found.failed, found.stderr).toEqual([]);
    expect(['LLM-S01', 'LLM-S02', 'LLM-S17'].map((id) => verdicts.get(id))).toEqual(['pass', 'pass', 'pass']);
  });

  it('says what a server that refuses all requests answered', async () => {
    const found = await check('openai-chat', [], ['node', refusing, '{port}']);
    expect(found.report?.notes.join()).toMatch(
      /the server refused all \d+ requests; the first answer was 401 \{"error":\{"message":"no key".*--token-env NAME/,
    );
    expect(found.report?.verdict).toBe('inconclusive');
  });

  it('names drive and model in the command that repeats a failure', async () => {
    const bad = program(
      'bad-server.mjs',
      `import { createServer } from 'node:http';
createServer((request, response) => { request.resume(); response.writeHead(500); response.end('oops'); }).listen(Number(process.argv[2]), '127.0.0.1');
`,
    );
    const found = await check(
      'openai-chat',
      ['--model', 'm-1', '--scenario', 'openai-chat-text'],
      ['node', bad, '{port}'],
    );
    const [row] = found.report?.requirements.filter(({ verdict }) => verdict === 'fail') ?? [];
    expect(row?.replay).toMatch(/--drive openai-chat --model m-1 .*-- node \S+ \{port\}$/);
  });

  it('refuses a model for other suites', async () => {
    const { code, stderr } = await wireproof(['check', 'fold/agent', '--model', 'm', '--', 'true']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('the kit asks a target of fold/agent for no model'),
    ]);
  });
});
