// The simulated gateway against a bare grpc-js server with the same codec: how many messages a second, how long a
// round trip takes, how fast agents come, and what each costs.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, credentials, Metadata } from '@grpc/grpc-js';

const path = '/coven.CovenControl/AgentStream';
const identity = (bytes) => bytes;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** A server that ends by itself ends the bench, which would wait for it. */
export function failed(code) {
  if (code === 0 || code === null) return;
  console.error(`a server of the bench exited with code ${code}`);
  process.exit(1);
}

/** A server in a process of its own. */
async function child(mode) {
  const process_ = spawn(
    process.execPath,
    ['--expose-gc', resolve('.config/bench/gateway-child.mjs'), mode],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  process_.on('exit', failed);
  const waiting = [];
  createInterface({ input: process_.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line)));
  const next = () => new Promise((done) => waiting.push(done));
  const order = (what) => process_.stdin.write(`${JSON.stringify(what)}\n`);
  const { port } = await next();
  return { port, next, order, stop: () => process_.kill() };
}

const dial = (port) =>
  new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });

/** An agent that has been welcomed, and hears each message. */
function agent(client, codecs, agent_id) {
  const call = client.makeBidiStreamRequest(path, identity, identity, new Metadata());
  const heard = [];
  call.on('data', (bytes) => heard.shift()?.(codecs.serverCodec.decode(bytes).value.message));
  call.on('error', () => {});
  const next = () => new Promise((done) => heard.push(done));
  const welcome = next();
  call.write(Buffer.from(codecs.agentCodec.encode({ register: { agent_id, name: agent_id } })));
  return { call, next, welcome };
}

/** Texts a second that a server takes from one stream. */
async function oneWay(server, codecs, name, count) {
  const client = dial(server.port);
  const a = agent(client, codecs, name);
  await a.welcome;
  const work = a.next();
  server.order({ ask: name });
  const request_id = server.mode === 'bare' ? 'request-0001' : (await work).send_message.request_id;
  const bytes = Buffer.from(
    codecs.agentCodec.encode({ response: { request_id, text: 'Hello, here is a bit of streamed text. ' } }),
  );
  server.order({ count });
  const heard = server.next();
  const began = performance.now();
  for (let i = 0; i < count; i++)
    if (!a.call.write(bytes)) await new Promise((done) => a.call.once('drain', done));
  await heard;
  const ms = performance.now() - began;
  a.call.cancel();
  client.close();
  return (count / ms) * 1000;
}

/** Round trips: a call of a tool that is not there, answered at once. Milliseconds, sorted. */
async function roundTrips(server, codecs, name, count) {
  const client = dial(server.port);
  const a = agent(client, codecs, name);
  await a.welcome;
  const times = [];
  for (let i = 0; i < count; i++) {
    const asked = { request_id: `p${i}`, tool_name: 'none', input_json: '{}' };
    const answer = a.next();
    const began = performance.now();
    a.call.write(Buffer.from(codecs.agentCodec.encode({ execute_pack_tool: asked })));
    await answer;
    times.push(performance.now() - began);
  }
  a.call.cancel();
  client.close();
  return times.toSorted((x, y) => x - y);
}

/** Opens many agents, so many to a connection. @returns agents a second, and bytes each on the server */
async function crowd(server, codecs, count, each) {
  server.order({ memory: true });
  const before = await server.next();
  const began = performance.now();
  const clients = [];
  const calls = [];
  for (let i = 0; i < count; i += 100) {
    const welcomes = [];
    for (let k = i; k < Math.min(count, i + 100); k++) {
      if (k % each === 0) clients.push(dial(server.port));
      const a = agent(clients.at(-1), codecs, `crowd-${k}`);
      calls.push(a.call);
      welcomes.push(a.welcome);
    }
    await Promise.all(welcomes);
  }
  const rate = count / ((performance.now() - began) / 1000);
  server.order({ memory: true });
  const after = await server.next();
  for (const call of calls) call.cancel();
  for (const client of clients) client.close();
  return { rate, bytes: (after.bytes - before.bytes) / count };
}

/** All rows of the gateway. `row` takes what, peer, aim, ratio and rate as the bench has them. */
export async function gatewayRows(codecs, row) {
  const servers = {};
  for (const mode of ['bare', 'free', 'rules']) servers[mode] = { ...(await child(mode)), mode };
  const { bare, free, rules } = servers;
  const rates = { bare: [], free: [], rules: [] };
  const count = 60_000;
  for (let turn = 0; turn < 6; turn++)
    for (const mode of ['bare', 'free', 'rules'])
      rates[mode].push(await oneWay(servers[mode], codecs, `one-way-${turn}`, count));
  const ratio = (mode) => median(rates[mode].slice(1).map((rate, i) => rate / rates.bare[i + 1]));
  const peer = 'bare grpc-js, same codec';
  row(
    'simulated gateway, texts to an operator, free-running',
    peer,
    '≥ 0.9',
    { ratio: ratio('free'), rate: median(rates.free) },
    'messages',
  );
  row(
    'simulated gateway, the same with the rules live',
    peer,
    '≥ 0.7',
    { ratio: ratio('rules'), rate: median(rates.rules) },
    'messages',
  );
  const p99 = {};
  for (const mode of ['bare', 'free', 'bare', 'free']) {
    const times = await roundTrips(servers[mode], codecs, `trips-${Math.round(performance.now())}`, 4000);
    (p99[mode] ??= []).push(times[Math.floor(times.length * 0.99)]);
  }
  row(
    'simulated gateway, round trip, p99',
    peer,
    '≤ 1.3',
    { ratio: median(p99.free) / median(p99.bare), rate: 1000 / median(p99.free) },
    'trips',
  );
  for (const each of [100]) {
    const theirs = await crowd(bare, codecs, 5000, each);
    const ours = await crowd(free, codecs, 5000, each);
    row(
      '5,000 agents: connect rate',
      peer,
      '≥ 0.85',
      { ratio: ours.rate / theirs.rate, rate: ours.rate },
      'agents',
    );
    row(
      '5,000 agents: memory each',
      peer,
      '≤ 1.5',
      { ratio: ours.bytes / theirs.bytes, rate: ours.bytes },
      'bytes',
    );
  }
  for (const { stop } of [bare, free, rules]) stop();
}
