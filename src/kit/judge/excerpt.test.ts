/** Excerpts show what was asked and what came (RequirementOutcome.excerpt: "the wire events around the violation"). */
import { describe, expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { excerpt } from './excerpt.ts';

const event = (seq: number, from: string, kind: TraceEvent['kind'], data: JsonObject): TraceEvent => ({
  ...{ seq, at: seq * 10, wire: 'w', conn: 'c', stream: 's1', from, kind, data },
  to: from === 'target' ? 'peer' : 'target',
});
const first = 'a36c6e94-1111-4222-8333-444444444444';
const alike = 'a36c6e94-1112-4222-8333-444444444444';

describe('ids', () => {
  it('are short, and the content stands before them', () => {
    const events = [event(0, 'target', 'message', { response: { request_id: first, text: 'late' } })];
    expect(excerpt(events, 0, [])).toEqual([
      '> #0 +0.000s s1 target → peer: response: {text: "late", request_id: a36c6e94…}',
    ]);
  });

  it('that begin alike differ in their short forms', () => {
    const events = [first, alike, first].map((request_id, i) =>
      event(i, 'target', 'message', { request_id }),
    );
    const ids = excerpt(events, 1, []).map((line) => line.split('request_id: ')[1]);
    expect(ids).toEqual(['a36c6e94-1111…', 'a36c6e94-1112…', 'a36c6e94-1111…']);
  });
});

describe('an HTTP exchange', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' }, country: { type: 'string' } } };
  const chunk = (text: string): JsonObject => ({ data: { id: 'chatcmpl-1', delta: { content: text } } });
  const events = [
    event(0, 'peer', 'open', {
      ':method': 'POST',
      ':path': '/v1/chat/completions',
      authorization: 'redacted:1',
    }),
    event(1, 'peer', 'message', {
      body: {
        model: 'm',
        messages: ['one', 'two', 'three'].map((content) => ({ role: 'user', content })),
        tools: [{ type: 'function', function: { name: 'get_weather', parameters: schema } }],
      },
    }),
    event(2, 'target', 'headers', { ':status': '200', date: 'today' }),
    ...Array.from({ length: 20 }, (_, i) => event(3 + i, 'target', 'message', chunk(`w${i} `))),
    event(23, 'target', 'end', { code: 0 }),
  ];
  const lines = excerpt(events, 23, []);

  it('shows the request: method, path, the last messages and the names of the tools', () => {
    expect(lines[0]).toBe('  #0 +0.000s s1 peer → target: POST /v1/chat/completions');
    expect(lines[1]).toContain('{role: "user", content: "three"}');
    expect(lines[1]).toContain('tools: [get_weather]');
    expect(lines[1]).not.toContain('properties');
  });

  it('shows the status, and the streamed text between as one', () => {
    expect(lines[2]).toContain('headers :status: "200"');
    expect(lines[3]).toMatch(/^ {2}… 16 more: "w0 w1 w2 .*w15 "$/u);
  });
});

it('long texts keep their begin and their end', () => {
  const [line = ''] = excerpt(
    [event(0, 'target', 'message', { text: `begin${'x'.repeat(5000)}end` })],
    0,
    [],
  );
  expect(line).toMatch(/"beginx+…x+end" \(5008 characters\)$/u);
  expect(line.length).toBeLessThan(250);
});

it('does not take the names of streamed events for their text', () => {
  const names = ['message_start', 'ping', 'content_block_start', 'content_block_stop', 'message_stop'];
  const streamed = names.map((name, i) =>
    event(i, 'target', 'message', { event: name, data: { type: name } }),
  );
  const lines = excerpt([...streamed, ...names.map((_, i) => event(5 + i, 'target', 'end', {}))], 9, [0]);
  expect(lines[1]).toBe('  … 4 more');
});

it('of what a simulated peer told shows the requests at fault, not only the marks', () => {
  const told = (seq: number, said: string, exchange: string, detail: JsonObject): TraceEvent => ({
    ...event(seq, 'kit', 'mark', { told: said, peer: 'provider', detail: { exchange, ...detail } }),
    stream: '',
  });
  const request = (seq: number, stream: string, content: string): TraceEvent => ({
    ...event(seq, 'target', 'message', { body: { messages: [{ role: 'user', content }] } }),
    stream,
  });
  const events = [
    request(0, 'hs1', 'asked'),
    told(1, 'request', 'hs1', { method: 'POST' }),
    { ...event(2, 'provider', 'message', { text: 'streamed' }), stream: 'hs1' },
    told(3, 'answered', 'hs1', { stop: 'max_tokens' }),
    { ...request(4, 'hs9', 'of another exchange') },
    request(5, 'hs2', 'the result of the call'),
    told(6, 'request', 'hs2', { method: 'POST' }),
  ];
  expect(excerpt(events, 6, [1])).toEqual([
    '> #0 +0.000s hs1 target → peer: body: {messages: [{role: "user", content: "asked"}]}',
    '  #1 +0.010s  kit: provider request method: "POST"',
    '  … 1 more',
    '  #3 +0.030s  kit: provider answered stop: "max_tokens"',
    '> #5 +0.050s hs2 target → peer: body: {messages: [{role: "user", content: "the result of the call"}]}',
    '  #6 +0.060s  kit: provider request method: "POST"',
  ]);
});

it.each([
  ['request', '>'],
  ['no request', ' '],
])('marks the request that a mark %s reports, by its member and not by its last word', (said, sign) => {
  const events = [
    { ...event(0, 'target', 'message', { body: { n: 1 } }), stream: 'hs1' },
    {
      ...event(1, 'kit', 'mark', { told: said, peer: 'provider', detail: { exchange: 'hs1' } }),
      stream: '',
    },
  ];
  expect(excerpt(events, 1, [])[0]).toBe(`${sign} #0 +0.000s hs1 target → peer: body: {n: 1}`);
});
