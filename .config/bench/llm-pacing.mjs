// A thousand streams at once, 50 tokens a second each: how late tokens come, against the first of their stream. The
// connections are there before the clock starts (Node takes one a turn of its loop, whoever serves); requests come
// within a second, and are read off bare sockets: what measures must not be what is slow.
import { connect } from 'node:net';

const streams = 1000;
/** Tokens of a stream, and the milliseconds between two. */
const each = 200;
const delay = 20;
const arriving = 1000;

const mark = Buffer.from('"text_delta"');
const body = JSON.stringify({
  model: 'm',
  max_tokens: 1_000_000,
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
});
const request =
  'POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n' +
  `content-length: ${body.length}\r\n\r\n${body}`;

/** One stream on a connection of its own. */
class Stream {
  #first;
  #seen = 0;
  #done;
  #socket;

  /** @param late where each token's lateness is kept (ms) */
  async open(port, buffer, late) {
    /** @type {Promise<void>} */
    const open = new Promise((opened, failed) => {
      const callback = (bytes) => {
        this.#read(buffer.subarray(0, bytes), late);
        return true;
      };
      this.#socket = connect({ host: '127.0.0.1', port, onread: { buffer, callback } }, opened);
      this.#socket.on('error', failed);
    });
    await open;
  }

  #read(chunk, late) {
    const now = performance.now();
    for (let at = chunk.indexOf(mark); at !== -1; at = chunk.indexOf(mark, at + 1)) {
      this.#first ??= now;
      late.push(now - this.#first - this.#seen++ * delay);
    }
    if (this.#seen === each) this.#done();
  }

  /** Asks after `ms`, and waits for all tokens. */
  async play(ms) {
    await new Promise((begun) => setTimeout(begun, ms));
    await new Promise((done) => {
      this.#done = done;
      this.#socket.write(request);
    });
    this.#socket.destroy();
  }
}

/** @returns the lateness that 99 of 100 tokens stay under (ms) */
async function lateness(port) {
  const late = [];
  const buffer = Buffer.alloc(1 << 16);
  const all = Array.from({ length: streams }, () => new Stream());
  for (const stream of all) await stream.open(port, buffer, late);
  await Promise.all(all.map((stream, i) => stream.play((arriving * i) / streams)));
  return late.toSorted((a, b) => a - b)[Math.floor(late.length * 0.99)];
}

/** @param start starts the streamer, or a bare server, with so many tokens so far apart (ms) */
export async function pacing(rows, start) {
  const measured = {};
  for (const mode of ['bare', 'ours']) {
    const server = await start(mode, each, delay);
    measured[mode] = await lateness(server.port);
    server.stop();
  }
  rows.push({
    what: '1,000 streams at 50 tokens/s: late by, p99',
    peer: `bare node:http: ${measured.bare.toFixed(0)} ms`,
    aim: '< 20 ms',
    ratio: '',
    ours: `${measured.ours.toFixed(0)} ms`,
  });
}
