// Attacks on what reads foreign bytes: inputs whose reading could hold the process up.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.mjs';
import { hostile, run, start } from './kit.mjs';

const exitFault = ({ code }, expected) => (expected.includes(code) ? [] : [`exit ${code}`]);

/** The most time from TERM to the end (s). */
const mostEnd = 2;

/** Ends a command by TERM. @returns its figures, with a fault when it took long */
async function stopped(kit) {
  const began = performance.now();
  const ended = await kit.stop();
  const seconds = (performance.now() - began) / 1000;
  const wrong = seconds > mostEnd ? [`TERM took ${seconds.toFixed(1)} s`] : [];
  return { ...ended, wrong: [...wrong, ...exitFault(ended, [0, 1, 130])] };
}

/** A folder of files, and a manifest with a feed that reads it. */
function feeds() {
  const home = mkdtempSync(join(tmpdir(), 'wireproof-attack-'));
  for (let i = 0; i < 4000; i++) {
    const folder = join(home, 'tree', `d${i % 40}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i}.ts`), '');
  }
  const manifest = join(home, 'manifest.yaml');
  const feed = (id, source) => ({ id, type: 'on_demand', source: { type: 'internal', ...source } });
  const files = feed('files', { action: 'files', params: { root: join(home, 'tree') } });
  writeFileSync(
    manifest,
    JSON.stringify({ context_feeds: [files, feed('clock', { action: 'system_clock' })] }),
  );
  return { home, manifest };
}

/** Patterns of a feed's files whose comparison is long, with an honest client beside. */
const globs = (name, pattern) => ({
  name: `simulate sep/feeds: ${name}`,
  tries: 5,
  async attack() {
    const { home, manifest } = feeds();
    const kit = start(
      ['simulate', 'sep/feeds', '--manifest', manifest, '--listen', '127.0.0.1:0', '--quiet'],
      { limit: 100 },
    );
    const [, port] = await kit.line(/127\.0\.0\.1:(\d+)/);
    const body = JSON.stringify({ params: { include: Array(56).fill(pattern) } });
    for (let i = 0; i < 5; i++) void ask(port, { path: '/feeds/files', body });
    const waits = [];
    for (const until = performance.now() + 3000; performance.now() < until; await sleep(20)) {
      const { status, ms } = await ask(port, { method: 'GET', path: '/feeds/clock', body: '' });
      waits.push(status === 200 ? ms : Infinity);
    }
    const wait = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)];
    const ended = await stopped(kit);
    rmSync(home, { recursive: true });
    if (wait > 500) ended.wrong.push(`an honest request took ${Math.round(wait)} ms`);
    return { ...ended, wait };
  },
});

/** A long output of a model. */
const output = (kind, count) => ({
  name: `simulate sep/executor: ${count} ${kind}`,
  tries: 1,
  async attack() {
    const ended = await run(['simulate', 'sep/executor', '--json'], {
      input: ['readers-input.mjs', kind, String(count)],
    });
    return { ...ended, wrong: exitFault(ended, [0]) };
  },
});

/** The same, ended by TERM while it is read. */
const interrupted = (kind, count) => ({
  name: `simulate sep/executor: TERM while ${count} ${kind} come`,
  tries: 1,
  async attack() {
    const kit = start(['simulate', 'sep/executor', '--json'], {
      input: ['readers-input.mjs', kind, String(count)],
    });
    await sleep(1500);
    return stopped(kit);
  },
});

/** An engine that sends events without end to a simulated client. */
const engine = (kind) => ({
  name: `simulate koda/client: ${kind} without end`,
  tries: 1,
  async attack() {
    const target = ['--', process.execPath, hostile('koda-engine.mjs'), kind];
    const kit = start([
      'simulate',
      'koda/client',
      '--carrier',
      'stdio',
      '--quiet',
      '--prompt',
      'hi',
      ...target,
    ]);
    await sleep(8000);
    return stopped(kit);
  },
});

/** A file that is no report. */
const report = (name, text) => ({
  name: `report merge: ${name}`,
  tries: 1,
  async attack() {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-attack-'));
    const file = join(folder, 'shard.json');
    writeFileSync(file, text());
    const ended = await run(['report', 'merge', file, file]);
    rmSync(folder, { recursive: true });
    return { ...ended, wrong: exitFault(ended, [2]) };
  },
});

/** The rows of the attack table. */
export const readers = [
  globs('patterns of many names', `d*/${'zz/'.repeat(332)}`),
  globs('patterns of many stars', `*/${'*f'.repeat(490)}`),
  output('less', 5_000_000),
  output('actions', 100_000),
  interrupted('less', 12_000_000),
  interrupted('actions', 200_000),
  ...['keys', 'lists', 'lines', 'tiny'].map(engine),
  report('a million levels', () => '['.repeat(1_000_000) + ']'.repeat(1_000_000)),
  report(
    'many keys',
    () => `{"wireproof":"report/1",${Array.from({ length: 500_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  ),
];
