/** The SDKs as testees: each answers the testee protocol, and does a turn with a tool against the simulated provider. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { simulateLlm } from '../../src/llm/edge/index.ts';
import { script } from '../../src/llm/index.ts';

type Testee = readonly [dialect: string, file: string, ...flags: string[]];

const testees: readonly Testee[] = [
  ['anthropic', 'anthropic.mjs'],
  ['anthropic', 'anthropic.mjs', '--runner'],
  ['openai-chat', 'openai-chat.mjs'],
  ['openai-chat', 'openai-chat.mjs', '--raw'],
  ['openai-responses', 'openai-responses.mjs'],
  ['ollama', 'ollama.mjs'],
  ['lmstudio', 'lmstudio.mjs'],
  ['gemini', 'gemini.mjs'],
  ['bedrock', 'bedrock.mjs'],
  ['anthropic', 'ai-sdk.mjs', 'anthropic'],
  ['openai-chat', 'ai-sdk.mjs', 'openai-chat'],
  ['openai-responses', 'ai-sdk.mjs', 'openai-responses'],
  ['anthropic', 'langchain.mjs', 'anthropic'],
  ['openai-chat', 'langchain.mjs', 'openai-chat'],
  ['openai-responses', 'langchain.mjs', 'openai-responses'],
];

const schema = { type: 'object', properties: { a: { type: 'number' } } };
const add = { name: 'add', description: 'adds', input_schema: schema, output: 'three' };
const turn = { model: 'm', prompt: 'Hi', max_tokens: 500, tools: [add], max_rounds: 4, stream: true };

function started([, file, ...args]: Testee): ChildProcess {
  const child = spawn(process.execPath, [`${import.meta.dirname}/${file}`, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  return child;
}

/** Asks one thing of a testee, and waits for the answer. */
async function ask({ stdin, stdout }: ChildProcess, request: object): Promise<unknown> {
  if (stdin === null || stdout === null) throw new Error('the testee has no pipes');
  const lines = createInterface({ input: stdout });
  stdin.write(`${JSON.stringify({ id: 1, ...request })}\n`);
  const [line] = (await once(lines, 'line')) as [string];
  lines.close();
  return JSON.parse(line);
}

describe.each(testees.map((testee) => [testee.join(' '), testee] as const))('%s', (_, testee) => {
  const [dialect] = testee;

  it('says what it is, and does not know other operations', async () => {
    const child = started(testee);
    expect(await ask(child, { op: 'hello' })).toMatchObject({
      id: 1,
      ok: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), dialects: [dialect] },
    });
    expect(await ask(child, { op: 'other' })).toEqual({ id: 1, unsupported: true });
  });

  it('executes a call, answers it, and says what came of the turn', async () => {
    const twice = script().text('Let me see. ').toolCall('add', { a: 1 }).turn().text('It is three.');
    const llm = await simulateLlm(twice);
    onTestFinished(() => llm.close());
    const answer = await ask(started(testee), { op: 'llm.turn', dialect, base_url: llm.url, ...turn });
    expect(answer).toMatchObject({
      ok: {
        text: 'Let me see. It is three.',
        executed: [{ name: 'add', input: { a: 1 } }],
        stop_reason: 'end_turn',
      },
    });
    expect(answer).not.toHaveProperty('ok.error');
    const generations = llm.requests.filter((request) => request.dialect !== undefined);
    expect(generations.map(({ turn: number }) => number)).toEqual([0, 1]);
    // What the tool gave goes back to the model.
    expect(JSON.stringify(generations[1]?.body)).toContain('three');
  });
});
