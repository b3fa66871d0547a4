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
