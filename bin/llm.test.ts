/** `wireproof simulate llm` as people run it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { packageRoot, readTrace } from '../src/kit/spec/index.ts';
import { program, scratch, startWireproof, wireproof } from './run.test-helper.ts';

/** An agent that asks once, where its environment says, and prints what it was told. */
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
  it('starts a program that asks it, logs the request and its answer, and ends with its exit code', async () => {
    const { code, stdout, stderr } = await run('--script', 'hello', '--', process.execPath, agent, '7');
    expect(code).toBe(7);
    expect(stdout).toContain('"Hello, world! Grüße aus dem Draht 👋"');
    expect(stderr).toMatch(
      /→ POST \/v1\/messages {2}anthropic, model m, 1 message, at most 50 tokens.*turn 1/,
    );
    expect(stderr).toMatch(/← complete: end_turn/);
  });

  it('plays a file, keeps the traffic as a trace, and shows no key in it', async () => {
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

  it('names the scripts that come with it when asked for another', async () => {
    const { code, stderr } = await run('--script', 'helo');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no such script; there are error-mid-stream, hello, /),
    ]);
  });

  it('refuses a script that it cannot play with line and column', async () => {
    const script = program('llm-wrong.yaml', 'turns:\n  - steps:\n      - text: x\n    signal: louder\n');
    const { code, stderr } = await run('--script', script);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/llm-wrong\.yaml:4:\d+: .*signal/)]);
  });

  it('says that a program cannot be started', async () => {
    const { code, stderr } = await run('--', './no-such-agent');
    expect([code, stderr]).toEqual([3, expect.stringContaining('cannot start ./no-such-agent')]);
  });

  it('says that its port is in use', async () => {
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

describe('simulateLlm in a program', () => {
  it('does not keep the program that forgot to close it', async () => {
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

describe('wireproof check llm/client --carrier http', () => {
  /** A whole program with a loop of its own; what it calls `complete` decides which calls it runs. */
  const looping = (name: string, complete: string): string =>
    program(
      name,
      `const base = process.env.ANTHROPIC_BASE_URL;
const messages = [{ role: 'user', content: 'Write it down.' }];
const tools = [{ name: 'note', input_schema: { type: 'object', properties: { text: { type: 'string' } } } }];
for (let i = 0; i < 4; i++) {
  const response = await fetch(base + '/v1/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', max_tokens: 1000, tools, messages }),
  });
  const answer = await response.json();
  if (response.status !== 200) break;
  const calls = answer.content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) break;
  messages.push({ role: 'assistant', content: answer.content });
  const complete = ${complete};
  messages.push({
    role: 'user',
    content: calls.map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: 'done',
      is_error: !complete(call, answer),
    })),
  });
}
`,
    );

  const failing = async (file: string): Promise<readonly string[]> => {
    const { stdout } = await wireproof([
      'check',
      'llm/client',
      '--carrier',
      'http',
      '--trace',
      'off',
      '--json',
      '--',
      process.execPath,
      file,
    ]);
    const { requirements } = JSON.parse(stdout) as Report;
    return requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  };

  it('blames a program that runs whatever it is called with, by what its next request brings', async () => {
    expect(await failing(looping('llm-runs-all.mjs', '() => true'))).toEqual(
      expect.arrayContaining(['LLM-C01', 'LLM-C02', 'LLM-C16']),
    );
  });

  it('does not blame one that answers such calls with an error', async () => {
    const careful = `(call, { stop_reason: stop }) =>
    stop === 'tool_use' && typeof call.input === 'object' && !Array.isArray(call.input) && 'text' in call.input`;
    expect(await failing(looping('llm-careful.mjs', careful))).toEqual([]);
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
