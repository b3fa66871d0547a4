import { describe, expect, it } from 'vitest';
import { eventWords } from './event-words.ts';

describe('the words of an event', () => {
  it.each([
    [{ response: { request_id: 'r1', text: 'late' } }, 'response · text', '"late"'],
    [{ response: { request_id: 'r1', done: {} } }, 'response · done', ''],
    [{ tool_approval: { id: 'a', approved: true } }, 'tool_approval · approved', 'true'],
    [
      { send_message: { request_id: 'r1', sender: 'me', content: 'hi' } },
      'send_message',
      'sender "me", content "hi", request_id "r1"',
    ],
    [{ id: 'hello', op: 'toon.decode', hex: '00' }, 'toon.decode', 'hex "00", id "hello"'],
    [{ type: 'ping' }, 'ping', ''],
    [{ event: 'ping', data: { type: 'ping', n: 1 } }, 'ping', 'n 1'],
    [{ op: 'add', ok: { n: 1 } }, 'add', 'ok {"n":1}'],
    [
      { data: { id: 'a', model: 'm', created: 7, choices: [] } },
      'data',
      'choices [], id "a", model "m", created 7',
    ],
    [{ id: 'a', ok: { n: 1 } }, '', 'ok {"n":1}, id "a"'],
    [{}, 'message', ''],
  ])('a message %j', (data, name, rest) => {
    expect(eventWords('message', data, undefined)).toEqual({ name, rest });
  });

  it.each([
    [{ scenario: 'cancel', begin: true }, 'Scenario cancel', 'begins'],
    [{ scenario: 'cancel', outcome: 'done' }, 'Scenario cancel', 'done'],
    [
      { scenario: 'cancel', outcome: 'ended-early', reason: 'no done' },
      'Scenario cancel',
      'ended early: no done',
    ],
    [{ run: { drive: 'directive', timeouts: {} } }, 'The run begins', 'directive drive'],
    [{ end: true }, 'The trace ends', ''],
    [{ told: 'answered', peer: 'provider', detail: { status: 200 } }, 'provider answered', 'status 200'],
    [{ case: { name: 'c' } }, 'Kit', 'case {"name":"c"}'],
  ])('a mark %j', (data, name, rest) => {
    expect(eventWords('mark', data, undefined)).toEqual({ name, rest });
  });

  it('names its kind when it is no message, and adds its note', () => {
    expect(eventWords('end', { code: 0, message: '' }, undefined)).toEqual({
      name: 'end',
      rest: 'code 0, message ""',
    });
    expect(eventWords('half_close', undefined, undefined)).toEqual({ name: 'half close', rest: '' });
    expect(eventWords('undecodable', {}, 'no UTF-8')).toEqual({ name: 'undecodable', rest: 'no UTF-8' });
  });

  it('names an HTTP request by its method and path, and an answer by its status', () => {
    const asked = { ':carrier': 'http', ':method': 'POST', ':path': '/v1/messages', host: 'a' };
    expect(eventWords('open', asked, undefined)).toEqual({
      name: 'open · POST /v1/messages',
      rest: 'host "a"',
    });
    const answered = { server: 'b', ':status': '200', 'content-type': 'text/event-stream' };
    expect(eventWords('headers', answered, undefined)).toEqual({
      name: 'headers · 200',
      rest: 'text/event-stream, server "b"',
    });
  });

  it('are few when the data is long, or was cut', () => {
    expect(eventWords('message', { text: 'x'.repeat(999) }, undefined).rest).toHaveLength(161);
    expect(eventWords('message', '{"text":"x…', undefined)).toEqual({ name: '', rest: '{"text":"x…' });
  });
});
