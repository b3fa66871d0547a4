// One honest request to a simulated server.
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { WebSocket } from 'ws';

/**
 * `size`: characters of the prompt. `hold`: the last byte comes later (ms). `body`: instead of a prompt.
 *
 * @param {number | string} port
 * @param {{ size?: number, hold?: number, headers?: Record<string, string>, path?: string, method?: string, body?: string }} [given]
 * @returns {Promise<{ status: number, ms: number }>} the status (0: none) and the time (ms)
 */
export function ask(
  port,
  { size = 0, hold = 0, headers = {}, path = '/v1/chat/completions', method = 'POST', body } = {},
) {
  const content = 'x'.repeat(size);
  const sent = body ?? JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
  const began = performance.now();
  return new Promise((done) => {
    const end = (status) => done({ status, ms: performance.now() - began });
    const options = {
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent), ...headers },
    };
    const out = request(options, (answer) => {
      answer.resume();
      answer.on('error', () => end(answer.statusCode));
      answer.on('close', () => end(answer.statusCode));
    });
    out.on('error', () => end(0));
    if (hold === 0) return void out.end(sent);
    out.write(sent.slice(0, -1));
    setTimeout(() => out.end(sent.slice(-1)), hold);
  });
}

/** One prompt to a simulated Koda engine. @returns the status (200: its turn ended) and the time (ms) */
export function prompt(port) {
  const began = performance.now();
  return new Promise((done) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    const end = (status) => {
      done({ status, ms: performance.now() - began });
      socket.terminate();
    };
    setTimeout(() => end(0), 5000).unref();
    socket.on('open', () => socket.send(JSON.stringify({ type: 'user_prompt', text: 'hello', images: [] })));
    socket.on('message', (/** @type {Buffer} */ data) => data.includes('"turn_end"') && end(200));
    socket.on('error', () => end(0));
    socket.on('close', () => end(0));
  });
}

/** A frame of TOON. `type`: 1 is INSTRUCTION. */
export function toonFrame(type, sequenceId, json) {
  const payload = Buffer.from(json);
  const head = Buffer.alloc(18);
  head[0] = 1;
  head[1] = type;
  head.writeUInt32LE(payload.length, 2);
  head.writeBigUInt64LE(BigInt(Date.now()), 6);
  head.writeUInt32LE(sequenceId, 14);
  return Buffer.concat([head, payload]);
}

/** One instruction to a simulated subagent. @returns the status (200: it answered) and the time (ms) */
export function instruct(port) {
  const began = performance.now();
  return new Promise((done) => {
    const socket = createConnection({ port: Number(port), host: '127.0.0.1' });
    const end = (status) => {
      done({ status, ms: performance.now() - began });
      socket.destroy();
    };
    socket.setTimeout(5000, () => end(0));
    socket.on('connect', () => socket.write(toonFrame(1, 0, '{"instruction":"hello"}')));
    socket.on('data', () => end(200));
    socket.on('error', () => end(0));
    socket.on('close', () => end(0));
  });
}
