/** What recorded answers have that the lists do not: the words of spec/llm/words, and the shapes of the vectors and scripts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { textOfTrace } from '../../../src/kit/spec/index.ts';
import { frameUnit } from '../../../src/llm/index.ts';
import type { DriftFinding } from '../../../src/kit/suite/index.ts';
import { listedDialects, listOf } from '../words/lists.ts';
import { llmDrift } from './index.ts';
import { readerOf } from './place.ts';
import { vocabularyOf } from './vocabulary.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-drift-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The events of an answer of Anthropic, with `extra` behind the text block. */
const messages = (extra: readonly JsonObject[] = []): readonly JsonObject[] => [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
  { type: 'content_block_stop', index: 0 },
  ...extra,
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 3 },
  },
  { type: 'message_stop' },
];

const sse = (events: readonly JsonObject[]): string =>
  events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const stream = (body: string, path = '/v1/messages'): object => ({
  method: 'POST',
  path,
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body,
});

function recording(name: string, ...exchanges: readonly object[]): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ wireproof: 'recording/1', exchanges }));
  return file;
}

const short = ({ news, kind, text, note }: DriftFinding): string =>
  [news, kind, text, note].filter((part) => part !== undefined).join(' | ');

const findings = async (
  files: readonly string[],
  known: readonly string[] = [],
): Promise<readonly string[]> => (await llmDrift(files, known)).findings.map(short);

/** A block of next year, without deltas. */
const tomorrow: readonly JsonObject[] = [
  { type: 'content_block_start', index: 1, content_block: { type: 'hologram', url: 'x' } },
  { type: 'content_block_stop', index: 1 },
];

