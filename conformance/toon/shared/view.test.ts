/** What the rules of the live suites look at: what is open, what is on trial, and what shows the outcome. */
import { describe, expect, it } from 'vitest';
import { directive } from '../../../src/toon/index.ts';
import { Wire } from './trace.test-helper.ts';
import { keptPerStream } from './view-stream.ts';

const working = { status: 'working' };

describe('an instruction', () => {
  it('is open until STATUS completed, or an ERROR', () => {
    const wire = Wire.subagent().instruct();
    expect(wire.stream.asks).toHaveLength(1);
    wire.target('STATUS', working).completed();
    expect(wire.stream).toMatchObject({
      asks: [],
      completed: 'Say hello.',
      done: { INSTRUCTION: 1 },
    });
    wire.instruct().target('ERROR', { message: 'no' });
    expect(wire.stream).toMatchObject({ asks: [], done: { INSTRUCTION: 2 } });
    expect(wire.violations()).toEqual([]);
  });

  it('waits while another is worked on, and its time limit starts afterwards', () => {
    const wire = Wire.subagent().instruct().instruct().wait(9000).target('STATUS', working).wait(9000);
    wire.completed().wait(4000);
    expect(wire.stream.asks).toHaveLength(1);
    expect(wire.violations()).toEqual([]);
  });

  it('is overdue without a sign in the prompt time, or without a further sign in the step time', () => {
    const late = (wire: Wire): string => wire.violations().join();
    expect(late(Wire.subagent().instruct().wait(4900))).toBe('');
    expect(late(Wire.subagent().instruct().wait(5000))).toContain('TOON-50');
    expect(late(Wire.subagent().instruct().target('STATUS', working).wait(9900))).toBe('');
    expect(late(Wire.subagent().instruct().target('STATUS', working).wait(10_000))).toContain('TOON-50');
  });

  it('is not overdue while the target waits for an answer, or does as its directive says', () => {
    const called = Wire.subagent().instruct().target('TOOL_CALL', { toolName: 't', args: {} });
    expect(called.wait(39_000).violations()).toEqual([]);
    const held = Wire.subagent().instruct(directive([{ say: 'a' }, { hold: true }]));
    expect(held.target('STATUS', { status: 'a' }).wait(39_000).violations()).toEqual([]);
    const slow = Wire.subagent().instruct(directive([{ wait_ms: 20_000 }]));
    expect(slow.wait(24_000).violations()).toEqual([]);
  });

  it('is excused when the kit cut or delayed the connection', () => {
    const cut = Wire.subagent().instruct().mark({ fault: 'cut' }).event('target', 'reset', {});
    expect(cut.wait(20_000).violations()).toEqual([]);
    const stalled = Wire.subagent().instruct().mark({ fault: 'stall', ms: 8000 });
    expect(stalled.wait(9000).violations()).toEqual([]);
  });

  it('may come while a subagent leaves after its work', () => {
    const gone = (ms: number): string =>
      Wire.subagent()
        .instruct()
        .completed()
        .instruct()
        .wait(ms)
        .event('target', 'end', { code: 0, message: '' })
        .violations()
        .join();
    expect(gone(500)).toBe('');
    expect(gone(1500)).toContain('TOON-50');
  });

  it('shows whether its directive was obeyed', () => {
    const obeys = (...statuses: string[]): boolean => {
      const wire = Wire.subagent().instruct(directive([{ status: { status: 'n1' } }]));
      for (const status of statuses) wire.target('STATUS', { status });
      return wire.stream.obeyed;
    };
    expect(obeys('n1', 'completed')).toBe(true);
    expect(obeys('n1')).toBe(false);
    expect(obeys('analyzing', 'completed')).toBe(false);
  });
});

describe('an ERROR', () => {
  it('answers a bad frame, if there is one, and does not end the instruction', () => {
    const wire = Wire.subagent().instruct().target('STATUS', working).garbage('peer', 'bad-json');
    wire.target('ERROR', { code: 'BAD_FRAME', message: 'no JSON' });
    expect(wire.stream.asks).toHaveLength(1);
    expect(wire.stream.bad).toMatchObject([{ complained: true }]);
    wire.completed();
    expect(wire.violations()).toEqual([]);
  });

  it('may have ended the instruction after all, when nothing follows', () => {
    const wire = Wire.subagent().instruct().garbage('peer', 'bad-json');
    wire.target('ERROR', { message: 'I give up' });
    expect(wire.wait(20_000).violations()).toEqual([]);
  });

  it('refuses an unusual ask, if nothing else can be the reason', () => {
    const refused = (wire: Wire): string =>
      wire
        .instruct('Say hello.', { expandedLength: 30 })
        .target('ERROR', { message: 'what?' })
        .violations()
        .join();
    expect(refused(Wire.subagent().instruct().completed())).toContain('TOON-17: expected the target to take');
    expect(refused(Wire.subagent())).toBe('');
    expect(refused(Wire.subagent().instruct('Sing.').completed())).toBe('');
  });
});

