// The simulated provider against @copilotkit/aimock: events per second of the server's CPU time, and its peak memory.
// CPU time, as other work on the machine does not change it much.
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

/** Tokens of an answer, answers in a round, and answers at once. */
const tokens = 500;
const answers = 120;
const atOnce = 8;
const rounds = 5;

const user = [{ role: 'user', content: 'Hi' }];
const textDelta = '"response.output_text.delta",';
export const dialects = {
  'openai-chat': { path: '/v1/chat/completions', body: { messages: user }, mark: '"content":"abc ' },
  anthropic: { path: '/v1/messages', body: { max_tokens: 1_000_000, messages: user }, mark: '"text_delta"' },
  'openai-responses': { path: '/v1/responses', body: { input: user }, mark: textDelta },
  'openai-responses over WebSocket': {
    path: '/v1/responses',
    body: { input: user },
    mark: textDelta,
    ask: askSocket,
  },
  gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    mark: '"text":"abc "',
  },
  bedrock: {
    path: '/model/m/converse-stream',
    body: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
    mark: '"text":"abc "',
  },
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

export function ask(port, agent, { path, body }) {
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

/** Asks on a WebSocket of its own: a client keeps its socket for a conversation, which is one answer here. */
function askSocket(port, _agent, { path, body }) {
  return new Promise((done, failed) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer x' } });
    const messages = [];
    socket.on('open', () => socket.send(JSON.stringify({ type: 'response.create', model: 'm', ...body })));
    socket.on('message', (data) => {
      messages.push(/** @type {Buffer} */ (data).toString());
      if (messages.at(-1).includes('"type":"response.completed"')) socket.close();
    });
    socket.on('close', () => done(messages.join('\n')));
    socket.on('error', failed);
  });
}

/** The server's CPU time of one round (ms). */
async function round(server, agent, dialect) {
  const before = await server.used();
  let left = answers;
  const one = async () => {
    while (left-- > 0) await (dialect.ask ?? ask)(server.port, agent, dialect);
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
    const body = await (dialect.ask ?? ask)(server.port, agent, dialect);
    const events = body.split(dialect.mark).length - 1;
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
