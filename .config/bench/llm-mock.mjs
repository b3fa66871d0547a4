// The simulated provider against @copilotkit/aimock: events per second of the server's CPU time, and its peak memory.
// CPU time, as other work on the machine does not change it much.
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Tokens of an answer, answers in a round, and answers at once. */
const tokens = 500;
const answers = 120;
const atOnce = 8;
const rounds = 5;

const user = [{ role: 'user', content: 'Hi' }];
const dialects = {
  'openai-chat': { path: '/v1/chat/completions', body: { messages: user }, mark: '"content":"abc ' },
  anthropic: { path: '/v1/messages', body: { max_tokens: 1_000_000, messages: user }, mark: '"text_delta"' },
  'openai-responses': { path: '/v1/responses', body: { input: user }, mark: '"response.output_text.delta",' },
};

async function child(mode, ...args) {
  const started = spawn(
    process.execPath,
    [resolve('.config/bench/llm-mock-child.mjs'), mode, String(tokens * 4), ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: started.stdout });
  const next = () => new Promise((done) => lines.once('line', (line) => done(JSON.parse(line))));
  const { port } = await next();
  return {
    port,
    used() {
      const line = next();
      started.stdin.write('\n');
      return line;
    },
    stop: () => started.stdin.end(),
  };
}

function ask(port, agent, { path, body }) {
  return new Promise((done, failed) => {
    const call = request({
      port,
      path,
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x', 'x-api-key': 'x' },
    });
    call.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => done(Buffer.concat(chunks).toString()));
    });
    call.on('error', failed);
    call.end(JSON.stringify({ model: 'm', stream: true, ...body }));
  });
}

/** The server's CPU time of one round (ms). */
async function round(server, agent, dialect) {
  const before = await server.used();
  let left = answers;
  const one = async () => {
    while (left-- > 0) await ask(server.port, agent, dialect);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return (await server.used()).cpu - before.cpu;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** One dialect, on servers of its own, in turn. */
async function compare(name, dialect) {
  const agent = new Agent({ keepAlive: true });
  const servers = { ours: await child('ours'), theirs: await child('aimock') };
  for (const server of Object.values(servers)) {
    const events = (await ask(server.port, agent, dialect)).split(dialect.mark).length - 1;
    if (events !== tokens) throw new Error(`${name}: ${events} events instead of ${tokens}`);
    await round(server, agent, dialect);
  }
  const pairs = [];
  for (let i = 0; i < rounds; i++)
    pairs.push([await round(servers.ours, agent, dialect), await round(servers.theirs, agent, dialect)]);
  const peaks = { ours: (await servers.ours.used()).peak, theirs: (await servers.theirs.used()).peak };
  for (const server of Object.values(servers)) server.stop();
  agent.destroy();
  return {
    ratio: median(pairs.map(([a, b]) => b / a)),
    rate: (tokens * answers) / (median(pairs.map(([a]) => a)) / 1000),
    peaks,
  };
}

export async function mockRows(row, rows) {
  for (const [name, dialect] of Object.entries(dialects)) {
    const { peaks, ...measured } = await compare(name, dialect);
    row(`LLM simulator, ${name}, events per CPU second`, 'aimock', '≥ 1.2', measured, 'events');
    rows.push({
      what: `LLM simulator, ${name}, peak memory`,
      peer: `aimock: ${peaks.theirs.toFixed(0)} MB`,
      aim: '≤ 1',
      ratio: (peaks.ours / peaks.theirs).toFixed(2),
      ours: `${peaks.ours.toFixed(0)} MB`,
    });
  }
}
