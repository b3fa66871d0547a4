/** The recorder: one order of events, no secret in them (the design's "Trace"). */
import { describe, expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { VirtualClock, credentialIn } from './index.ts';
import type { WireEvent } from './index.ts';
import { Recorder } from './recorder.ts';
import type { RecorderOptions } from './recorder.ts';
import { simulatedRedact } from '../suite/simulated.ts';

const secrets: RecorderOptions['secrets'] = {
  metadata: ['authorization', 'x-ssh-*'],
  fields: ['mcp_token', 'secrets'],
  may: (message) => (message as { welcome?: unknown }).welcome !== undefined,
};

function recording(redact: RecorderOptions['redact'] = simulatedRedact): {
  recorder: Recorder;
  events: TraceEvent[];
  clock: VirtualClock;
  last(): TraceEvent;
} {
  const events: TraceEvent[] = [];
  const clock = new VirtualClock();
  const recorder = new Recorder({
    clock,
    wire: 'fold',
    secrets,
    redact,
    sink: (event) => events.push(event),
  });
  const last = (): TraceEvent => {
    const event = events.at(-1);
    if (event === undefined) throw new Error('no event');
    return event;
  };
  return { recorder, events, clock, last };
}

const link = { conn: 'c1', stream: 's1' };
const message = (
  data: JsonObject,
  more: { incoming?: boolean; note?: string; bytes?: Uint8Array } = {},
): WireEvent => ({
  ...{ ...link, kind: 'message', incoming: false, message: data, bytes: new Uint8Array([1, 2, 3]) },
  ...more,
});

describe('headers', () => {
  it('have no secret of a usual name, whatever the protocol lists, and their path has none in its query', () => {
    const { recorder, last } = recording((secret) => `<${secret.length}>`);
    const metadata = {
      ':path': '/v1/models?key=abc&alt=sse',
      cookie: 'abcd',
      'proxy-authorization': 'abcde',
      'api-key': 'abcdef',
      'x-auth-token': 'abcdefg',
      'x-goog-api-key': 'abcdefgh',
      'x-request-id': 'shown',
    };
    recorder.wire('gateway', { ...link, kind: 'headers', incoming: true, metadata });
    expect(last().data).toEqual({
      ':path': '/v1/models?key=<3>&alt=sse',
      cookie: '<4>',
      'proxy-authorization': '<5>',
      'api-key': '<6>',
      'x-auth-token': '<7>',
      'x-goog-api-key': '<8>',
      'x-request-id': 'shown',
    });
  });
});

describe('a muted recorder', () => {
  it('records the marks of the kit and nothing of a wire', () => {
    const { recorder, events } = recording();
    recorder.mute();
    recorder.wire('gateway', message({ a: 1 }));
    recorder.ping('c1', 'target', 'gateway');
    recorder.oversize('c1', 's1', 'gateway', 5, 4);
    recorder.mark({ end: true });
    expect(events.map(({ seq, kind }) => [seq, kind])).toEqual([[0, 'mark']]);
  });
});

describe('an event', () => {
  it('has the next number, the time in milliseconds, its wire, and who sent it to whom', () => {
    const { recorder, events, clock } = recording();
    recorder.mark({ scenario: 'x' });
    clock.after(12.34567, () => recorder.wire('gateway', message({ a: 1 }, { incoming: true })));
    clock.after(20, () => recorder.wire('gateway', message({ b: 2 })));
    clock.run(() => false);
    const from = { wire: 'fold', conn: 'c1', stream: 's1', kind: 'message' };
    expect(events).toEqual([
      {
        seq: 0,
        at: 0,
        wire: 'fold',
        conn: '',
        stream: '',
        from: 'kit',
        to: 'kit',
        kind: 'mark',
        data: { scenario: 'x' },
      },
      { seq: 1, at: 12.346, ...from, from: 'target', to: 'gateway', data: { a: 1 } },
      { seq: 2, at: 20, ...from, from: 'gateway', to: 'target', data: { b: 2 } },
    ]);
  });

  it('of every kind has the data that the design gives it', () => {
    const { recorder, events } = recording();
    const at = { ...link, incoming: true };
    recorder.wire('g', { ...at, kind: 'open', metadata: { k: 'v' } });
    recorder.wire('g', { ...at, kind: 'headers', metadata: {} });
    recorder.wire('g', {
      ...at,
      kind: 'undecodable',
      bytes: new Uint8Array([255]),
      note: 'why',
      code: 'bad',
    });
    recorder.wire('g', { ...at, kind: 'half_close' });
    recorder.wire('g', { ...at, kind: 'end', status: { code: 5, message: 'm' } });
    recorder.wire('g', { ...at, kind: 'reset' });
    recorder.wire('g', { ...at, kind: 'ping' });
    recorder.process(1, 'SIGTERM');
    const shown = events.map(({ kind, data, bytes, note }) => ({
      kind,
      data,
      ...(bytes && { bytes }),
      ...(note && { note }),
    }));
    expect(shown).toEqual([
      { kind: 'open', data: { k: 'v' } },
      { kind: 'headers', data: {} },
      { kind: 'undecodable', data: { code: 'bad' }, bytes: '/w==', note: 'why' },
      { kind: 'half_close', data: {} },
      { kind: 'end', data: { code: 5, message: 'm' } },
      { kind: 'reset', data: {} },
      { kind: 'ping', data: {} },
      { kind: 'process', data: { exit: 1, signal: 'SIGTERM' } },
    ]);
  });

  it('carries its bytes where decoding hid something, and its size where it is large', () => {
    const { recorder, last } = recording();
    recorder.wire('g', message({ a: 1 }));
    expect([last().bytes, last().size]).toEqual([undefined, undefined]);
    recorder.wire('g', message({ a: 1 }, { note: 'unknown field 31' }));
    expect([last().bytes, last().note]).toEqual(['AQID', 'unknown field 31']);
    recorder.wire('g', message({ a: 1 }, { bytes: new Uint8Array(65_535) }));
    expect(last().size).toBeUndefined();
    recorder.wire('g', message({ a: 1 }, { bytes: new Uint8Array(65_536) }));
    expect(last().size).toBe(65_536);
  });
});

describe('a secret', () => {
  const welcome = (token: string, secret: string): JsonObject => ({
    welcome: { agent_id: 'a', mcp_token: token, secrets: { key: secret, nested: secret } },
  });

  it('in metadata is redacted: authorization, and every key that begins with x-ssh-', () => {
    const { recorder, last } = recording();
    const metadata = {
      authorization: 'Bearer t',
      'x-ssh-nonce': 'n',
      'x-ssh': 'no',
      'user-agent': 'ua',
      'x-trace': '1',
    };
    recorder.wire('g', { ...link, incoming: true, kind: 'open', metadata });
    const { authorization, 'x-ssh-nonce': nonce, ...rest } = last().data as Record<string, string>;
    expect(authorization).toMatch(/^redacted:[0-9a-f]+$/);
    expect(nonce).toMatch(/^redacted:[0-9a-f]+$/);
    expect(rest).toEqual({ 'x-ssh': 'no', 'user-agent': 'ua', 'x-trace': '1' });
  });

  it('that the kit has given is one word wherever it stands, whatever stands before it', () => {
    const { events } = recording();
    const recorder = new Recorder({
      clock: new VirtualClock(),
      wire: 'llm',
      secrets: { metadata: [], fields: [], may: () => false, values: ['sk-of-the-kit-1'] },
      redact: simulatedRedact,
      sink: (event) => events.push(event),
    });
    const word = simulatedRedact('sk-of-the-kit-1');
    const metadata = {
      authorization: 'Bearer sk-of-the-kit-1',
      'x-other': 'is sk-of-the-kit-1',
      cookie: 'other',
    };
    recorder.wire('g', { ...link, incoming: true, kind: 'open', metadata });
    expect(events.at(-1)?.data).toEqual({
      authorization: `Bearer ${word}`,
      'x-other': `is ${word}`,
      cookie: simulatedRedact('other'),
    });
    recorder.wire('g', message({ error: { said: ['the key sk-of-the-kit-1 is wrong'] } }));
    expect(events.at(-1)?.data).toEqual({ error: { said: [`the key ${word} is wrong`] } });
    recorder.mark({ keys: { client: 'sk-of-the-kit-1' } });
    expect(events.at(-1)?.data).toEqual({ keys: { client: word } });
  });

  it('in a message is redacted wherever it stands, and nothing else is', () => {
    const { recorder, last } = recording();
    recorder.wire('g', message(welcome('top secret', 'other')));
    const text = JSON.stringify(last());
    expect(text).not.toMatch(/top secret|other/);
    expect(last().data).toMatchObject({
      welcome: { agent_id: 'a', secrets: { key: expect.stringMatching(/^redacted:/) as string } },
    });
  });

  it('is redacted to the same word if and only if it is the same', () => {
    const { recorder, last } = recording();
    const shown = (token: string, secret: string): string[] => {
      recorder.wire('g', message(welcome(token, secret)));
      const data = last().data as { welcome: { mcp_token: string; secrets: { key: string } } };
      return [data.welcome.mcp_token, data.welcome.secrets.key];
    };
    const [a, b] = shown('one', 'two');
    expect(a).not.toBe(b);
    expect(shown('two', 'one')).toEqual([b, a]);
    recorder.wire('g', { ...link, incoming: true, kind: 'open', metadata: { authorization: 'one' } });
    expect(last().data['authorization']).toBe(a);
  });

  it('leaves an event without bytes, whatever the note', () => {
    const { recorder, last } = recording();
    recorder.wire('g', message(welcome('t', 's'), { note: 'unknown field 31' }));
    expect(last().bytes).toBeUndefined();
    expect(last().note).toBe('unknown field 31');
  });

  it('does not change the message itself, which the peer still uses', () => {
    const { recorder } = recording();
    const data = welcome('t', 's');
    recorder.wire('g', message(data));
    expect(data).toEqual(welcome('t', 's'));
  });

  it('is shown when redaction is off', () => {
    const { recorder, last } = recording(undefined);
    const events: TraceEvent[] = [];
    const open = new Recorder({
      clock: new VirtualClock(),
      wire: 'fold',
      secrets,
      redact: undefined,
      sink: (e) => events.push(e),
    });
    open.wire('g', message(welcome('t', 's'), { note: 'n' }));
    expect(events[0]?.data).toEqual(welcome('t', 's'));
    expect(events[0]?.bytes).toBe('AQID');
    recorder.wire('g', message({ mcp_token: 'not in a welcome' }));
    expect(last().data).toEqual({ mcp_token: 'not in a welcome' });
  });
});

it('has no credential that the user gave, in any text, header or byte of a trace', () => {
  const key = 'sesame-open-sesame';
  const given = { SHORT: 'a', LONG: key };
  expect([credentialIn('LONG', '--token-env', given), credentialIn('SHORT', '--key-env', given)]).toEqual([
    key,
    'a',
  ]);
  const { recorder, events } = recording((secret) => `<${secret.length}>`);
  const bytes = Buffer.from(`\0${key}\xff`, 'latin1');
  recorder.wire('gateway', message({ result: { text: `it is ${key}, a key` } }));
  recorder.wire('gateway', { ...link, kind: 'headers', incoming: true, metadata: { 'x-other': key } });
  recorder.wire('gateway', { ...link, kind: 'undecodable', incoming: true, bytes, note: key, code: 'c' });
  recorder.mark({ said: [key] });
  expect(events.map(({ data, note }) => [data, note])).toEqual([
    [{ result: { text: 'it is <18>, a key' } }, undefined],
    [{ 'x-other': '<18>' }, undefined],
    [{ code: 'c' }, '<18>'],
    [{ said: ['<18>'] }, undefined],
  ]);
  expect(Buffer.from(events[2]?.bytes ?? '', 'base64').toString('latin1')).toBe('\0<18>\xff');
  // What a role keeps in its own class stays what it is.
  class Answer {
    readonly text = key;
    units(): number {
      return 1;
    }
  }
  recorder.wire('gateway', message(new Answer() as unknown as JsonObject));
  expect(events.at(-1)?.data).toBeInstanceOf(Answer);
});
