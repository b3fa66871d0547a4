/** Recorders and replays with hostile clients, hostile providers, and files that cannot be played. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { script } from '../../script/builder.ts';
import { simulateLlm } from '../simulate-llm.ts';
import { isRecording, readRecording } from './read-recording.ts';
import type { RecordedExchange } from './recording.ts';
import { RecordingFile } from './recording-file.ts';
import { recordLlm, replayLlm } from './serve.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'wireproof-recording-'));

const exchange: RecordedExchange = {
  method: 'POST',
  path: '/api/chat',
  request: { model: 'm' },
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"a":["ü",\n1]}',
};

/** What a raw request gets until the connection closes. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let came = '';
    socket.on('data', (bytes: Buffer) => (came += bytes.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(came));
    socket.write(text);
  });
}

/** A provider that answers every request with these bytes, and closes. */
async function provider(answer: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function recorderOf(from: string, file?: string): Promise<Awaited<ReturnType<typeof recordLlm>>> {
  const recorder = await recordLlm({ from, ...(file === undefined ? {} : { file }) });
  onTestFinished(() => recorder.close().catch(() => {}));
  return recorder;
}

const asks = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`;

describe('a recorder', () => {
  it('answers hostile request lines, and records on', async () => {
    const recorder = await recorderOf(await provider('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    const lines = ['OPTIONS * HTTP/1.1', 'GET a://x/ HTTP/1.1', 'GET http://localhost/x HTTP/1.1'];
    const statuses = [];
    for (const line of lines)
      statuses.push((await raw(recorder.url, asks('/').replace('GET / HTTP/1.1', line))).slice(9, 12));
    expect(statuses).toEqual(['400', '400', '200']);
    expect(recorder.exchanges.map(({ path }) => path)).toEqual(['/x']);
  });

  it.each([
    ['a status below 200', 'HTTP/1.1 042 Odd\r\ncontent-length: 0\r\n\r\n', 'came status 42'],
    [
      'a change of protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'came status 101',
    ],
    ['no answer', '', 'cannot be reached'],
    ['garbage', 'nonsense\r\n\r\n', 'cannot be reached'],
  ])('passes on 502 where a provider gives %s', async (_, answer, why) => {
    const recorder = await recorderOf(await provider(answer));
    const response = await fetch(recorder.url);
    expect([response.status, await response.text()]).toEqual([502, expect.stringContaining(why)]);
    expect(recorder.count).toBe(0);
  });

  it('passes an answer on that is too large to be kept', async () => {
    const size = 33 << 20;
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`;
    const recorder = await recorderOf(await provider(head + 'x'.repeat(size)));
    const body = await (await fetch(recorder.url)).arrayBuffer();
    expect([body.byteLength, recorder.count]).toEqual([size, 0]);
  });

  it('goes on where its folder is gone, and fails at its end', async () => {
    const real = await simulateLlm(script().text('Hello.').times('always'));
    onTestFinished(() => real.close());
    const at = folder();
    const problems: string[] = [];
    const file = join(at, 'session.json');
    const recorder = await recordLlm({ from: real.url, file, onProblem: (one) => problems.push(one) });
    rmSync(at, { recursive: true });
    for (let i = 0; i < 2; i++) expect((await fetch(`${recorder.url}/health`)).status).toBe(200);
    expect(problems).toEqual([expect.stringContaining('the file is gone')]);
    await expect(recorder.close()).rejects.toMatchObject({ code: 'environment' });
  });

  it('refuses a provider that is no URL', async () => {
    await expect(recordLlm({ from: 'nonsense' })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('the file of a recording', () => {
  it('is one JSON document after each exchange, in the form that it always had, and only its owner may read it', () => {
    const path = join(folder(), 'new', 'session.json');
    const file = new RecordingFile(path);
    for (let count = 0; count < 4; count++) {
      const exchanges = Array.from({ length: count }, () => exchange);
      const text = JSON.stringify({ wireproof: 'recording/1', exchanges }, null, 1);
      expect(readFileSync(path, 'utf8')).toBe(`${text}\n`);
      file.add(exchange);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    file.close();
  });

  it('ends at its bound, and stays a recording', () => {
    const path = join(folder(), 'session.json');
    const file = new RecordingFile(path, 700);
    for (let i = 0; i < 10; i++) file.add(exchange);
    file.close();
    expect([file.problem, file.isLost]).toEqual([expect.stringContaining('more than 700 bytes'), false]);
    expect(readRecording(path).exchanges).toHaveLength(file.count);
    expect(statSync(path).size).toBeLessThanOrEqual(700);
  });

  it('is no directory', () => {
    const path = join(folder(), 'session.json');
    mkdirSync(path);
    expect(() => new RecordingFile(path)).toThrow(/session\.json/);
  });
});

describe('a replay of a wrong file', () => {
  it.each([
    [{ status: 0 }, /exchanges\[1\]\.status: expected a number from 200 to 999; came 0/],
    [{ status: 200.5 }, /\.status: .* came 200.5/],
    [{ headers: { 'x-a': 'b\r\nc: d' } }, /\.headers\["x-a"\]: .*came "b\\r\\nc: d"/],
    [{ headers: { 'x a': 'b' } }, /\.headers\["x a"\]/],
    [{ headers: { a: 1 } }, /\.headers\["a"\]: .*came 1/],
    [{ headers: [] }, /\.headers: expected an object; came \[\]/],
    [{ body: { a: 1 } }, /\.body: expected a string; came \{"a":1\}/],
    [{ base64: '%' }, /\.base64: expected a string of base64; came "%"/],
    [{ method: 7 }, /\.method: .*came 7/],
    [{ path: 'x' }, /\.path: .*came "x"/],
  ])('is refused when it is read: %j', (change, expected) => {
    const path = join(folder(), 'session.json');
    const exchanges = [exchange, { ...exchange, ...change }];
    writeFileSync(path, JSON.stringify({ wireproof: 'recording/1', exchanges }));
    expect(isRecording(path)).toBe(true);
    expect(() => readRecording(path)).toThrow(expected);
  });

  it('that is too large is refused with its size', () => {
    const path = join(folder(), 'session.json');
    writeFileSync(path, '{"wireproof":"recording/1","exchanges":[');
    // A hole takes no room on the disk.
    truncateSync(path, 300 << 20);
    expect(() => readRecording(path)).toThrow(/314572800 bytes; expected a recording of at most 268435456/);
  });
});

it('a replay answers with its body byte for byte, in text or in bytes, whatever its size', async () => {
  const text = `${'x'.repeat((1 << 14) - 1)}👋${'ü'.repeat(100_000)}`;
  const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, i) => i % 256));
  const exchanges: RecordedExchange[] = [
    { method: 'GET', path: '/text', status: 200, headers: {}, body: text },
    { method: 'GET', path: '/bytes', status: 200, headers: {}, base64: bytes.toString('base64') },
  ];
  const replay = await replayLlm({ wireproof: 'recording/1', exchanges });
  onTestFinished(() => replay.close());
  expect(await (await fetch(`${replay.url}/text`)).text()).toBe(text);
  const played = Buffer.from(await (await fetch(`${replay.url}/bytes`)).arrayBuffer());
  expect(played.equals(bytes)).toBe(true);
});
