/** `wireproof simulate llm` as a user runs it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packageRoot, readTrace } from '../../src/kit/spec/index.ts';
import { program, scratch, startWireproof, wireproof } from '../run.test-helper.ts';

/** An agent that sends one request to the URL in its environment and prints the answer. */
const agent = program(
  'llm-agent.mjs',
  `const body = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY },
  body: JSON.stringify(body),
});
console.log(response.status, JSON.stringify(await response.json()));
process.exit(Number(process.argv[2] ?? 0));
`,
);

const run = (...args: readonly string[]): ReturnType<typeof wireproof> =>
  wireproof(['simulate', 'llm', ...args]);

describe('wireproof simulate llm', () => {
  it('starts a program, logs its request and the answer, and exits with its exit code', async () => {
    const { code, stdout, stderr } = await run('--script', 'hello', '--', process.execPath, agent, '7');
    expect(code).toBe(7);
    expect(stdout).toContain('"Hello, world! Grüße aus dem Draht 👋"');
    expect(stderr).toMatch(
      /→ POST \/v1\/messages {2}anthropic, model m, 1 message, at most 50 tokens.*turn 1/,
    );
    expect(stderr).toMatch(/← complete: end_turn/);
  });

  it('plays a script file and writes a trace without keys', async () => {
    const script = program('llm-script.yaml', 'turns:\n  - steps:\n      - text: From a file.\n');
    const record = join(scratch, 'llm-trace.jsonl');
    const { stdout } = await run('--script', script, '--record', record, '--', process.execPath, agent);
    expect(stdout).toContain('From a file.');
    const { header, events } = await collected(record);
    expect(header).toMatchObject({ suite: 'llm/client', scenario: script });
    expect(events.filter(({ kind }) => kind === 'open')).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain('"wireproof"');
  });

  it('prints the environment to paste, and stops at Ctrl-C', async () => {
    const record = join(scratch, 'llm-interrupted.jsonl');
    const args = ['simulate', 'llm', '--listen', '127.0.0.1:0', '--record', record];
    const provider = startWireproof(args);
    await provider.prints(/Ctrl-C stops/);
    const { code, stderr } = await provider.stop('SIGINT');
    expect(stderr).toMatch(/export ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+\n/);
    expect(stderr).toMatch(/export OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1\n/);
    expect(stderr).toMatch(/playing hello: .*; Ctrl-C stops/);
    expect([0, 130]).toContain(code);
  });

  it('names its own scripts when a script is unknown', async () => {
    const { code, stderr } = await run('--script', 'helo');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no such script; the scripts are error-mid-stream, hello, /),
    ]);
  });

  it('refuses an invalid script with line and column', async () => {
    const script = program('llm-wrong.yaml', 'turns:\n  - steps:\n      - text: x\n    signal: louder\n');
    const { code, stderr } = await run('--script', script);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/llm-wrong\.yaml:4:\d+: .*signal/)]);
  });

  it('prints a sentence when a program cannot be started', async () => {
    const { code, stderr } = await run('--', './no-such-agent');
    expect([code, stderr]).toEqual([3, expect.stringContaining('cannot start ./no-such-agent')]);
  });

  it('prints a sentence when its port is in use', async () => {
    const { createServer } = await import('node:net');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stderr } = await run('--listen', `127.0.0.1:${port}`);
    server.close();
    expect([code, stderr]).toEqual([3, expect.stringContaining('the port is in use')]);
  });
});

describe('wireproof simulate llm --record-from and --replay', () => {
  it('records a program with a provider, and plays it again without one', async () => {
    const provider = startWireproof(['simulate', 'llm', '--listen', '127.0.0.1:0']);
    const [, url = ''] = await provider.prints(/export ANTHROPIC_BASE_URL=(\S+)\n/);
    const file = join(scratch, 'llm-recording.json');
    const recorded = await run('--record-from', url, '--script-out', file, '--', process.execPath, agent);
    await provider.stop('SIGINT');
    expect(recorded).toMatchObject({ code: 0, stderr: expect.stringContaining('1 exchange in') as string });
    for (const flag of ['--replay', '--script']) {
      const played = await run(flag, file, '--', process.execPath, agent, '7');
      expect([played.code, played.stdout]).toEqual([7, recorded.stdout]);
    }
  });

  it.each<[readonly string[], RegExp]>([
    [['--record-from', 'http://127.0.0.1:1'], /needs --script-out FILE/],
    [['--record-from', 'anthropic'], /expected a URL such as/],
    [['--replay', 'no-such-file.json'], /no-such-file\.json/],
    [['--pass-on', 'http://127.0.0.1:1'], /--pass-on needs --replay FILE/],
  ])('%s is wrong usage', async (args, message) => {
    const { code, stderr } = await run(...args, '--', process.execPath, agent);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('simulateLlm in a program', () => {
  it('loads no gRPC, protobuf, fast-check or ajv, and neither ws nor a YAML reader', async () => {
    const door = pathToFileURL(join(packageRoot(), 'dist/src/llm/edge/index.js')).href;
    const listing = program(
      'llm-loaded.mjs',
      `import Module, { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(
  "export async function load(url, context, next) { process._rawDebug('loaded ' + url); return next(url, context); }"));
const { simulateLlm } = await import('${door}');
const llm = await simulateLlm({ turns: [{ steps: [{ text: 'Hello.' }] }] });
await (await fetch(llm.url + '/api/chat', { method: 'POST', body: JSON.stringify({ model: 'm', messages: [] }) })).text();
await llm.close();
for (const file of Object.keys(Module._cache)) process._rawDebug('loaded ' + file);
`,
    );
    const { stderr } = await promisify(execFile)(process.execPath, [listing], { timeout: 20_000 });
    const loaded = [...stderr.matchAll(/^loaded (.*)$/gm)].map(([, file = '']) => file);
    expect(loaded.length).toBeGreaterThan(50);
    const packages = loaded.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
    expect([...new Set(packages)].filter((name) => name !== 'p-limit' && name !== 'yocto-queue')).toEqual([]);
  });

  it('does not keep a program running that did not close it', async () => {
    const door = (name: string): string => pathToFileURL(join(packageRoot(), 'dist/src/llm', name)).href;
    const forgetful = program(
      'llm-forgetful.mjs',
      `import { script } from '${door('index.js')}';
import { simulateLlm } from '${door('edge/index.js')}';
const llm = await simulateLlm(script().text('Hello.'));
const response = await fetch(llm.url + '/api/chat', { method: 'POST', body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }) });
console.log((await response.text()).includes('"done":true'));
`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [forgetful], { timeout: 20_000 });
    expect(stdout).toBe('true\n');
  });
});

async function collected(file: string): Promise<{ header: unknown; events: readonly { kind: string }[] }> {
  const events: { kind: string }[] = [];
  let header: unknown;
  await readTrace(
    file,
    (first) => void (header = first),
    (event) => void events.push(event),
  );
  return { header, events };
}
