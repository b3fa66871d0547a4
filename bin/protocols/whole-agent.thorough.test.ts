/** `wireproof simulate fold/agent --llm` as a user runs it: between a simulated gateway and a simulated model. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { script } from '../../src/llm/index.ts';
import type { DialectName, ScriptBuilder } from '../../src/llm/index.ts';
import { serveScript } from '../../src/llm/edge/index.ts';
import { program, scratch, simulated, wireproof } from '../run.test-helper.ts';

/** Plays an agent with these flags to the end of a gateway's orders. */
async function played(
  words: ScriptBuilder,
  dialect: DialectName,
  orders: readonly string[],
  more: { readonly agent?: readonly string[]; readonly gateway?: readonly string[] },
) {
  const model = await serveScript({ script: words.build() });
  const file = program(`whole-agent-${dialect}.txt`, ['wait welcome 20s', ...orders].join('\n'));
  const { gateway, port } = await simulated(['--script', file, ...(more.gateway ?? [])]);
  const agent = await wireproof([
    ...['simulate', 'fold/agent', '--connect', `127.0.0.1:${port}`],
    ...['--llm', `http://127.0.0.1:${model.port}`, '--dialect', dialect, ...(more.agent ?? [])],
  ]);
  const { code, stdout } = await gateway.ended;
  await model.close();
  expect([code, agent.code]).toEqual([0, 0]);
  return { gateway: stdout, agent: agent.stdout };
}

it('reads and runs what its flags allow, says what it uses, and is told of its budget and of the shutdown', async () => {
  const root = join(scratch, 'whole-agent');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'note.txt'), 'the note of this test');
  const words = script()
    .usage({ input: 1234, output: 56 })
    .toolCall('read_file', { path: 'note.txt' })
    .turn()
    .toolCall('run', { command: process.execPath, args: ['-e', 'console.log(6 * 7)'] })
    .turn()
    .text('Done.');
  const said = await played(
    words,
    'anthropic',
    [
      'send Work.',
      'wait tool_approval_request 20s',
      'approve',
      'wait done 20s',
      'shutdown in 200ms for an update',
      'wait shutdown 20s',
    ],
    { agent: ['--root', root, '--run'], gateway: ['--budget', '1500'] },
  );
  expect(said.agent).toMatch(/· request \S+: 1,234 in, 56 out, 0\.6% of the window/);
  for (const text of [
    'the note of this test',
    '42',
    'Budget is 86% consumed. 210 tokens remaining.',
    'Shutting down in 1 s: for an update.',
  ])
    expect(said.gateway).toContain(text);
});

it('asks the user before it makes a conversation smaller, and ends the request when that is denied', async () => {
  const orders = ['send ' + 'word '.repeat(1200), 'wait tool_approval_request 20s', 'deny', 'wait error 20s'];
  const said = await played(script().text('Never.'), 'openai-chat', [...orders, 'shutdown'], {
    agent: ['--window', '2000', '--fallback', 'ask-user'],
  });
  expect(said.gateway).toContain('compact_context');
  expect(said.gateway).toContain('the context window is nearly full');
});

it.each([
  [['--llm', 'ftp://x'], /--llm ftp:\/\/x: expected the URL of a model provider, such as/],
  [['--llm', 'http://x', '--script', 'y'], /simulate fold\/agent --llm does not take '--script'/],
  [['--llm', 'http://x', '--window', 'much'], /--window much: expected a number of tokens above 0/],
  [
    ['--llm', 'http://x', '--fallback', 'pray'],
    /--fallback pray: expected switch-model=NAME, defer-tools or/,
  ],
  [
    ['--llm', 'http://x', '--fallback', 'switch-model=m', '--fallback-window', '9'],
    /--fallback-window 9: expected more than the 200000 tokens of --window; m would not help/,
  ],
  [['--llm', 'http://x', '--approve', 'rm'], /--approve rm: no such tool; the tools are wait, echo, fail/],
  [['--llm', 'http://x', '--root', 'nowhere'], /--root nowhere: expected a folder that exists/],
  [['--llm', 'http://x', '--key-env', 'NO_SUCH_KEY'], /the environment variable NO_SUCH_KEY is not set/],
])('simulate fold/agent %j is refused', async (flags, sentence) => {
  const { code, stderr } = await wireproof(['simulate', 'fold/agent', ...flags]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
});

it('shows the help of the whole agent', async () => {
  const { stdout } = await wireproof(['simulate', 'fold/agent', '--llm', 'http://x', '--help']);
  for (const flag of ['--dialect', '--model', '--window', '--approve', '--root', '--run', '--fallback'])
    expect(stdout).toContain(`  ${flag} `);
});