describe('drift', () => {
  it('finds nothing in what this revision plays and expects', async () => {
    expect(await findings([recording('plain.json', stream(sse(messages())))])).toEqual([]);
  });

  it('finds a word that no list has, with its place', async () => {
    const file = recording('new.json', stream(sse(messages())), stream(sse(messages(tomorrow))));
    const { findings: found, answers } = await llmDrift([file], []);
    expect(answers).toEqual({ anthropic: 2 });
    const [word] = found.filter(({ news }) => news === 'word');
    expect(word).toEqual({
      ...{ news: 'word', dialect: 'anthropic', kind: 'block', text: 'hologram', count: 1 },
      first: { file, exchange: 'exchange 2', unit: 5 },
    });
  });

  it('finds a stop word, a member of usage and a word of a body', async () => {
    const body = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null },
      content: [{ type: 'text', text: 'Hi.' }],
      stop_reason: 'out_of_energy',
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        joules: 7,
        cache_creation: { ephemeral_9h_input_tokens: 0 },
      },
    };
    const file = recording('body.json', {
      ...stream(JSON.stringify(body)),
      headers: { 'content-type': 'application/json' },
    });
    const words = (await findings([file])).filter((one) => one.startsWith('word'));
    expect(words).toEqual([
      'word | stop | out_of_energy',
      'word | usage | joules',
      'word | usage | cache_creation.ephemeral_9h_input_tokens',
    ]);
  });

  it('tells beta words apart, with what the kit does', async () => {
    const beta = listOf('anthropic').words.find(({ kind, stage }) => kind === 'block' && stage === 'beta');
    const block = { type: 'content_block_start', index: 1, content_block: { type: beta?.word ?? '' } };
    const found = await findings([recording('beta.json', stream(sse(messages([block, tomorrow[1] ?? {}]))))]);
    expect(found[0]).toMatch(
      new RegExp(`^beta \\| block \\| ${beta?.word} \\| since ${beta?.since}; the kit `),
    );
  });

  it('finds an order and members that no other recording has, and none that one has', async () => {
    const [start, ...rest] = messages();
    const odd: readonly JsonObject[] = [
      start ?? {},
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', mood: 'calm' } },
      ...rest.slice(2),
    ];
    const file = recording('odd.json', stream(sse(odd)));
    expect(await findings([file])).toEqual([
      'order | content_block_start text → content_block_stop',
      'members | block | text | with mood',
    ]);
    expect(await findings([file], [recording('before.json', stream(sse(odd)))])).toEqual([]);
    expect(await findings([file, recording('too.json', stream(sse(odd)))])).toEqual([]);
  });

  it('reads compressed bodies, and says which cannot be read', async () => {
    const base64 = gzipSync(sse(messages(tomorrow))).toString('base64');
    const headers = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' };
    const { body: _, ...bare } = { body: '', ...stream('') };
    const file = recording('gzip.json', { ...bare, headers, base64 }, { ...bare, headers, base64: 'AAAA' });
    const { findings: found, unread } = await llmDrift([file], []);
    expect(found.map(short)).toContain('word | block | hologram');
    expect(unread).toEqual([`${file}, exchange 2: expected a body in gzip; it cannot be decompressed`]);
  });

  it('passes over what asks no model, and takes what came before a fault', async () => {
    const broken = `${sse(messages(tomorrow).slice(0, 5))}data: {\n\n`;
    const file = recording('broken.json', stream('{}', '/v1/models'), stream(broken));
    const { findings: found, unread, answers } = await llmDrift([file], []);
    expect(answers).toEqual({ anthropic: 1 });
    expect(found.map(short)).toContain('word | block | hologram');
    expect(unread).toEqual([`${file}, exchange 2: expected JSON; came "{"`]);
  });

  it('reads the chunks of Gemini, as events and as an array', async () => {
    const chunk = {
      candidates: [{ content: { parts: [{ text: 'Hi' }], role: 'model' }, finishReason: 'TIRED', index: 0 }],
    };
    const path = '/v1beta/models/m:streamGenerateContent';
    const events = stream(`data: ${JSON.stringify(chunk)}\r\n\r\n`, `${path}?alt=sse`);
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    const array = { ...stream(JSON.stringify([chunk, chunk]), path), headers };
    const { findings: found, answers } = await llmDrift([recording('gemini.json', events, array)], []);
    expect(answers).toEqual({ gemini: 2 });
    const [word] = found.filter(({ news }) => news === 'word');
    expect(word).toMatchObject({ kind: 'stop', text: 'TIRED', count: 3 });
  });

  it('reads the binary events of Bedrock', async () => {
    const units = [
      { event: 'messageStart', data: { role: 'assistant' } },
      { event: 'contentBlockDelta', data: { contentBlockIndex: 0, delta: { hologram: 'Hi' } } },
      { event: 'contentBlockFold', data: { contentBlockIndex: 0 } },
      { event: 'messageStop', data: { stopReason: 'tired' } },
    ];
    const frames = units.map((unit) => frameUnit('eventstream', unit, 'lf'));
    const answer = (bytes: Uint8Array): object => ({
      method: 'POST',
      path: '/model/m/converse-stream',
      status: 200,
      headers: { 'content-type': 'application/vnd.amazon.eventstream' },
      base64: Buffer.from(bytes).toString('base64'),
    });
    const whole = Buffer.concat(frames);
    const changed = whole.map((byte, i) => (i === whole.length - 1 ? ~byte : byte));
    const file = recording('bedrock.json', answer(whole), answer(changed));
    const { findings: found, unread, answers } = await llmDrift([file], []);
    expect(answers).toEqual({ bedrock: 2 });
    const words = found.filter(({ news }) => news === 'word').map(short);
    expect(words).toEqual([
      'word | delta | hologram',
      'word | event | contentBlockFold',
      'word | stop | tired',
    ]);
    expect(unread).toEqual([expect.stringContaining(`${file}, exchange 2: expected the message checksum`)]);
  });

  it('reads the answers in a trace', async () => {
    const file = join(folder, 'trace.jsonl');
    const sides = { wire: 'llm', conn: 'c1', stream: 's1' };
    const asked = { ...sides, from: 'target', to: 'provider' };
    const answered = { ...sides, from: 'provider', to: 'target' };
    const parts = [
      { ...asked, kind: 'open', data: { ':method': 'POST', ':path': '/v1/messages' } },
      { ...asked, kind: 'message', data: { body: { model: 'm' } } },
      { ...answered, kind: 'headers', data: { ':status': '200', 'content-type': 'text/event-stream' } },
      ...messages(tomorrow).map((data) => ({ ...answered, kind: 'message' as const, data: { data } })),
      { ...answered, kind: 'end', data: { code: 0, message: '' } },
    ] as const;
    const events = parts.map((part, seq): TraceEvent => ({ seq, at: seq, ...part }));
    const header = {
      suite: 'llm/client',
      revision: '2026-11',
      seed: '1',
      scenario: 'x',
      target: 't',
      started: 0,
    };
    writeFileSync(file, textOfTrace({ wireproof: 'trace/1', ...header }, events));
    const { findings: found } = await llmDrift([file], []);
    expect(found[0]).toMatchObject({
      news: 'word',
      text: 'hologram',
      first: { exchange: 'stream s1', unit: 5 },
    });
  });

  it('is bounded where each unit has a new word', async () => {
    const many = Array.from({ length: 25_000 }, (_, i) => ({ type: `event_${i}` }));
    const { findings: found, lost } = await llmDrift([recording('many.json', stream(sse(many)))], []);
    expect(found.filter(({ news }) => news === 'word').length).toBeLessThanOrEqual(20_000);
    expect(lost).toBeGreaterThan(5000);
  });
});

describe('the places of words', () => {
  it.each([
    ['type', { type: 'a' }, ['a']],
    ['a.b[].c', { a: { b: [{ c: 'x' }, null, { c: 1 }, { c: 'y' }] } }, ['x', 'y']],
    ['usage{}', { usage: { tokens: 1, details: { cached: 2 } } }, ['tokens', 'details', 'details.cached']],
    ['{}', { done: true }, ['done']],
    ['a.b', [], []],
  ])('at %s of %j are %j', (at, value, words) => {
    expect(readerOf({ kind: 'k', at })(value).map(({ word }) => word)).toEqual(words);
  });

  it('name kinds that their list has', () => {
    const wrong = listedDialects.flatMap((dialect) => {
      const { words, places = [] } = listOf(dialect);
      const kinds = new Set(words.map(({ kind }) => kind));
      return places.flatMap(({ kind, at }) =>
        kinds.has(kind) ? [] : `${dialect}: ${at} has the kind ${kind}`,
      );
    });
    expect(wrong).toEqual([]);
  });

  it('keep no word for a member of an object that is not listed', () => {
    expect(vocabularyOf('ollama').lists('line', 'message')).toBe(false);
    expect(vocabularyOf('anthropic').lists('usage', 'cache_creation')).toBe(true);
  });
});
