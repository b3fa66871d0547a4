// A one-way stream of Koda events over WebSocket: the kit's sender, from message to socket, against a bare `ws` server
// that sends the same texts. The sender is a process of its own; the reader is a bare client here.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

const count = 200_000;
const rounds = 7;

/** A sender in a process of its own, and its port. */
async function sender(mode) {
  const child = spawn(process.execPath, [resolve('.config/bench/koda-socket-child.mjs'), mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise((done) => createInterface({ input: child.stdout }).once('line', done));
  return { port, stop: () => child.kill() };
}

/** The milliseconds until `count` messages have come. */
async function stream({ port }) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await new Promise((done) => socket.once('open', done));
  let heard = 0;
  /** @type {Promise<void>} */
  const all = new Promise((done) => socket.on('message', () => ++heard === count && done()));
  const began = performance.now();
  socket.send(String(count));
  await all;
  const ms = performance.now() - began;
  socket.terminate();
  return ms;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The row of the stream. */
export async function kodaSocketRows(row) {
  const [ours, theirs] = [await sender('kit'), await sender('bare')];
  await stream(ours);
  await stream(theirs);
  const pairs = [];
  for (let i = 0; i < rounds; i++) pairs.push([await stream(ours), await stream(theirs)]);
  ours.stop();
  theirs.stop();
  const ratio = median(pairs.map(([a, b]) => b / a));
  const rate = count / (median(pairs.map(([a]) => a)) / 1000);
  row('Koda events one way over WebSocket', 'bare ws', '≥ 0.9', { ratio, rate }, 'messages');
}
