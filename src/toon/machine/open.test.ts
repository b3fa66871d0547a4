/** What is open on a connection: which answer is whose, what a bad frame explains, and what is forgotten. */
import { describe, expect, it } from 'vitest';
import { maxRemembered } from './machine.ts';
import { Wire, working } from './machine.test-helper.ts';

describe('answers', () => {
  it('go to the oldest call (TOON-40)', () => {
    const wire = working();
    for (let i = 0; i < 3; i++) wire.call();
    expect([wire.result(), wire.result(), wire.result()]).toEqual([0, 1, 2]);
  });

  it('go to the call whose requestId they repeat (TOON-40)', () => {
    const wire = working();
    wire.call({ requestId: 'a' });
    wire.call({ requestId: 'b' });
    wire.call({ requestId: 3 });
    expect(wire.result({ requestId: 3 })).toBe(2);
    expect(wire.result({ requestId: 'b' })).toBe(1);
    expect(wire.result(), 'without one, to the oldest').toBe(0);
  });

  it('with a requestId that no call has go to the oldest call that has none', () => {
    const wire = working();
    wire.call({ requestId: 'a' });
    wire.call();
    expect(wire.result({ requestId: 'mine' })).toBe(1);
    expect(wire.result({ requestId: 'mine' })).toEqual(['nothing-asked']);
  });

  it.each([['TOOL_RESULT'], ['CONTEXT_RESPONSE']] as const)(
    'to nothing are a fault (TOON-53): %s',
    (type) => {
      expect(working().tell(type, { success: true })).toEqual(['nothing-asked']);
    },
  );

  it('to questions and to calls are not taken for each other', () => {
    const wire = working();
    wire.hear('CONTEXT_REQUEST', { type: 'file', path: 'p' });
    expect(wire.result()).toEqual(['nothing-asked']);
    expect(wire.tell('CONTEXT_RESPONSE')).toEqual([]);
  });

  it('are owed for calls that should not have been made, and after the end (TOON-48)', () => {
    const wire = new Wire();
    wire.call();
    expect(wire.result()).toBe(0);
    const other = working();
    other.call();
    other.status('completed');
    expect(other.result()).toBe(0);
  });
});

describe('what a bad frame explains is not blamed', () => {
  it('work without an instruction, until a later instruction has ended', () => {
    const wire = new Wire();
    wire.bad('orchestrator');
    expect(wire.status()).toEqual([]);
    wire.instruct();
    wire.status('completed');
    expect(wire.status()).toEqual(['after-end']);
  });

  it('work after the end of an instruction that was there before the bad frame', () => {
    const wire = working();
    wire.bad('orchestrator');
    wire.status('completed');
    expect(wire.status()).toEqual([]);
  });

  it('an answer to nothing, while a call from before the bad frame, or any, is open', () => {
    const wire = working();
    wire.call();
    wire.bad('subagent');
    wire.result();
    expect(wire.result()).toEqual([]);
    wire.call();
    wire.call();
    wire.hear('CONTEXT_REQUEST');
    wire.result();
    wire.result();
    expect(wire.result()).toEqual([]);
  });

  it('an answer to nothing, until a later call has its answer', () => {
    const wire = working();
    wire.bad('subagent');
    expect(wire.result()).toEqual([]);
    wire.call();
    wire.result();
    expect(wire.result()).toEqual(['nothing-asked']);
  });
});

describe('an ERROR while a bad frame is unanswered', () => {
  it('is its answer, and no end', () => {
    const wire = working();
    wire.bad('orchestrator');
    wire.hear('ERROR', { code: 'BAD_FRAME', message: 'no' });
    expect(wire.session.active).toMatchObject({ index: 0, doubtedAt: { at: 3 } });
    wire.status();
    expect(wire.session.active?.doubtedAt, 'it goes on').toBeUndefined();
    wire.hear('ERROR', { message: 'no' });
    expect(wire.session.ended?.by, 'the next one is no answer').toBe('error');
  });

  it('was the end if nothing follows it but another instruction', () => {
    const wire = working();
    wire.bad('orchestrator');
    wire.hear('ERROR', { message: 'no' });
    wire.instruct();
    expect(wire.session.ended).toEqual({ seq: 3, at: 3, index: 0, by: 'error' });
    expect(wire.session.active?.index).toBe(1);
    wire.status('completed');
    expect(wire.status(), 'it may be the first that goes on').toEqual([]);
  });

  it('is no end either after an answer to nothing', () => {
    const wire = working();
    wire.result();
    wire.hear('ERROR', { code: 'NOTHING_ASKED', message: 'no' });
    expect(wire.session.active?.index).toBe(0);
  });

  it('is counted on both sides', () => {
    const wire = new Wire();
    const unanswered = (): number[] => [
      wire.session.orchestrator.unansweredFaults,
      wire.session.subagent.unansweredFaults,
    ];
    wire.status();
    wire.bad('subagent');
    wire.bad('orchestrator');
    expect(unanswered()).toEqual([1, 2]);
    for (let i = 0; i < 3; i++) wire.tell('ERROR', { message: 'no' });
    wire.hear('ERROR', { message: 'no' });
    expect(unanswered()).toEqual([0, 0]);
  });

  it('is no end either after a message of the wrong direction', () => {
    const wire = working();
    wire.say('orchestrator', 'STATUS', { status: 'x' });
    wire.hear('ERROR', { code: 'WRONG_DIRECTION', message: 'no' });
    expect(wire.session.active?.index).toBe(0);
  });
});

describe('memory', () => {
  it('is bounded: the oldest open calls are forgotten, and counted', () => {
    const wire = working();
    for (let i = 0; i < maxRemembered + 2; i++) wire.call(i % 2 === 0 ? {} : { requestId: `q${i}` });
    expect(wire.session.calls).toHaveLength(maxRemembered);
    expect(wire.session.forgotten).toEqual({ calls: 2, requests: 0, instructions: 0 });
    expect(wire.result(), 'the oldest is one of those').toEqual([]);
    expect(wire.result({ requestId: 'q9' })).toBe(9);
    expect(wire.result({ requestId: 'q1' })).toEqual([]);
    expect(wire.result()).toBe(2);
  });

  it('is bounded: so are questions', () => {
    const wire = working();
    for (let i = 0; i <= maxRemembered; i++) wire.hear('CONTEXT_REQUEST');
    expect(wire.session.requests).toHaveLength(maxRemembered);
    expect(wire.session.forgotten.requests).toBe(1);
  });

  it('is bounded: so are instructions that wait; what may be about a forgotten one is not blamed', () => {
    const wire = working();
    for (let i = 0; i <= maxRemembered; i++) wire.instruct();
    expect(wire.session.waiting).toHaveLength(maxRemembered);
    expect(wire.session.forgotten.instructions).toBe(1);
    for (let i = 0; i <= maxRemembered; i++) expect(wire.status('completed')).toEqual([]);
    expect(wire.status('completed'), 'the end of the forgotten one').toEqual([]);
    expect(wire.status()).toEqual(['after-end']);
  });
});
