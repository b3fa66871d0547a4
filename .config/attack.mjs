// Attacks the built command as hostile targets and clients would, and prints a table: npm run attack [-- NAME…|--slice]
// With --write, the table goes to spec/quality.md.
// Exits with 1 when a figure is outside of its bound. It takes the peak memory from /proc, so it runs on Linux.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ask, instruct, prompt } from './attack/ask.mjs';
import { crashes, interrupts } from './attack/crash.mjs';
import { kills } from './attack/kills.mjs';
import { hostile, run, socketsOf, start } from './attack/kit.mjs';
import { writeMeasured } from './quality.mjs';
import { names as hostileNames } from './attack/names.mjs';
import { silent } from './attack/silent.mjs';
import { readers } from './attack/readers.mjs';
import { serverAttacks } from './attack/servers.mjs';

/** The most memory of the kit's process, whatever comes (MB). */
const mostMemory = 400;
/** The time in which an honest request is answered beside an attack (ms, 99th percentile). */
const mostWait = 500;

/** A check of a hostile target that sends without end. `program`: its file and its arguments. */
const flood = (suite, kind, program, ...flags) => ({
  name: `${suite}: ${kind} without end`,
  tries: 1,
  async attack() {
    const [file, ...args] = program;
    const target = ['--', process.execPath, hostile(file), ...args, kind];
    const ended = await run(['check', suite, '--json', '--trace', 'off', ...flags, ...target], {
      limit: 120,
    });
    const absent = ended.code === 3;
    return { ...ended, wrong: [...(absent ? [] : reportFault(ended)), ...exitFault(ended, [1, 3, 4])] };
  },
});

const exitFault = ({ code }, expected) => (expected.includes(code) ? [] : [`exit ${code}`]);

function reportFault({ stdout }) {
  try {
    return JSON.parse(stdout).wireproof === 'report/1' ? [] : ['the report has no version'];
  } catch {
    return ['no report'];
  }
}

/**
 * A simulated server under attack, with an honest client beside. `honest`: one request of it; `allowed`: the statuses that
 * the attack may see; `sockets`: the most sockets that the server has `settle` seconds after the attack.
 */
const server = ({ name, args, port, client, tries, honest, allowed, sockets = Infinity, settle = 0 }) => ({
  name: `simulate ${args[0]}: ${name}`,
  tries,
  async attack() {
    const kit = start(['simulate', ...args, '--quiet'], { limit: 100 });
    const ports = await kit.line(port);
    const [file, ...rest] = client(ports);
    const attacking = promisify(execFile)(process.execPath, [hostile(file), ...rest.map(String)]);
    const state = { over: false };
    const ended = attacking.finally(() => (state.over = true));
    const waits = [];
    while (!state.over) {
      const { status, ms } = await honest(ports);
      waits.push(status === 200 ? ms : Infinity);
      await sleep(20);
    }
    const statuses = JSON.parse((await ended).stdout);
    const wait = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
    const others = Object.keys(statuses).filter((status) => !allowed.includes(Number(status)));
    const wrong = others.map((status) => `status ${status}`);
    if (wait > mostWait) wrong.push(`an honest request took ${Math.round(wait)} ms`);
    await sleep(settle * 1000);
    const open = socketsOf(kit.child.pid);
    if (open > sockets) wrong.push(`${open} sockets`);
    return { ...(await kit.stop()), wait, wrong };
  },
});

/** Listens on a port of the system's choice. */
const anywhere = ['--listen', '127.0.0.1:0'];

const llm = {
  args: ['llm', ...anywhere],
  port: /127\.0\.0\.1:(\d+)/,
  honest: ([, port]) => ask(port, { size: 10 }),
};

const provider = (kind, tries, allowed) =>
  server({ ...llm, name: kind, tries, allowed, client: ([, port]) => ['llm-client.mjs', port, kind] });

const gateway = {
  args: ['fold/gateway', ...anywhere, '--http', '127.0.0.1:0'],
  port: /gateway on 127\.0\.0\.1:(\d+)[^]*http:\/\/127\.0\.0\.1:(\d+)/,
  honest: ([, , http]) => ask(http, { method: 'GET', path: '/api/agents', body: '' }),
};

const subagent = {
  args: ['toon/subagent', ...anywhere],
  port: /127\.0\.0\.1:(\d+)/,
  honest: ([, port]) => instruct(port),
};

const engine = {
  args: ['koda/engine', ...anywhere],
  port: /127\.0\.0\.1:(\d+)/,
  honest: ([, port]) => prompt(port),
};

/** Broken connections and bytes at a server. */
const raw = (at, name, kind, tries, more = {}) =>
  server({
    ...at,
    name,
    tries,
    allowed: [],
    client: (ports) => ['raw-client.mjs', ports[more.face ?? 1], kind, tries],
    ...more,
  });

/** A check of an agent that registers, and then has this habit at each scenario. */
const dull = (habit) => ({
  name: `fold/agent: ${habit} at each request`,
  tries: 1,
  async attack() {
    const target = ['--', process.execPath, hostile('dull-agent.mjs'), '{address}', habit];
    const ended = await run(['check', 'fold/agent', '--json', '--trace', 'off', ...target], { limit: 60 });
    return { ...ended, wrong: [...reportFault(ended), ...exitFault(ended, [1])] };
  },
});

/** A client of an engine that sends prompts without end: what was violated is reported. */
const prompts = {
  name: 'koda/client: prompts without end',
  tries: 1,
  async attack() {
    const target = ['--', process.execPath, hostile('koda-client.mjs'), '{url}', 'endless'];
    const ended = await run(['check', 'koda/client', '--json', '--trace', 'off', ...target], { limit: 120 });
    return { ...ended, wrong: [...reportFault(ended), ...exitFault(ended, [1, 4])] };
  },
};

