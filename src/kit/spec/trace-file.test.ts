/** Trace files: read line by line, refused with file and line ("Trace" in the design). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WireproofError } from '../base/index.ts';
import type { TraceEvent, TraceHeader } from '../base/index.ts';
import { beginTrace, parseEvent, parseHeader, readTrace } from './trace-file.ts';
import type { TraceEnd } from './trace-file.ts';

const header: TraceHeader = {
  ...{ wireproof: 'trace/1', suite: 'fold/agent', revision: '2026-01-19', seed: '7' },
  ...{ scenario: 'plain', target: 'reference', started: 0 },
};
const event = (seq: number, more: object = {}): object => ({
  ...{
    seq,
    at: seq,
    wire: 'fold',
    conn: 'c1',
    stream: 's1',
    from: 'target',
    to: 'gateway',
    kind: 'message',
    data: {},
  },
  ...more,
});

const folder = mkdtempSync(join(tmpdir(), 'wireproof-trace-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a file of these lines; what it gave. */
async function read(
  ...lines: readonly (string | object)[]
): Promise<{ headers: TraceHeader[]; events: TraceEvent[] }> {
  const file = join(folder, 't.jsonl');
  writeFileSync(
    file,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  const headers: TraceHeader[] = [];
  const events: TraceEvent[] = [];
  await readTrace(
    file,
    (h) => headers.push(h),
    (e) => events.push(e),
  );
  return { headers, events };
}

async function refusal(...lines: readonly (string | object)[]): Promise<string> {
  try {
    await read(...lines);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(WireproofError);
    expect((error as WireproofError).code).toBe('usage');
    return (error as WireproofError).message;
  }
}

describe('a trace', () => {
  it('is a header and its events, in order', async () => {
    const events = [
      event(0),
      event(1, { at: 0.5, bytes: 'AQID', note: 'n' }),
      event(2, { kind: 'mark', from: 'kit', data: { end: true } }),
    ];
    const given = await read(header, ...events.map((e, i) => (i === 0 ? { ...e, at: 0 } : e)), '');
    expect(given.headers).toEqual([header]);
    expect(given.events.map((e) => e.seq)).toEqual([0, 1, 2]);
    expect(given.events[1]).toEqual(events[1]);
  });

  it('may end without a line break, or have Windows ones', async () => {
    expect((await read(header, event(0))).events.length).toBe(1);
    const windows = [header, event(0), event(1)].map((line) => JSON.stringify(line)).join('\r\n');
    expect((await read(windows)).events.length).toBe(2);
  });

  it('keeps texts whole: those with line separators of Unicode, and those of a megabyte', async () => {
    const texts = ['a\u2028b\u2029c\u0085d', 'x'.repeat(1 << 20), '\r\n', '\0'];
    const { events } = await read(header, ...texts.map((text, i) => event(i, { data: { text } })));
    expect(events.map((e) => e.data['text'])).toEqual(texts);
  });

  it('is written without characters that act on a terminal, and with the same values', () => {
    const path = join(folder, 'acting.jsonl');
    const data = { text: 'a\u009b2Jb\u202ec##vso[x' };
    beginTrace(path, { ...header, target: '\u202e' })([event(0, { data }) as TraceEvent]);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toMatch(/[\u009b\u202e]|##vso/u);
    expect((JSON.parse(text.split('\n')[1] ?? '') as TraceEvent).data).toEqual(data);
  });

  it('may be empty of events', async () => {
    expect(await read(header)).toEqual({ headers: [header], events: [] });
  });
});

describe('a refusal names the line', () => {
  it.each([
    ['an empty file', [''], /t\.jsonl:?.*(empty|not JSON)/],
    ['no header', [event(0)], /t\.jsonl:1: not the header of a trace/],
    ['another version', [{ ...header, wireproof: 'trace/2' }], /t\.jsonl:1: not the header of a trace/],
    ['a header without its suite', [{ ...header, suite: undefined }], /t\.jsonl:1: .*suite/],
    [
      'a file of sessions',
      ['{"wireproof":"sessions/1","suite":"fold/agent"}'],
      /t\.jsonl:1: expected a trace .*this is a file of sessions; `npm run -s session/,
    ],
    [
      'a report',
      ['{"wireproof":"report/1","kit":"0.1.0"}'],
      /t\.jsonl:1: expected a trace .*`wireproof view FILE`/,
    ],
    ['a line that is no JSON', [header, event(0), '{"seq":1'], /t\.jsonl:3: not JSON/],
    ['a line that is no event', [header, { seq: 0 }], /t\.jsonl:2: not an event of a trace/],
    [
      'a kind that is none',
      [header, event(0, { kind: 'gossip' })],
      /t\.jsonl:2: not an event of a trace: \/kind/,
    ],
    ['a time that is none', [header, event(0, { at: -1 })], /t\.jsonl:2: not an event of a trace: \/at/],
    ['a first event that is not 0', [header, event(1)], /t\.jsonl:2: seq is 1; expected 0/],
    ['a gap', [header, event(0), event(2)], /t\.jsonl:3: seq is 2; expected 1/],
    ['an event twice', [header, event(0), event(0)], /t\.jsonl:3: seq is 0; expected 1/],
    [
      'time that falls',
      [header, event(0, { at: 5 }), event(1, { at: 4 })],
      /t\.jsonl:3: at is 4, before .* 5/,
    ],
  ])('%s', async (_, lines, expected) => expect(await refusal(...lines)).toMatch(expected));

  it('a file that is not there', async () => {
    const nothing = readTrace(
      join(folder, 'none.jsonl'),
      () => {},
      () => {},
    );
    await expect(nothing).rejects.toThrow(/none\.jsonl: no such file; expected a trace$/);
  });

  it('a device, before it is read', async () => {
    const device = readTrace(
      '/dev/zero',
      () => {},
      () => {},
    );
    await expect(device).rejects.toThrow('/dev/zero: expected a file with a trace; came a device');
  });
});

describe('a trace whose writer was stopped', () => {
  const file = join(folder, 'cut.jsonl');
  const whole = [header, event(0), event(1)].map((line) => `${JSON.stringify(line)}\n`).join('');
  const read = async (text: string): Promise<readonly [number, TraceEnd]> => {
    writeFileSync(file, text);
    let events = 0;
    const end = await readTrace(
      file,
      () => {},
      () => events++,
    );
    return [events, end];
  };

  it('is read to its last whole line, wherever it was cut', async () => {
    const last = whole.trimEnd().lastIndexOf('\n') + 1;
    for (let at = last + 1; at < whole.length - 1; at += 7)
      expect(await read(whole.slice(0, at))).toEqual([1, { cutLine: 3 }]);
    expect(await read(whole.slice(0, last))).toEqual([1, {}]);
    expect(await read(whole)).toEqual([2, {}]);
    expect(await read(whole.trimEnd())).toEqual([2, {}]);
    expect(await read(whole.replaceAll('\n', '\r\n'))).toEqual([2, {}]);
  });

  it('is refused where not even its header is whole', async () => {
    await expect(read(whole.slice(0, 9))).rejects.toThrow(/cut\.jsonl:1: not JSON/);
  });
});

describe('a line', () => {
  it('is parsed by itself, too', () => {
    expect(parseHeader(JSON.stringify(header), 'x:1')).toEqual(header);
    const first = parseEvent(JSON.stringify(event(0)), 'x:2', undefined);
    expect(parseEvent(JSON.stringify(event(1)), 'x:3', first).seq).toBe(1);
    expect(() => parseEvent(JSON.stringify(event(5)), 'x:3', first)).toThrow('x:3: seq is 5; expected 1');
  });
});
