// One request to a simulated provider.
import { request } from 'node:http';

/** `size`: characters of the prompt. `hold`: the last byte comes later (ms). @returns the status (0: none) and the time (ms) */
export function ask(port, { size = 0, hold = 0, headers = {}, ...given } = {}) {
  const content = 'x'.repeat(size);
  const body = given.body ?? JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
  const began = performance.now();
  return new Promise((done) => {
    const end = (status) => done({ status, ms: performance.now() - began });
    const options = {
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    };
    const out = request(options, (answer) => {
      answer.resume();
      answer.on('error', () => end(answer.statusCode));
      answer.on('close', () => end(answer.statusCode));
    });
    out.on('error', () => end(0));
    if (hold === 0) return void out.end(body);
    out.write(body.slice(0, -1));
    setTimeout(() => out.end(body.slice(-1)), hold);
  });
}
