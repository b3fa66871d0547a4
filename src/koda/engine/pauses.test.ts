/** The caps and the interrupts of the reference engine. */
import { describe, expect, it } from 'vitest';
import { interrupt, promptOf, todo, told } from '../link/stage.test-helper.ts';
import type { EngineCommand, LoopContinuation } from '../messages.ts';

const decide = (action: LoopContinuation): EngineCommand => ({ type: 'loop_decision', action });
const cap = { loop_cap: {} };

describe('a cap', () => {
  it('pauses the turn before its next response, until the decision (KODA-44)', () => {
    const stage = told({ say: 'a' }, cap, { say: 'b' });
    expect(stage.did().slice(-2)).toEqual(['text_done', 'loop_cap_reached 200']);
    expect(stage.pass(10_000).did()).toEqual([]);
    expect(stage.say(decide('continue200')).did()).toEqual([
      ...['context_usage 100', 'response_start', 'text_delta b', 'text_done', 'footer', 'turn_end complete'],
    ]);
  });

  it('may come first in a turn, and ends an open thought', () => {
    expect(told(cap).did()).toEqual(['turn_start', 'loop_cap_reached 200']);
    const stage = told({ think: 'a' }, cap, { tool: { name: 'Read' } });
    expect(stage.did().slice(-3)).toEqual(['thinking_done', 'text_done', 'loop_cap_reached 200']);
    expect(stage.say(decide('continue50')).did()).toEqual([
      ...['context_usage 100', 'text_done', 'tool_call_start Read', 'tool_call_result Read ok'],
      ...['context_usage 100', 'text_done', 'footer', 'turn_end complete'],
    ]);
  });

  it('grows by the decisions: 50 or 200 (KODA-74)', () => {
    const stage = told({ loop_cap: { cap: 7 } }, cap, { loop_cap: { cap: 1 } });
    stage.say(decide('continue50'), decide('continue200'));
    expect(stage.sentOf('loop_cap_reached').map((event) => event.cap)).toEqual([7, 57, 257]);
  });

  it('does not grow beyond 32 bits (KODA-80)', () => {
    const stage = told({ loop_cap: { cap: 2 ** 32 - 1 } }, cap).say(decide('continue50'));
    expect(stage.sentOf('loop_cap_reached').map((event) => event.cap)).toEqual([2 ** 32 - 1, 2 ** 32 - 1]);
  });

  it('ends the turn by stop: complete, without a footer (KODA-45)', () => {
    const stage = told(cap, { say: 'never' });
    stage.take();
    expect(stage.say(decide('stop')).did()).toEqual(['turn_end complete']);
  });

  it('names the last five tools, the oldest first (KODA-46)', () => {
    const tools = (...names: string[]): object[] => names.map((name) => ({ tool: { name } }));
    expect(told(...tools('a', 'b'), cap).sentOf('loop_cap_reached')[0]?.recent_tools).toEqual(['a', 'b']);
    const [event] = told(...tools('a', 'b', 'c', 'd', 'e', 'f'), cap).sentOf('loop_cap_reached');
    expect(event?.recent_tools).toEqual(['b', 'c', 'd', 'e', 'f']);
    expect(told(cap).sentOf('loop_cap_reached')[0]?.recent_tools).toEqual([]);
  });
});