describe('a trial', () => {
  it('is decided by the first sign of its ask', () => {
    const wire = Wire.subagent().instruct('Go.', { expandedLength: 30 });
    expect(wire.exercised('TOON-17')).toBe(0);
    wire.target('STATUS', working);
    expect(wire.exercised('TOON-17')).toBe(1);
  });

  it('of a bad frame is decided by the outcome of the next ask', () => {
    const wire = Wire.orchestrator().target('INSTRUCTION', { instruction: 'Go.' });
    wire.garbage('peer', 'bad-version').target('ERROR', { message: 'version?' });
    expect([wire.exercised('TOON-06'), wire.exercised('TOON-39')]).toEqual([0, 0]);
    wire.peer('TOOL_CALL', { toolName: 't', args: {} }).target('TOOL_RESULT', { success: true });
    expect([wire.exercised('TOON-06'), wire.exercised('TOON-39'), wire.stream.bad]).toEqual([1, 1, []]);
  });

  it('during the work is decided by the end, if an answer came after it', () => {
    const wire = Wire.subagent().instruct().target('TOOL_CALL', { toolName: 't', args: {} });
    wire.garbage('peer', 'bad-type');
    wire.peer('TOOL_RESULT', { success: true }).target('STATUS', working);
    expect(wire.exercised('TOON-07')).toBe(0);
    wire.completed();
    expect(wire.exercised('TOON-07')).toBe(1);
  });

  it('during the work is decided by the next sign behind an ERROR about it', () => {
    const wire = Wire.subagent().instruct().target('TOOL_CALL', { toolName: 't', args: {} });
    wire.garbage('peer', 'bad-type').target('ERROR', { message: 'type?' });
    expect(wire.exercised('TOON-07')).toBe(0);
    wire.target('STATUS', working);
    expect(wire.exercised('TOON-07')).toBe(1);
  });

  it('is left to the next ask, if the end came without an answer after it', () => {
    const wire = Wire.subagent().instruct().target('STATUS', working).garbage('peer', 'bad-type');
    wire.completed();
    expect(wire.exercised('TOON-07')).toBe(0);
    wire.instruct().target('STATUS', working);
    expect(wire.exercised('TOON-07')).toBe(1);
  });
});

describe('a call', () => {
  const call = { toolName: 't', args: {} };
  const begun = (): Wire => Wire.orchestrator().target('INSTRUCTION', { instruction: 'Go.' });

  it('needs an answer only during an instruction', () => {
    const early = Wire.orchestrator().peer('TOOL_CALL', call);
    expect(early.wait(20_000).violations()).toEqual([]);
    const left = begun().peer('TOOL_CALL', call).peer('STATUS', { status: 'completed' });
    expect(left.wait(20_000).violations()).toEqual([]);
  });

  it('may be answered once even if it needs no answer', () => {
    const wire = begun().peer('TOOL_CALL', call).peer('STATUS', { status: 'completed' });
    wire.target('TOOL_RESULT', { success: true });
    expect(wire.exercised('TOON-53')).toBe(0);
    wire.target('TOOL_RESULT', { success: true });
    expect(wire.violations()).toEqual([
      'TOON-53: expected an open TOOL_CALL for each TOOL_RESULT; there was none, and one came',
    ]);
  });

  it('is answered by the result with its id; a result without an id answers the oldest call', () => {
    const wire = begun();
    for (const requestId of ['a', 'b', 'c']) wire.peer('TOOL_CALL', { ...call, requestId });
    wire.target('TOOL_RESULT', { success: true, requestId: 'b' });
    expect(wire.stream.asks.map((ask) => ask.requestId)).toEqual(['a', 'c']);
    wire.target('TOOL_RESULT', { success: true });
    expect(wire.stream.asks.map((ask) => ask.requestId)).toEqual(['c']);
  });
});

describe('a frame of the target’s that cannot be read', () => {
  it('excuses missing messages afterwards', () => {
    const wire = Wire.subagent().instruct().garbage('target', 'bad-version', '0204020000000000');
    expect(wire.wait(20_000).violations()).toEqual(['TOON-02: expected version 1 in the header; came 2']);
  });

  it('excuses later unreadable frames of the same kind', () => {
    const wire = Wire.subagent()
      .instruct()
      .garbage('target', 'bad-json')
      .garbage('target', 'bad-version', '7d01');
    expect(wire.violations()).toEqual(['TOON-13: refused as bad-json']);
  });
});

describe('memory', () => {
  it('is bounded; an evicted ask is neither a violation nor a pass', () => {
    const wire = Wire.orchestrator().target('INSTRUCTION', { instruction: 'Go.' });
    const calls = keptPerStream + 100;
    for (let i = 0; i < calls; i++) wire.peer('TOOL_CALL', { toolName: 't', args: {} });
    for (let i = 0; i < calls; i++) wire.target('TOOL_RESULT', { success: true });
    expect(wire.stream.asks).toEqual([]);
    expect(wire.violations()).toEqual([]);
    expect(wire.judge.found.get('TOON-48')?.unknowable).toContain('more than 1024 messages');
  });
});
