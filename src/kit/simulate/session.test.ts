/** What a live session shows, keeps and counts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WireproofError } from '../base/index.ts';
import { eventOf, fakeRun } from './run.test-helper.ts';
import type { FakeRun } from './run.test-helper.ts';
import { LiveSession } from './session.ts';
import { standardStreams } from './standard-streams.ts';
import type { SessionOptions } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-'));
afterAll(() => rmSync(folder, { recursive: true }));

const session = (fake: FakeRun, more: Partial<SessionOptions> = {}): LiveSession =>
  new LiveSession(fake.run, {
    suite: { id: 'fold/agent', protocol: 'fold', role: 'agent' },
    textOf: ({ data }) => (data['hidden'] === undefined ? JSON.stringify(data) : undefined),
    target: 'a stranger',
    ...more,
  });

it('ends when the reader of its output has left', async () => {
  const fake = fakeRun();
  const live = session(fake);
  standardStreams(fake.run).stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await live.ended;
});

describe('traffic', () => {
  it('is a line an event, by direction; what the protocol leaves out is not shown', () => {
    const fake = fakeRun();
    const trace = session(fake).open();
    trace.event(eventOf({ a: 1 }), { who: 'agent-1' });
    trace.event(eventOf({ b: 2 }, { from: 'gateway' }));
    trace.event(eventOf({ hidden: true }));
    expect(fake.out()).toBe('   1.500s  agent-1      → {"a":1}\n   1.500s  ← {"b":2}\n');
  });

  it('is the trace events with --json, and nothing else: words go to stderr', () => {
    const fake = fakeRun({ json: true });
    const live = session(fake);
    const trace = live.open();
    trace.event(eventOf({ hidden: true }));
    trace.violated('FOLD-A15', 'expected nothing; came text');
    live.print('a word');
    expect(fake.out()).toBe(`${JSON.stringify(eventOf({ hidden: true }))}\n`);
    expect(fake.err()).toMatch(/✗ FOLD-A15 MUST: expected nothing; came text\na word\n$/);
  });

  it('is not shown with --quiet; violations are', () => {
    const fake = fakeRun({ quiet: true });
    const trace = session(fake).open();
    trace.event(eventOf({ a: 1 }));
    trace.violated('FOLD-A15', 'came text');
    expect(fake.out()).toBe('           ✗ FOLD-A15 MUST: came text\n');
  });

  it('goes to stderr where something else has stdout', () => {
    const fake = fakeRun();
    session(fake, { stdoutTaken: true })
      .open()
      .event(eventOf({ a: 1 }));
    expect([fake.out(), fake.err()]).toEqual(['', expect.stringContaining('{"a":1}')]);
  });

  it('does not act on the terminal, whatever a stranger sends', () => {
    const fake = fakeRun();
    const trace = session(fake, { textOf: () => '\u001b[2J\n::error::x' }).open();
    trace.event(eventOf({}), { who: '\u202eevil' });
    trace.violated('FOLD-A15', '\u0007');
    const out = fake.out();
    expect(['\u001b', '\u202e', '\u0007'].filter((control) => out.includes(control))).toEqual([]);
    expect(out).not.toMatch(/^::/m);
  });
});

describe('--record', () => {
  it('keeps events as they come, numbered without gaps, below a header', () => {
    const record = join(folder, 'seen.jsonl');
    const trace = session(fakeRun({ record }), { scenario: 'hello', seed: '7' }).open();
    trace.event(eventOf({ a: 1 }));
    trace.event(eventOf({ b: 2 }), { recorded: false });
    trace.event(eventOf({ c: 3 }));
    const [header, ...events] = readFileSync(record, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(header).toMatchObject({ wireproof: 'trace/1', suite: 'fold/agent', scenario: 'hello', seed: '7' });
    expect(events).toEqual([eventOf({ a: 1 }, { seq: 0 }), eventOf({ c: 3 }, { seq: 1 })]);
  });

  it('keeps the second connection in a file of its own', () => {
    const record = join(folder, 'two.jsonl');
    const live = session(fakeRun({ record }));
    live.open();
    live.open().event(eventOf({ a: 1 }));
    expect(readFileSync(join(folder, 'two-2.jsonl'), 'utf8')).toContain('{"a":1}');
  });

  it('is refused at once when the file cannot be written', () => {
    expect(() => session(fakeRun({ record: '/dev/null/x.jsonl' }))).toThrow(WireproofError);
  });

  it('that fails later ends the session in `environment`, and is said once', () => {
    const fake = fakeRun({ record: join(folder, 'gone/seen.jsonl') });
    const live = session(fake);
    const trace = live.open();
    rmSync(join(folder, 'gone'), { recursive: true });
    trace.event(eventOf({ a: 1 }));
    trace.event(eventOf({ b: 2 }));
    expect(fake.err().match(/cannot write the trace/g)).toHaveLength(1);
    expect(live.sumUp()).toBe('environment');
  });
});

describe('the end', () => {
  it('counts violations, and is not conformant when a MUST was violated', () => {
    const fake = fakeRun();
    const live = session(fake);
    const trace = live.open();
    trace.violated('FOLD-A15', 'x');
    expect(live.sumUp()).toBe('notConformant');
    expect(fake.err()).toBe('1 violation, 1 of a MUST; wireproof explain ID says more\n');
  });

  it('is conformant when a SHOULD was', () => {
    const live = session(fakeRun());
    live.open().violated('FOLD-A46', 'x');
    expect(live.sumUp()).toBe('conformant');
  });

  it('is inconclusive when something that was waited for did not come', () => {
    const live = session(fakeRun());
    live.inconclusive = true;
    expect(live.sumUp()).toBe('inconclusive');
  });

  it('says nothing of violations where nobody judged', () => {
    const fake = fakeRun({ rules: false });
    session(fake).sumUp();
    expect(fake.err()).toBe('');
  });

  it.each([
    [undefined, 'no target got ready; 0 violations of a MUST', 'inconclusive'],
    [{ outcome: 'done' }, 'played to its end; 0 violations of a MUST', 'conformant'],
    [
      { outcome: 'ended-early', reason: 'no done came' },
      'no done came; 0 violations of a MUST',
      'inconclusive',
    ],
  ] as const)('of a scenario that was played as %j', (played, said, end) => {
    const fake = fakeRun();
    expect(session(fake).playedScenario('cancel', played)).toBe(end);
    expect(fake.err()).toBe(`cancel: ${said}\n`);
  });

  it('comes with an interrupt', async () => {
    const fake = fakeRun();
    const live = session(fake);
    fake.interrupt();
    await live.ended;
    expect(live.playedScenario('cancel', { outcome: 'done' })).toBe('interrupted');
  });
});

it('writes the line that is being typed again below what it shows', () => {
  const fake = fakeRun();
  const live = session(fake);
  live.prompt = () => void standardStreams(fake.run).stderr.write('> he');
  live.print('a word');
  expect([fake.out(), fake.err()]).toEqual(['a word\n', '\r\u001b[K> he']);
});
