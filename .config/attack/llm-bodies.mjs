// Sends large requests to a simulated provider: many in a row, or many at once.
import { request } from 'node:http';

/** One request. @returns its status and its time (ms) */
export function ask(port, { size = 0, path = '/v1/chat/completions', hold = 0 } = {}) {
  const content = 'x'.repeat(size);
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
  const began = performance.now();
  return new Promise((done) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const out = request({ port, host: '127.0.0.1', method: 'POST', path, headers }, (answer) => {
      answer.resume();
      answer.on('close', () => done({ status: answer.statusCode, ms: performance.now() - began }));
    });
    out.on('error', () => done({ status: 0, ms: performance.now() - began }));
    if (hold === 0) return void out.end(body);
    out.write(body.slice(0, -1));
    setTimeout(() => out.end(body.slice(-1)), hold);
  });
}