describe('a pause', () => {
  const approval = { tool: { name: 'x', approval: {} } };
  const question = { tool: { name: 'x', ask: { question: 'q' } } };

  it.each([
    ['approval', approval],
    ['question', question],
    ['cap', cap],
  ])('for an %s is not changed by commands that do not answer it (KODA-47)', (_, pause) => {
    const stage = told(pause);
    stage.take();
    stage.say(
      { type: 'approval_response', id: 'no', decision: { decision: 'approve' } },
      { type: 'ask_user_response', id: 'no', answer: 'y' },
      { type: 'slash_command', cmd: 'help' },
      promptOf('later'),
    );
    if (pause !== cap) stage.say(decide('continue50'));
    expect(stage.did().filter((event) => !/^(info|\(ignored)/.test(event))).toEqual([]);
    expect(stage.work.turn?.wait.on).not.toBe('nothing');
  });

  it.each([
    ['approval', approval],
    ['question', question],
    ['cap', cap],
  ])(
    'for an %s ends with an interrupt: the turn is cancelled, and the call has no result (KODA-48)',
    (_, pause) => {
      const stage = told(pause, { say: 'never' });
      stage.take();
      expect(stage.say(interrupt).did()).toEqual(['turn_end cancelled']);
    },
  );
});

describe('an interrupt', () => {
  it('ends a turn that streams, with text_done after a text (KODA-34, 49)', () => {
    const stage = told({ say: ['a', 'b'] }, { cancel_point: true });
    expect(stage.did().slice(-1)).toEqual(['text_delta b']);
    expect(stage.say(interrupt).did()).toEqual(['text_done', 'turn_end cancelled']);
  });

  it('leaves a thought open, and sends no text_done without a text (KODA-32, 34)', () => {
    const stage = told({ think: 'a' }, { cancel_point: true });
    expect(stage.did().slice(-1)).toEqual(['thinking_delta a']);
    expect(stage.say(interrupt).did()).toEqual(['turn_end cancelled']);
  });

  it('sends no second text_done (KODA-34)', () => {
    const stage = told({ say: 'a' }, { wait_ms: 5 });
    expect(stage.did().slice(-1)).toEqual(['text_done']);
    expect(stage.say(interrupt).did()).toEqual(['turn_end cancelled']);
  });

  it('stops a spinner that turns', () => {
    const stage = told(cap, { wait_ms: 5 }).say(decide('continue50'));
    stage.take();
    expect(
      stage
        .say(interrupt)
        .sent()
        .map(({ type }) => type),
    ).toEqual(['spinner_stop', 'turn_end']);
  });

  it('ends a turn whose call runs: the call has no result (KODA-36, 49)', () => {
    const stage = told({ tool: { name: 'x', lines: [['a', false]], hold: true } });
    expect(stage.did().slice(-1)).toEqual(['tool_output_line a']);
    expect(stage.pass(10_000).say(interrupt).did()).toEqual(['turn_end cancelled']);
  });

  it('ends a turn that waits for a time, and its timer does not touch the next turn (KODA-49)', () => {
    const stage = told({ wait_ms: 10 }).say(todo({ wait_ms: 100 }));
    stage.take();
    expect(stage.say(interrupt).did()).toEqual(['turn_end cancelled', 'turn_start']);
    expect(stage.pass(99).did()).toEqual([]);
    expect(stage.pass(1).did()).toContain('turn_end complete');
    expect(told({ wait_ms: 10 }).say(interrupt).fire(1000)).toBe(false);
  });

  it('ends a turn between two batches of a long text (KODA-49)', () => {
    const stage = told();
    stage.take();
    stage.give({
      type: 'message',
      peer: 's1',
      message: todo({ say: Array.from({ length: 1000 }, () => 'x') }),
    });
    stage.give({ type: 'message', peer: 's1', message: interrupt });
    const events = stage.pass(0).did();
    expect(events.length).toBeLessThan(100);
    expect(events.slice(-2)).toEqual(['text_done', 'turn_end cancelled']);
  });

  it('between turns has no effect', () => {
    const stage = told();
    stage.take();
    expect(stage.say(interrupt, interrupt).did()).toEqual([]);
    expect(stage.say(promptOf('a')).did()).toContain('turn_end complete');
  });

  it('does not turn a failure into a cancellation (KODA-26)', () => {
    const stage = told();
    stage.take();
    // The error is the last act of a batch: its turn_end has to wait.
    const acts = Array.from({ length: 31 }, () => ({ usage: {} }));
    const message = todo(...acts, { error: { message: 'x', fatal: true } });
    stage.give({ type: 'message', peer: 's1', message });
    expect(stage.did()).toEqual(['turn_start', 'error x']);
    expect(stage.say(interrupt).did()).toEqual(['turn_end error x']);
  });
});
