/** A session with a provider, recorded and played again byte for byte. The provider is simulated. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { script } from '../../script/builder.ts';
import { simulateLlm } from '../simulate-llm.ts';
import { piecesIn } from './piece.ts';
import type { ReplayPacing } from './piece.ts';
import { readRecording } from './read-recording.ts';
import { recordLlm, replayLlm } from './serve.ts';
import type { LlmRecorder, LlmReplay } from './serve.ts';

const file = (): string => join(mkdtempSync(join(tmpdir(), 'wireproof-recording-')), 'session.json');

const key = 'sk-very-secret-key';
const bodies = {
  '/v1/messages': { model: 'm', max_tokens: 99, stream: true, messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/chat/completions': { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/responses': { model: 'm', stream: true, input: 'Hi' },
  '/api/chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
};

/** The status, the content type and the bytes of an answer. */
async function post(url: string, path: string, body: unknown): Promise<readonly unknown[]> {
  const response = await fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'x-api-key': key },
  });
  const bytes = Buffer.from(await response.arrayBuffer()).toString('hex');
  return [response.status, response.headers.get('content-type'), bytes];
}

const answering = script().text('Grüße 👋').toolCall('add', { a: 1 }).times('always');

async function recorderOf(built = answering, to = file()): Promise<LlmRecorder> {
  const real = await simulateLlm(built);
  const recorder = await recordLlm({ from: real.url, file: to });
  onTestFinished(async () => void (await Promise.all([recorder.close(), real.close()])));
  return recorder;
}

async function replayOf(path: string, pacing: ReplayPacing = {}): Promise<LlmReplay> {
  const replay = await replayLlm(readRecording(path), pacing);
  onTestFinished(() => replay.close());
  return replay;
}

describe('a recorded session', () => {
  it('is played again byte for byte, in every dialect on HTTP, without the provider', async () => {
    const path = file();
    const recorder = await recorderOf(answering, path);
    const first: unknown[] = [];
    for (const [at, body] of Object.entries(bodies)) first.push(await post(recorder.url, at, body));
    const replay = await replayOf(path);
    const second: unknown[] = [];
    for (const [at, body] of Object.entries(bodies)) second.push(await post(replay.url, at, body));
    expect(second).toEqual(first);
    expect([replay.unused, replay.unmatched]).toEqual([[], []]);
  });

  it('plays equal requests in their order, and the last one again', async () => {
    const path = file();
    const recorder = await recorderOf(script().text('one').turn().text('two'), path);
    const body = bodies['/api/chat'];
    const [one, two] = [
      await post(recorder.url, '/api/chat', body),
      await post(recorder.url, '/api/chat', body),
    ];
    const { url } = await replayOf(path);
    const played = [];
    for (let i = 0; i < 3; i++) played.push(await post(url, '/api/chat', body));
    expect(one).not.toEqual(two);
    expect(played).toEqual([one, two, two]);
  });

  it('has no key, also where the provider repeats it', async () => {
    const path = file();
    const error = { type: 'authentication', status: 401, message: `Incorrect API key provided: ${key}` };
    const { url } = await recorderOf(script().error(error), path);
    await post(url, `/v1/messages?key=${key}`, bodies['/v1/messages']);
    expect(readFileSync(path, 'utf8')).not.toContain(key);
    expect(readRecording(path).exchanges).toMatchObject([{ status: 401, path: '/v1/messages' }]);
  });

  it('plays a request that differs only in its system text', async () => {
    const path = file();
    const recorder = await recorderOf(answering, path);
    const said = await post(recorder.url, '/v1/messages', {
      ...bodies['/v1/messages'],
      system: 'It is Monday.',
    });
    const { url } = await replayOf(path);
    expect(await post(url, '/v1/messages', { ...bodies['/v1/messages'], system: 'It is Tuesday.' })).toEqual(
      said,
    );
  });

  it('does not keep an answer that broke off', async () => {
    const recorder = await recorderOf(
      script().text('one two three').with({ transport: 'reset', signal: 'missing' }),
    );
    await expect(post(recorder.url, '/v1/messages', bodies['/v1/messages'])).rejects.toThrow(
      /terminated|fetch failed/,
    );
    expect(recorder.exchanges).toEqual([]);
  });
});