/** A program that is no target. */
const stranger = (suite) => ({
  name: `${suite}: echo hello`,
  tries: 1,
  async attack() {
    const ended = await run(['check', suite, '--', 'echo', 'hello']);
    return { ...ended, wrong: exitFault(ended, [3]) };
  },
});

/** A model's output without end, on the stdin of a simulator. */
const endlessInput = (simulator, kind) => ({
  name: `simulate ${simulator}: ${kind} without end`,
  tries: 1,
  async attack() {
    const ended = await run(['simulate', simulator, '--json'], { input: ['stdout.mjs', kind] });
    return { ...ended, wrong: exitFault(ended, [2]) };
  },
});

/** A command with few open files. */
const fewFiles = (count) => ({
  name: `ulimit -n ${count}`,
  tries: 1,
  async attack() {
    const prefix = ['sh', '-c', `ulimit -n ${count}; exec "$@"`, 'sh'];
    const ended = await run(['check', 'toon/codec', '--', 'echo', 'hello'], { prefix });
    return { ...ended, wrong: exitFault(ended, [3]) };
  },
});

const attacks = [
  ...['texts', 'tiny', 'garbage'].map((kind) => flood('fold/agent', kind, ['fold-agent.mjs', '{address}'])),
  ...['lines', 'short-lines', 'one-line', 'bytes'].map((kind) => flood('toon/codec', kind, ['stdout.mjs'])),
  ...['bytes', 'lines'].map((kind) => flood('toon/subagent', kind, ['stdout.mjs'])),
  flood('sep/parser', 'lines', ['stdout.mjs']),
  flood('sep/executor', 'short-lines', ['stdout.mjs']),
  flood('koda/codec', 'lines', ['stdout.mjs']),
  ...['lines', 'short-lines', 'one-line'].map((kind) => flood('koda/engine', kind, ['stdout.mjs'])),
  flood('koda/client', 'lines', ['stdout.mjs']),
  ...['thoughts', 'bytes'].map((kind) => endlessInput('sep/executor', kind)),
  ...['deltas', 'tiny', 'line'].map((kind) =>
    flood(
      'llm/server',
      kind,
      ['llm-server.mjs', '{listen}'],
      '--drive',
      'openai-chat',
      '--timeout',
      'step=5s',
    ),
  ),
  provider('row', 3000, [200]),
  provider('large', 60, [200, 503, 0]),
  provider('deep', 300, [400]),
  provider('foreign', 300, [403]),
  raw(gateway, 'broken HTTP/2 connections', 'http2', 600, { sockets: 60, settle: 35 }),
  raw(gateway, 'deep /api/send', 'deep', 300, { face: 2, allowed: [400] }),
  raw(gateway, 'idle connections', 'idle', 2000, { sockets: 60, settle: 25 }),
  raw(llm, 'broken WebSockets', 'websocket', 3000, { sockets: 60, settle: 2 }),
  raw(llm, 'idle connections', 'idle', 2000, { sockets: 60, settle: 2 }),
  raw(subagent, 'deep payloads', 'payload', 300, { sockets: 60, settle: 2 }),
  raw(subagent, 'garbage', 'garbage', 3000, { sockets: 60, settle: 2 }),
  server({
    ...engine,
    name: '4 × 5,000 prompts that read nothing',
    tries: 20_000,
    allowed: [],
    client: ([, port]) => ['koda-client.mjs', `ws://127.0.0.1:${port}`, 'prompts', 5000],
    sockets: 60,
    settle: 2,
  }),
  prompts,
  ...['close', 'reset', 'exit'].map(dull),
  ...[
    'fold/agent',
    'fold/gateway',
    'toon/codec',
    'toon/subagent',
    'toon/orchestrator',
    'tokens/manager',
    'sep/parser',
    'sep/executor',
    'koda/codec',
    'koda/engine',
    'koda/client',
  ].map(stranger),
  ...[63, 40, 30].map(fewFiles),
  ...readers,
  ...silent,
  ...hostileNames,
  ...serverAttacks,
  crashes(1000),
  interrupts(60),
  ...kills,
];

const isWritten = process.argv.includes('--write');
const names = process.argv.slice(2).filter((word) => word !== '--write');
// The slice of CI: one flood, one server, one stranger and one limit.
const slice = [
  'fold/agent: texts without end',
  'simulate llm: deep',
  'toon/subagent: echo hello',
  'ulimit -n 40',
];
const wanted = names.includes('--slice') ? slice : names;
const chosen = attacks.filter(({ name }) => wanted.length === 0 || wanted.some((one) => name.includes(one)));

console.log('| Attack | Tries | Peak memory | Honest p99 | Seconds | Left behind | Result |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
let failed = false;
const rows = [];
for (const { name, tries, attack } of chosen) {
  const { peak, seconds, orphans, hung, wait, wrong } = await attack();
  if (peak > mostMemory) wrong.push(`${Math.round(peak)} MB of ${mostMemory}`);
  if (orphans > 0) wrong.push(`${orphans} processes left`);
  if (hung) wrong.push('it did not end');
  failed ||= wrong.length > 0;
  const honest = wait === undefined ? '-' : `${Math.round(wait)} ms`;
  const cells = [
    name,
    tries,
    `${Math.round(peak)} MB`,
    honest,
    seconds.toFixed(1),
    orphans,
    wrong.join('; ') || 'held',
  ];
  rows.push(cells.slice(0, -1));
  console.log(`| ${cells.join(' | ')} |`);
}
if (isWritten && !failed) writeMeasured('Attacks', rows, { partly: wanted.length > 0 });
process.exitCode = failed ? 1 : 0;
