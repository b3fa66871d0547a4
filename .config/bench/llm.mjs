// The LLM streamer against a bare node:http server that writes the same bytes; its pacing with a thousand streams at
// once; and the reference client's decoding against the providers' own SDKs on the same bytes.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { failed } from './gateway.mjs';
import { pacing } from './llm-pacing.mjs';

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const folder = resolve('node_modules/.cache/wireproof-bench');
const tokens = 20_000;
const rounds = 7;

const script = (length, more = {}) => ({
  turns: [
    { times: 'always', steps: [{ text: { text: '', fill: { text: 'abc ', bytes: length * 4 } } }], ...more },
  ],
});

async function child(...args) {
  const process_ = spawn(process.execPath, [resolve('.config/bench/llm-child.mjs'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process_.on('exit', failed);
  const line = await new Promise((done) => createInterface({ input: process_.stdout }).once('line', done));
  return { ...JSON.parse(line), stop: () => process_.stdin.end() };
}

const asked = JSON.stringify({
  model: 'm',
  max_tokens: 1_000_000,
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
});

/** Asks once. @returns the body; `heard`: each chunk as it comes */
function ask(port, heard = (_chunk) => {}, path = '/v1/messages', body = asked) {
  return new Promise((done, failed) => {
    const call = request({
      port,
      path,
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json' },
    });
    call.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => {
        heard(chunk);
        chunks.push(chunk);
      });
      response.on('end', () => done(Buffer.concat(chunks)));
      response.on('error', failed);
    });
    call.on('error', failed);
    call.end(body);
  });
}

async function timed(run) {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/** Ours and theirs in turn. */
async function pairs(ours, theirs, units) {
  await ours();
  await theirs();
  const both = [];
  for (let i = 0; i < rounds; i++) both.push([await timed(ours), await timed(theirs)]);
  return { ratio: median(both.map(([a, b]) => b / a)), rate: units / (median(both.map(([a]) => a)) / 1000) };
}

async function streaming(row) {
  const file = join(folder, 'llm-script.json');
  writeFileSync(file, JSON.stringify(script(tokens)));
  const free = await child('ours', file);
  const traced = await child('traced', file);
  const recorded = join(folder, 'llm-body.txt');
  writeFileSync(recorded, await ask(free.port));
  const bare = await child('bare', recorded);
  row(
    'LLM streamer, events',
    'bare node:http, the same bytes',
    '≥ 0.8',
    await pairs(
      () => ask(free.port),
      () => ask(bare.port),
      tokens,
    ),
    'events',
  );
  row(
    'the same, with a trace',
    'bare node:http, the same bytes',
    '–',
    await pairs(
      () => ask(traced.port),
      () => ask(bare.port),
      tokens,
    ),
    'events',
  );
  for (const server of [free, traced, bare]) server.stop();
}

/** A server whose every answer is so many tokens, so far apart (ms). */
async function paced(mode, length, delay) {
  const file = join(folder, mode === 'ours' ? 'llm-paced.json' : 'llm-paced.txt');
  if (mode === 'ours') writeFileSync(file, JSON.stringify(script(length, { delay: `${delay}ms` })));
  else {
    const recording = join(folder, 'llm-unpaced.json');
    writeFileSync(recording, JSON.stringify(script(length)));
    const server = await child('ours', recording);
    writeFileSync(file, await ask(server.port));
    server.stop();
  }
  return child(mode, file, String(delay));
}

const bodyOf = async (port, path, body) =>
  ask(port, undefined, path, JSON.stringify({ model: 'm', stream: true, ...body }));
/** An answer whose body comes in the pieces in which a socket would give it. */
const response = (body, type) => async () =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < body.length; at += piece) controller.enqueue(body.subarray(at, at + piece));
        controller.close();
      },
    }),
    { headers: { 'content-type': type } },
  );
const piece = 65_536;
const user = [{ role: /** @type {const} */ ('user'), content: 'Hi' }];
const converse = [{ role: /** @type {const} */ ('user'), content: [{ text: 'Hi' }] }];

async function drain(stream) {
  let n = 0;
  for await (const _ of stream) n++;
  return n;
}

/** Each dialect's way to its body, and its own SDK's way through it. */
const sdks = {
  anthropic: {
    path: '/v1/messages',
    body: { max_tokens: 1_000_000, messages: user },
    read: async (body) =>
      drain(
        await new Anthropic({ apiKey: 'x', fetch: response(body, 'text/event-stream') }).messages.create({
          model: 'm',
          max_tokens: 1,
          stream: true,
          messages: user,
        }),
      ),
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: { messages: user },
    read: async (body) =>
      drain(
        await new OpenAI({ apiKey: 'x', fetch: response(body, 'text/event-stream') }).chat.completions.create(
          {
            model: 'm',
            stream: true,
            messages: user,
          },
        ),
      ),
  },
  'openai-responses': {
    path: '/v1/responses',
    body: { input: 'Hi' },
    read: async (body) =>
      drain(
        await new OpenAI({ apiKey: 'x', fetch: response(body, 'text/event-stream') }).responses.create({
          model: 'm',
          stream: true,
          input: 'Hi',
        }),
      ),
  },
  ollama: {
    path: '/api/chat',
    body: { messages: user },
    read: async (body) =>
      drain(
        await new Ollama({ fetch: response(body, 'application/x-ndjson') }).chat({
          model: 'm',
          stream: true,
          messages: user,
        }),
      ),
  },
  gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    async read(body) {
      const { fetch } = globalThis;
      // This SDK takes no fetch of its own.
      globalThis.fetch = response(body, 'text/event-stream');
      try {
        await drain(
          await new GoogleGenAI({ apiKey: 'x' }).models.generateContentStream({ model: 'm', contents: 'Hi' }),
        );
      } finally {
        globalThis.fetch = fetch;
      }
    },
  },
  bedrock: {
    path: '/model/m/converse-stream',
    body: { messages: converse },
    async read(body) {
      const { stream } = await new BedrockRuntimeClient({
        region: 'us-east-1',
        credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
        requestHandler: { handle: () => Promise.resolve({ response: eventStream(body) }) },
      }).send(new ConverseStreamCommand({ modelId: 'm', messages: converse }));
      await drain(stream ?? []);
    },
  },
};

/** An answer of Bedrock as its SDK's handler of requests gives it. */
const eventStream = (body) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/vnd.amazon.eventstream' },
  body: Readable.from(pieces(body)),
});

function* pieces(body) {
  for (let at = 0; at < body.length; at += piece) yield body.subarray(at, at + piece);
}

async function decoding(row) {
  const { dialectOf } = await import('../../dist/src/llm/index.js');
  const file = join(folder, 'llm-script.json');
  const server = await child('ours', file);
  for (const [name, { path, body, read }] of Object.entries(sdks)) {
    const bytes = await bodyOf(server.port, path, body);
    const ours = async () => {
      const decoder = dialectOf[name].decoder();
      for (const part of pieces(bytes)) decoder.push(part);
      const { response: whole, error } = decoder.end('clean');
      if (error !== undefined || whole.content.length !== tokens * 4)
        throw new Error(`${name}: ${error?.message}`);
    };
    row(
      `LLM client decode, ${name}`,
      `its SDK's stream`,
      '≥ 1.5',
      await pairs(ours, () => read(bytes), tokens),
      'events',
    );
  }
  server.stop();
}

export async function decodeRows(row) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'llm-script.json'), JSON.stringify(script(tokens)));
  await decoding(row);
}

export async function llmRows(row, rows) {
  mkdirSync(folder, { recursive: true });
  await streaming(row);
  await decoding(row);
  await pacing(rows, paced);
}
