/** Servers of models, which the kit starts and checks. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { longTimeouts, program, wireproof } from '../run.test-helper.ts';

const url = (path: string): string => JSON.stringify(pathToFileURL(join(packageRoot(), 'dist', path)).href);

/**
 * The reference provider behind a proxy, on the port after `--port`. It refuses other keys and models than stated. With DRAIN
 * it reads answers to their end for clients that have left. With PROFILE it follows Open Responses.
 */
const server = program(
  'llm-server.mjs',
  `import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { serveScript } from ${url('src/llm/edge/index.js')};
import { openResponsesScript, serverScript } from ${url('conformance/llm/server/target.js')};
const { KEY, MODEL, LIE, DRAIN, PROFILE } = process.env;
const { port } = await serveScript({ script: PROFILE ? openResponsesScript : serverScript });
const proxy = createServer(async (from, to) => {
  const parts = [];
  for await (const part of from) parts.push(part);
  const body = Buffer.concat(parts);
  if (KEY && from.headers.authorization !== 'Bearer ' + KEY) return to.writeHead(401).end('{"error":{"message":"no key"}}');
  if (MODEL && from.method === 'POST' && ![MODEL, 'wireproof-no-such-model'].includes(JSON.parse(body).model))
    return to.writeHead(404).end('{"error":{"message":"no such model"}}');
  const up = request({ port, path: from.url, method: from.method, headers: from.headers }, (answer) => {
    to.writeHead(answer.statusCode, answer.headers);
    if (!LIE) return answer.pipe(to);
    answer.on('data', (data) => to.write(String(data).replaceAll('"finish_reason":"stop"', '"finish_reason":"eos"')));
    answer.on('end', () => to.end());
  });
  up.on('error', () => to.destroy());
  if (!DRAIN) to.on('close', () => up.destroy());
  up.end(body);
});
proxy.on('upgrade', (from, socket) => {
  const up = connect(port, '127.0.0.1', () => {
    const head = Object.entries(from.headers).map(([name, value]) => name + ': ' + value).join('\\r\\n');
    up.write('GET ' + from.url + ' HTTP/1.1\\r\\n' + head + '\\r\\n\\r\\n');
    up.pipe(socket).pipe(up);
  });
  socket.on('error', () => up.destroy());
  up.on('error', () => socket.destroy());
});
proxy.listen(Number(process.argv[process.argv.indexOf('--port') + 1]), '127.0.0.1');
`,
);

/** A server that refuses all requests. */
export const refusing: string = program(
  'refusing-server.mjs',
  `import { createServer } from 'node:http';
createServer((request, response) => {
  request.resume();
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: 'no key', type: 'auth', code: null, param: null } }));
}).listen(Number(process.argv[3]), '127.0.0.1');
`,
);

/** Checks a server that the kit starts. */
export async function checked(
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
  file: string = server,
): Promise<{ readonly code: number | null; readonly report: Report }> {
  const command = ['--', process.execPath, file, '--port', '{port}'];
  const { code, stdout } = await wireproof(
    ['check', 'llm/server', ...longTimeouts, '--report', 'json', '--trace', 'off', ...args, ...command],
    { env },
  );
  return { code, report: JSON.parse(stdout) as Report };
}

/** The rows that failed. */
export const failed = ({ requirements }: Report): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

/** The verdicts by requirement. */
export const verdicts = ({ requirements }: Report): { readonly [id: string]: string } =>
  Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));

/** The dialects of npm test, one over HTTP and one over WebSocket; the others are thorough. */
export const daily: readonly string[] = ['openai-chat', 'lmstudio'];

/** Holds that the reference provider is conformant in a dialect. */
export const holdConformantIn = (dialect: string): void =>
  it(`starts the server on {port}, and finds it conformant in ${dialect}`, async () => {
    const { code, report } = await checked(['--drive', dialect]);
    expect([failed(report), report.verdict, code]).toEqual([[], 'conformant', 0]);
  });