/** The bytes of an answer in the pieces in which they came, and whether it ended in order. */
function pieces(url: string): Promise<{ readonly lengths: readonly number[]; readonly ended: boolean }> {
  return new Promise((resolve) => {
    const lengths: number[] = [];
    const call = request(`${url}/api/chat`, { method: 'POST', agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => lengths.push(chunk.length));
      response.on('error', () => {});
      response.on('close', () => resolve({ lengths, ended: response.complete }));
    });
    call.on('error', () => {});
    call.end(JSON.stringify(bodies['/api/chat']));
  });
}

describe('the pieces and times of a recording', () => {
  const paced = script().text('one two three four').with({ delay: '60ms' }).times('always');

  it('are kept, and played again', async () => {
    const path = file();
    const first = await pieces((await recorderOf(paced, path)).url);
    const [exchange] = readRecording(path).exchanges;
    const kept = [...piecesIn(exchange?.pieces ?? '')];
    expect(kept.length).toBeGreaterThan(4);
    const total = kept.reduce((sum, { pause }) => sum + pause, 0);
    expect(total).toBeGreaterThanOrEqual(200);
    const { url } = await replayOf(path);
    const from = performance.now();
    const second = await pieces(url);
    expect(performance.now() - from).toBeGreaterThanOrEqual(total - kept.length);
    // Pieces can join on their way, so only their sum and that there are several is sure.
    expect(sum(second.lengths)).toBe(sum(first.lengths));
    expect(second.lengths.length).toBeGreaterThan(1);
  });

  it('can be other ones, and the answer can break off', async () => {
    const path = file();
    const whole = sum((await pieces((await recorderOf(answering, path)).url)).lengths);
    const slow = await replayOf(path, { chunk: Math.ceil(whole / 3), delay: 50 });
    const from = performance.now();
    expect(sum((await pieces(slow.url)).lengths)).toBe(whole);
    expect(performance.now() - from).toBeGreaterThanOrEqual(147);
    const cut = await replayOf(path, { cut: 17 });
    expect(await pieces(cut.url)).toEqual({ lengths: [17], ended: false });
  });

  it('a recording without exchanges leaves no file', async () => {
    const path = file();
    await (await recordLlm({ from: 'http://127.0.0.1:1', file: path }))[Symbol.asyncDispose]();
    expect(existsSync(path)).toBe(false);
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('a request that is not recorded', () => {
  const other = { ...bodies['/v1/messages'], messages: [{ role: 'user', content: 'Bye' }] };

  it('is refused in the form of its dialect', async () => {
    const replay = await replayLlm({ wireproof: 'recording/1', exchanges: [] });
    onTestFinished(() => replay.close());
    const [status, , hex] = await post(replay.url, '/v1/messages', other);
    const body = Buffer.from(String(hex), 'hex').toString();
    expect([status, body]).toEqual([
      400,
      expect.stringMatching(/not in the recording: POST \/v1\/messages with 1 message, the last \\"Bye\\"/),
    ]);
    expect(replay.unmatched).toHaveLength(1);
  });

  it('is passed on where the user wants it', async () => {
    const real = await simulateLlm(answering);
    onTestFinished(() => real.close());
    const replay = await replayLlm({ wireproof: 'recording/1', exchanges: [] }, { passOn: real.url });
    onTestFinished(() => replay.close());
    expect((await post(replay.url, '/v1/messages', other)).slice(0, 2)).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(real.requests).toHaveLength(1);
  });
});

it('a recorder without its provider answers with 502', async () => {
  const recorder = await recordLlm({ from: 'http://127.0.0.1:1' });
  onTestFinished(() => recorder.close());
  const [status] = await post(recorder.url, '/v1/messages', bodies['/v1/messages']);
  expect([status, recorder.exchanges]).toEqual([502, []]);
});

it('another file is no recording', () => {
  expect(() => readRecording(join(import.meta.dirname, 'recording.ts'))).toThrow(/recording\.ts/);
  expect(() => readRecording('package.json')).toThrow(/expected a recording/);
});
