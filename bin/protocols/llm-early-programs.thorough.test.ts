/** Whole programs that run a call as soon as it is complete on the wire, as agents in use do, and what they do when its answer breaks off. */
import { describe, expect, it } from 'vitest';
import { program } from '../run.test-helper.ts';
import { checked } from './llm-verdicts.test-helper.ts';
import type { Outcome } from './llm-verdicts.test-helper.ts';

const statement = program(
  'early-agent.yaml',
  `suite: llm/client
carrier: http
tools: { quick: { name: write, input: { path: '{tmp}/{nonce}.txt' }, makes: '{tmp}/{nonce}.txt' } }
`,
);

/** An agent that speaks Anthropic's dialect, and what it does with an answer that broke off. */
const agent = program(
  'early-agent.mjs',
  String.raw`
import { writeFileSync } from 'node:fs';
const [manner] = process.argv.slice(2);
const tools = [{ name: 'write', input_schema: { type: 'object', properties: { path: { type: 'string' } } } }];
const messages = [{ role: 'user', content: 'Write.' }];
const url = process.env.ANTHROPIC_BASE_URL + '/v1/messages';
const parsed = (text) => { try { return JSON.parse(text); } catch { return undefined; } };

/** Runs a call when its block ends. */
function run(block) {
  const input = parsed(block.json);
  const runs = typeof input?.path === 'string';
  if (runs) writeFileSync(input.path, 'x');
  block.input = runs ? input : {};
  return { type: 'tool_result', tool_use_id: block.id, content: runs ? 'Written.' : 'Not run.', is_error: !runs };
}

async function ask() {
  const body = JSON.stringify({ model: 'm', max_tokens: 1000, stream: true, tools, messages });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = { blocks: [], results: [], ended: false };
  try {
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line.startsWith('data: ')) take(JSON.parse(line.slice(6)), answer);
    }
  } catch {
    answer.ended = false;
  }
  return answer;
}

function take({ type, delta, content_block }, answer) {
  if (type === 'content_block_start') answer.blocks.push({ ...content_block, json: '' });
  const block = answer.blocks.at(-1);
  if (delta?.text) block.text += delta.text;
  if (delta?.partial_json) block.json += delta.partial_json;
  if (type === 'content_block_stop' && block.type === 'tool_use') answer.results.push(run(block));
  if (type === 'message_stop') answer.ended = true;
}

let attempts = 0;
for (let round = 0; round < 10; round++) {
  const { blocks, results, ended } = await ask();
  const content = blocks.filter(({ text }) => text !== '').map(({ json, ...block }) => block);
  if (!ended && manner === 'repeats' && attempts++ < 2) continue;
  if (!ended && manner === 'repeats') process.exit(1);
  if (!ended && manner === 'tells') { console.error('socket hang up'); break; }
  if (!ended && results.length === 0) messages.push({ role: 'assistant', content }, { role: 'user', content: 'Go on.' });
  else if (results.length === 0) break;
  else messages.push({ role: 'assistant', content }, { role: 'user', content: results });
}
`,
);

const rows = ['LLM-C01', 'LLM-C02', 'LLM-C05', 'LLM-C06', 'LLM-C07', 'LLM-C08', 'LLM-C09', 'LLM-C16'];

const judged = (manner: string): Promise<Outcome> =>
  checked(
    [process.execPath, agent, manner],
    '--statement',
    statement,
    ...rows.flatMap((row) => ['--only', row]),
  );

describe('a program that runs complete calls early', { timeout: 120_000 }, () => {
  it.each([
    ['says in its own words that the connection broke, and exits with code 0', 'tells'],
    ['goes on with the results', 'continues'],
  ])('and %s is conformant', async (_, manner) => {
    const { verdicts } = await judged(manner);
    expect(verdicts).toEqual(Object.fromEntries(rows.map((row) => [row, 'pass'])));
  });

  it('and repeats its request after the call has run violates LLM-C09 alone', async () => {
    const { fails, report } = await judged('repeats');
    expect(fails).toEqual(['LLM-C09']);
    expect(report.requirements.find(({ id }) => id === 'LLM-C09')?.message).toContain('had made its file');
  });
});
