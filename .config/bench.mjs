// Speed as ratios: ours and a named peer in turn, in one run. Nothing here fails a build; the table says the aim.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gatewayRows } from './bench/gateway.mjs';
import { kodaCodecRows } from './bench/koda-codec.mjs';
import { kodaSocketRows } from './bench/koda-socket.mjs';
import { llmRows } from './bench/llm.mjs';
import { llmGatewayRows } from './bench/llm-gateway.mjs';
import { mockRows } from './bench/llm-mock.mjs';
import { sepExecutorRows } from './bench/sep-executor.mjs';
import { sepFeedRows } from './bench/sep-feeds.mjs';
import { sepRows } from './bench/sep.mjs';
import { tokensRows } from './bench/tokens.mjs';
import { toonRows } from './bench/toon.mjs';

const rounds = 9;

/** Milliseconds of one call. */
function time(run) {
  const began = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - began) / 1e6;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Runs ours and theirs in turn. Returns the median of theirs / ours (above 1: ours is faster), and our rate. */
function pair(ours, theirs, units) {
  ours();
  theirs();
  const pairs = Array.from({ length: rounds }, () => [time(ours), time(theirs)]);
  return {
    ratio: median(pairs.map(([a, b]) => b / a)),
    rate: units / (median(pairs.map(([a]) => a)) / 1000),
  };
}

const rows = [];
const row = (what, peer, aim, { ratio, rate }, unit) => {
  rows.push({
    what,
    peer,
    aim,
    ratio: ratio.toFixed(2),
    ours: `${Math.round(rate).toLocaleString('en')} ${unit}${unit === 'bytes' ? '' : '/s'}`,
  });
  process.stderr.write('.');
};

/** protobufjs' own static code for the same schema, made at bench time. */
function protobufjsStatic() {
  const folder = resolve('node_modules/.cache/wireproof-bench');
  mkdirSync(folder, { recursive: true });
  const out = join(folder, 'coven.cjs');
  execFileSync(process.execPath, [
    resolve('node_modules/protobufjs-cli/bin/pbjs'),
    '-t',
    'static-module',
    '-w',
    'commonjs',
    '--keep-case',
    '--no-comments',
    '-o',
    out,
    'spec/fold/coven.proto',
  ]);
  return createRequire(out)(out).coven;
}

async function codec() {
  const { agentCodec } = await import('../dist/src/fold/index.js');
  const { AgentMessage } = protobufjsStatic();
  const id = { request_id: 'request-0001' };
  /** @type {import('../dist/src/fold/index.js').AgentMessage[]} */
  const mix = [
    { response: { ...id, text: 'Hello, here is a bit of streamed text. ' } },
    { response: { ...id, tool_use: { id: 'tool-1', name: 'read_file', input_json: '{"path":"/tmp/x"}' } } },
    { response: { ...id, tool_state: { id: 'tool-1', state: 'TOOL_STATE_RUNNING' } } },
    { response: { ...id, usage: { input_tokens: 1500, output_tokens: 200 } } },
    { response: { ...id, done: { full_response: 'Hello' } } },
    { injection_ack: { injection_id: 'injection-1', accepted: true } },
  ];
  for (const [name, messages] of Object.entries({ 'text event': mix.slice(0, 1), 'mix of six': mix })) {
    const bytes = messages.map((m) => Buffer.from(agentCodec.encode(m)));
    const theirs = bytes.map((b) => AgentMessage.decode(b));
    const n = 200_000;
    const each = (run) => () => {
      for (let i = 0; i < n; i++) run(i % messages.length);
    };
    row(
      `Fold codec, encode, ${name}`,
      'protobufjs static',
      '≥ 0.95',
      pair(
        each((i) => agentCodec.encode(messages[i])),
        each((i) => AgentMessage.encode(theirs[i]).finish()),
        n,
      ),
      'messages',
    );
    row(
      `Fold codec, decode, ${name}`,
      'protobufjs static',
      '≥ 0.7',
      pair(
        each((i) => agentCodec.decode(bytes[i])),
        each((i) => AgentMessage.decode(bytes[i])),
        n,
      ),
      'messages',
    );
  }
}

