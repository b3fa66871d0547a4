// The reference gateway against a bare node:http pipe: events per second of its CPU time, and how much later an event
// comes. The provider and the clients are in this process, so that one clock measures both. The provider writes each
// event by itself, as models do.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { failed } from './gateway.mjs';

const median = (numbers) => at(numbers, 0.5);
const at = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];

/** Tokens of an answer, answers in a round, and answers at once. */
const tokens = 400;
const answers = 80;
const atOnce = 8;
const rounds = 7;
/** Streams at once whose events are timed, the milliseconds between two events, and the events of each. */
const timed = { streams: 50, delay: 20, events: 100 };

const dialects = {
  anthropic: { path: '/v1/messages', body: { max_tokens: 1_000_000 }, mark: '"text_delta"' },
  'openai-chat': { path: '/v1/chat/completions', body: {}, mark: '"content":"abc' },
};

/** A process that says its port, and answers lines. */
async function child(file, ...args) {
  const started = spawn(process.execPath, [resolve('.config/bench', file), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.on('exit', failed);
  const lines = createInterface({ input: started.stdout });
  const next = () => new Promise((done) => lines.once('line', (line) => done(JSON.parse(line))));
  const { port } = await next();
  return {
    port,
    async cpu() {
      const line = next();
      started.stdin.write('\n');
      return (await line).cpu;
    },
    stop: () => started.stdin.end(),
  };
}

/** Asks for a stream, whose number is in the prompt. `heard`: each chunk as it comes. */
function ask(port, agent, name, heard, number = 0) {
  const { path, body } = dialects[name];
  return new Promise((done, refused) => {
    const headers = { 'content-type': 'application/json' };
    const call = request({ port, path, agent, method: 'POST', headers });
    call.on('response', (response) => response.on('data', heard).on('end', done).on('error', refused));
    call.on('error', refused);
    const messages = [{ role: 'user', content: `stream ${number}` }];
    call.end(JSON.stringify({ model: 'm', stream: true, messages, ...body }));
  });
}

/** The events of an answer in each dialect, as the streamer writes them. */
async function recorded() {
  const folder = resolve('node_modules/.cache/wireproof-bench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'llm-gateway.json');
  const text = { text: '', fill: { text: 'abc ', bytes: tokens * 4 } };
  writeFileSync(file, JSON.stringify({ turns: [{ times: 'always', steps: [{ text }] }] }));
  const server = await child('llm-child.mjs', 'ours', file);
  const made = {};
  for (const [name, { path }] of Object.entries(dialects)) {
    const chunks = [];
    await ask(server.port, undefined, name, (chunk) => chunks.push(chunk));
    const all = Buffer.concat(chunks).toString();
    made[path] = (all.match(/[^\n][\s\S]*?\n\n/g) ?? []).map((event) => Buffer.from(event));
  }
  server.stop();
  return made;
}

/** The provider. `pace(next)` calls when the next event is due; `written` has the times of the tokens of each stream. */
function providerOf(events) {
  const state = { pace: setImmediate, most: Infinity, written: new Map() };
  const answerOne = (answer, path, number) => {
    const all = events[path];
    const { mark } = Object.values(dialects).find((one) => one.path === path) ?? { mark: '' };
    const times = [];
    state.written.set(number, times);
    let i = 0;
    const next = () => {
      const event = all[i++];
      if (event === undefined) return void answer.end();
      const isToken = event.includes(mark);
      if (isToken && times.length === state.most) return next();
      if (isToken) times.push(performance.now());
      answer.write(event);
      state.pace(next);
    };
    next();
  };
  const server = createServer(async (asked, answer) => {
    asked.socket.setNoDelay(true);
    let body = '';
    for await (const chunk of asked) body += chunk;
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answerOne(answer, asked.url, Number(/stream (\d+)/.exec(body)?.[1]));
  });
  return new Promise((done) =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
      done({
        state,
        port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
        stop: () => server.close(),
      }),
    ),
  );
}

/** The CPU time (ms) that a gateway takes for a round. */
async function round(gateway, agent, name) {
  const before = await gateway.cpu();
  let left = answers;
  const one = async () => {
    while (left-- > 0) await ask(gateway.port, agent, name, () => {});
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return (await gateway.cpu()) - before;
}

/** How late the tokens of many streams come, against their writing (ms). */
async function lateness(gateway, { state }, name) {
  const late = [];
  const mark = Buffer.from(dialects[name].mark);
  const agent = new Agent({ keepAlive: true });
  state.pace = (next) => setTimeout(() => next(), timed.delay);
  state.most = timed.events;
  const stream = async (number) => {
    let seen = 0;
    const hear = (chunk) => {
      const now = performance.now();
      for (let i = chunk.indexOf(mark); i !== -1; i = chunk.indexOf(mark, i + 1))
        late.push(now - state.written.get(number)[seen++]);
    };
    await ask(gateway.port, agent, name, hear, number);
    if (seen !== timed.events) throw new Error(`${name}: ${seen} events instead of ${timed.events}`);
  };
  await Promise.all(Array.from({ length: timed.streams }, (_, number) => stream(number)));
  state.pace = setImmediate;
  state.most = Infinity;
  agent.destroy();
  return late;
}

/** One pair of dialects: the gateway and the pipe in turn. */
async function compare(row, rows, provider, client, below) {
  const pair = client === below ? client : `${client} over ${below}`;
  const ours = await child('llm-gateway-child.mjs', 'ours', String(provider.port), client, below);
  const pipe = await child('llm-gateway-child.mjs', 'pipe', String(provider.port));
  const agent = new Agent({ keepAlive: true });
  await round(ours, agent, client);
  await round(pipe, agent, below);
  const pairs = [];
  for (let i = 0; i < rounds; i++)
    pairs.push([await round(ours, agent, client), await round(pipe, agent, below)]);
  const ratios = pairs.map(([a, b]) => b / a);
  const cpu = median(pairs.map(([a]) => a)) / 1000;
  const measured = { ratio: median(ratios), rate: (tokens * answers) / cpu };
  const aim = client === below ? '≥ 0.4' : '≥ 0.25';
  row(`LLM gateway, ${pair}, events per CPU second`, 'bare node:http pipe', aim, measured, 'events');
  /** @type {[p50: number[], p99: number[]]} */
  const added = [[], []];
  for (let i = 0; i < 3; i++) {
    const [mine, theirs] = [await lateness(ours, provider, client), await lateness(pipe, provider, below)];
    added[0].push(at(mine, 0.5) - at(theirs, 0.5));
    added[1].push(at(mine, 0.99) - at(theirs, 0.99));
  }
  for (const [i, [share, most]] of [
    ['p50', 1],
    ['p99', 5],
  ].entries())
    rows.push({
      what: `LLM gateway, ${pair}, ${timed.streams} streams, added to an event, ${share}`,
      peer: 'bare node:http pipe',
      aim: `≤ + ${most} ms`,
      ratio: `+ ${median(added[i] ?? []).toFixed(2)} ms`,
      ours: '-',
    });
  agent.destroy();
  for (const gateway of [ours, pipe]) gateway.stop();
  return { pair, ratios, added };
}

export async function llmGatewayRows(row, rows) {
  const provider = await providerOf(await recorded());
  const found = [];
  for (const [client, below] of [
    ['anthropic', 'anthropic'],
    ['openai-chat', 'openai-chat'],
    ['anthropic', 'openai-chat'],
    ['openai-chat', 'anthropic'],
  ])
    found.push(await compare(row, rows, provider, client, below));
  provider.stop();
  return found;
}
