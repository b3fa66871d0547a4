/** The witness of `check llm/client --carrier http`, and programs that do not behave as programs. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { program, scratch, wireproof } from '../run.test-helper.ts';
import { agentCommand } from './llm-programs.test-helper.ts';
import { all, checked, of, onlyForbidding } from './llm-verdicts.test-helper.ts';
import type { Outcome } from './llm-verdicts.test-helper.ts';

describe('a witness', { timeout: 60_000 }, () => {
  const stating = (name: string, tool: string): readonly string[] => [
    '--statement',
    program(name, `suite: llm/client\ncarrier: http\nenv: { HOME: '{tmp}' }\ntools: { quick: ${tool} }\n`),
  ];
  const reasonOf = ({ report }: Outcome, id: string): string | undefined =>
    report.requirements.find((row) => row.id === id)?.reason;

  /** An agent that writes files, and ends without another request after an answer that it cannot use. */
  const writer = program(
    'file-agent.mjs',
    `import { writeFileSync } from 'node:fs';
const base = process.env.OPENAI_BASE_URL + '/chat/completions';
const tools = [{ type: 'function', function: { name: 'write', parameters: { type: 'object' } } }];
const messages = [{ role: 'user', content: 'Write.' }];
if (process.env.HOME !== process.env.WIREPROOF_TMP) throw new Error('HOME is ' + process.env.HOME);
for (;;) {
  const body = JSON.stringify({ model: 'm', stream: true, tools, messages });
  const response = await fetch(base, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await response.text();
  const chunks = text.split('\\n').filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)).choices?.[0]);
  const deltas = chunks.flatMap((choice) => choice?.delta?.tool_calls ?? []);
  const args = deltas.map((delta) => delta.function.arguments ?? '').join('');
  const id = deltas[0]?.id;
  const honest = chunks.some((choice) => choice?.finish_reason === 'tool_calls');
  const mend = process.argv[2] === 'mends';
  if (id === undefined) break;
  if (!honest && !mend) break;
  const { path } = JSON.parse(honest ? args : args + '}');
  writeFileSync(path, 'x');
  messages.push({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'write', arguments: JSON.stringify({ path }) } }] });
  messages.push({ role: 'tool', tool_call_id: id, content: 'ok' });
}
`,
  );
  const file = stating(
    'file.yaml',
    "{ name: write, input: { path: '{tmp}/{nonce}.txt' }, makes: '{tmp}/{nonce}.txt' }",
  );

  it('may be a file: it shows that nothing ran, also when the program makes no further request', async () => {
    const only = ['--only', 'LLM-C01'];
    const careful = await checked([process.execPath, writer, 'refuses'], ...file, ...only);
    expect(careful.verdicts).toEqual({ 'LLM-C01': 'pass' });
    const careless = await checked([process.execPath, writer, 'mends'], ...file, ...only);
    expect(careless.verdicts).toEqual({ 'LLM-C01': 'fail' });
    expect(careless.report.requirements[0]?.message).toContain('it made its file');
  });

  const agent = agentCommand('openai-chat', 'runs');

  it('that the complete call does not show makes the rows untestable', async () => {
    const input = "input: { a: '{nonce}', b: ran }";
    const wrong = await checked(
      agent,
      ...stating('wrong.yaml', `{ name: join, ${input}, shows: '{nonce}+ran' }`),
      ...onlyForbidding,
    );
    expect(of(wrong)).toEqual(all('untestable'));
    expect(reasonOf(wrong, 'LLM-C01')).toMatch(/a complete call of join .* did not show "wp\w+\+ran"/);
  });

  it('of a tool that the program does not offer makes the rows untestable', async () => {
    const other = await checked(
      agent,
      ...stating('other.yaml', '{ name: bash, input: { command: ls }, shows: ran }'),
      ...onlyForbidding,
    );
    expect(of(other)).toEqual(all('untestable'));
    expect(reasonOf(other, 'LLM-C05')).toMatch(/does not offer the tool bash, .*; it offers join/);
  });

  it('may be the same text in each call', async () => {
    const same = stating('same.yaml', '{ name: join, input: { a: so, b: it }, shows: so-it }');
    expect(of(await checked(agent, ...same, ...onlyForbidding))).toEqual(all('fail'));
    const refusing = await checked(agentCommand('openai-chat', 'refuses'), ...same, ...onlyForbidding);
    expect(of(refusing)).toEqual(all('pass'));
  });

  it.each([
    [
      "{ name: bash, input: { command: 'echo {nonce}' }, shows: '{nonce}' }",
      /the input contains "\{nonce\}" too/,
    ],
    [
      "{ name: bash, input: { command: ls }, shows: '{nonce}' }",
      /has \{nonce\}, and tools.quick.input does not/,
    ],
    ["{ name: write, input: { path: x }, makes: 'x' }", /a path such as \{tmp\}\/\{nonce\}.txt/],
    ["{ name: write, input: [], shows: 'x' }", /expected an object/],
    ["{ name: list, input: {}, shows: 'x' }", /cannot be cut/],
  ])('is refused when it cannot tell: %s', async (tool, why) => {
    const args = ['check', 'llm/client', ...stating('refused.yaml', tool), '--', ...agent];
    const { code, stderr } = await wireproof(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});

describe('a program that does not behave as a program', { timeout: 60_000 }, () => {
  const check = (source: string, ...flags: readonly string[]): ReturnType<typeof wireproof> => {
    const file = program('misfit.mjs', source);
    const args = ['check', 'llm/client', '--carrier', 'http', '--trace', 'off', '--scenario', 'program-tool'];
    return wireproof([...args, ...flags, '--', process.execPath, file]);
  };

  it('and makes no request is told of --timeout handshake', async () => {
    const { code, stderr } = await check('setTimeout(() => {}, 60_000)', '--timeout', 'handshake=300ms');
    expect([code, stderr]).toEqual([3, expect.stringContaining('--timeout handshake=60s')]);
  });

  it('and ends at once shows its exit code and the end of its stderr', async () => {
    const { code, stderr } = await check("console.error('no config found'); process.exit(9)");
    expect(code).toBe(3);
    expect(stderr).toMatch(/exited with code 9 before it made a request.*\n.*no config found/);
  });

  it('and ends early with an error shows its exit code and the end of its stderr', async () => {
    const { stdout } = await check(
      "await fetch(process.env.OPENAI_BASE_URL + '/models'); console.error('no such model'); process.exit(4)",
    );
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'program-tool: the program exited with code 4 and printed at its end: no such model',
    );
  });
});

describe('several programs', { timeout: 60_000 }, () => {
  const lock = JSON.stringify(join(scratch, 'one-at-a-time.lock'));
  const alone = program(
    'alone.mjs',
    `import { mkdirSync, rmdirSync } from 'node:fs';
mkdirSync(${lock});
await fetch(process.env.OPENAI_BASE_URL + '/models');
await new Promise((resolve) => setTimeout(resolve, 300));
rmdirSync(${lock});
`,
  );
  const args = ['check', 'llm/client', '--carrier', 'http', '--trace', 'off', '--json'];
  const notes = async (...flags: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await wireproof([...args, ...flags, '--', process.execPath, alone]);
    return (JSON.parse(stdout) as Report).notes;
  };

  it('run one at a time, unless the statement or --jobs says otherwise', async () => {
    expect(await notes()).toEqual([]);
    const parallel = program('parallel.yaml', 'suite: llm/client\nparallel: 3\n');
    expect((await notes('--statement', parallel)).join(' ')).toContain('mkdir');
  });
});