/** One long trace: every scenario's simulated run, again and again, each on streams of its own. */
async function recordedTrace(suite, lines) {
  const { simulate } = await import('../dist/src/kit/suite/index.js');
  const { readScenarios } = await import('../dist/src/kit/spec/index.js');
  const runs = readScenarios('fold', suite.id)
    .filter(({ name }) => !name.startsWith('large-'))
    .map(
      (scenario) =>
        simulate({ suite, scenario, target: suite.reference(), seed: '1', timeouts: { keepalive: 12_000 } })
          .events,
    );
  const trace = [];
  let began = 0;
  for (let turn = 0; trace.length < lines; turn++) {
    for (const [k, events] of runs.entries()) {
      const own = (name) => (name === '' ? '' : `${name}-${turn}-${k}`);
      for (const e of events) {
        if (e.kind === 'mark' && trace.length > 0 && (e.data.run ?? e.data.end) !== undefined) continue;
        trace.push({ ...e, seq: trace.length, at: began + e.at, conn: own(e.conn), stream: own(e.stream) });
      }
      began += events.at(-1)?.at ?? 0;
      const last = {
        wire: 'fold',
        from: 'gateway',
        to: 'target',
        kind: 'end',
        data: { code: 14, message: 'next' },
      };
      trace.push({ seq: trace.length, at: began, conn: own('c1'), stream: own('s1'), ...last });
    }
  }
  return trace.map((event) => JSON.stringify(event));
}

async function judging() {
  const { Judge, openWait } = await import('../dist/src/kit/judge/index.js');
  const { foldAgentSuite } = await import('../dist/conformance/fold/agent/suite.js');
  const lines = await recordedTrace(foldAgentSuite, 100_000);
  const ours = () => {
    const judge = new Judge(foldAgentSuite.judging);
    for (const line of lines) judge.step(JSON.parse(line));
    judge.end();
  };
  const events = lines.slice(0, 20_000).map((line) => JSON.parse(line));
  // A live session asks ten times a second at most: here, of a target that sends 10,000 events a second.
  const judged = (asks) => () => {
    const judge = new Judge(foldAgentSuite.judging);
    for (const [i, event] of events.entries()) {
      judge.step(event);
      if (asks && i % 1000 === 0) openWait(judge, event.at, { longest: 150_000, spares: () => false });
    }
  };
  row(
    'judging a live flood, asking what is awaited',
    'judging alone',
    '≥ 0.8',
    pair(judged(true), judged(false), events.length),
    'events',
  );
  let sum = 0;
  const theirs = () => {
    for (const line of lines) sum += JSON.parse(line).seq;
  };
  row(
    'judging a recorded trace, parsing it, all 56 rules on',
    'JSON.parse of its lines',
    '≥ 0.5',
    pair(ours, theirs, lines.length),
    'events',
  );
  return sum;
}

async function storms() {
  const { playAgentStorm } = await import('../dist/conformance/fold/agent/storm/storm.js');
  const count = 2000;
  playAgentStorm({ from: 1, count: 200, onProgress: () => {} });
  const ms = time(() => playAgentStorm({ from: 1, count, onProgress: () => {} }));
  row(
    'simulated sessions with random faults',
    '10,000 in 60 s',
    '≥ 1',
    { ratio: count / (ms / 1000) / (10_000 / 60), rate: count / (ms / 1000) },
    'sessions',
  );
}

/** The command's start, whole processes in turn: what `--help` costs over `node -e 0`. */
function start() {
  const run =
    (...args) =>
    () =>
      void execFileSync(process.execPath, args, { stdio: 'ignore' });
  const [ours, theirs] = [run('dist/bin/wireproof.cjs', '--help'), run('-e', '0')];
  ours();
  theirs();
  const pairs = Array.from({ length: 15 }, () => [time(ours), time(theirs)]);
  const over = median(pairs.map(([a, b]) => a - b));
  rows.push({
    what: 'wireproof --help',
    peer: 'node -e 0',
    aim: '≤ + 20 ms',
    ratio: `+ ${over.toFixed(0)} ms`,
    ours: `${median(pairs.map(([a]) => a)).toFixed(0)} ms`,
  });
}

start();
await codec();
await judging();
await storms();
await toonRows({ row, pair });
await sepRows({ row, pair });
await sepExecutorRows({ row, pair });
await sepFeedRows({ row, pair });
await tokensRows({ row, pair }, rows);
await kodaCodecRows({ row, pair });
await kodaSocketRows(row);
await llmRows(row, rows);
await mockRows(row, rows);
await llmGatewayRows(row, rows);
await gatewayRows(await import('../dist/src/fold/index.js'), row);
process.stderr.write('\n');
const names = ['what', 'peer', 'aim', 'ratio', 'ours'];
const widths = names.map((name) => Math.max(name.length, ...rows.map((r) => r[name].length)));
const line = (cells) =>
  cells
    .map((cell, i) => cell.padEnd(widths[i]))
    .join('  ')
    .trimEnd();
console.log([line(names), ...rows.map((r) => line(names.map((n) => r[n])))].join('\n'));
