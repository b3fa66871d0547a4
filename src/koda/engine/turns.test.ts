/** The turns of the reference engine: "A turn" and "The directive grammar" of spec/koda/README.md. */
import { describe, expect, it } from 'vitest';
import { engineStage, interrupt, promptOf, todo, told } from '../link/stage.test-helper.ts';
import type { EngineStage } from '../link/stage.test-helper.ts';

/** The beginning and the end of the events of a turn with one response. */
const begun = ['turn_start', 'context_usage 100'];
const completed = ['text_done', 'footer', 'turn_end complete'];

/** The types of all messages since the last call. */
const typesOf = (stage: EngineStage): string[] => stage.sent().map(({ type }) => type);

describe('a turn', () => {
  it('of a plain prompt repeats the prompt, in the grammar of a turn (KODA-23, 28, 33, 34, 50)', () => {
    expect(typesOf(engineStage().say(promptOf('hi')))).toEqual([
      ...['turn_start', 'context_usage', 'spinner_start', 'spinner_stop'],
      ...['response_start', 'text_delta', 'text_done', 'footer', 'turn_end'],
    ]);
    const images = [{ data: 'aGk=', mime_type: 'image/png' }];
    const stage = engineStage().say({ type: 'user_prompt', text: 'x'.repeat(300), images });
    expect(stage.sentOf('text_delta')).toEqual([
      { type: 'text_delta', text: `You said: ${'x'.repeat(200)}… (1 image)` },
    ]);
  });

  it('closes with the id with which it opened, a fresh UUID (KODA-23, 24)', () => {
    const stage = engineStage().say(promptOf('a'), promptOf('b'));
    const ids = stage.sent().flatMap((event) => ('turn_id' in event ? [event.turn_id] : []));
    expect(ids).toHaveLength(4);
    expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect([ids[1], ids[3]]).toEqual([ids[0], ids[2]]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('without steps has one response without text, which text_done ends, too (KODA-34)', () => {
    expect(told().did()).toEqual([...begun, ...completed]);
  });

  it('thinks, then answers, in one response (KODA-30, 31, 33)', () => {
    expect(told({ think: ['a', 'b'] }, { say: ['c', 'd'] }).did()).toEqual([
      ...[...begun, 'thinking_start', 'thinking_delta a', 'thinking_delta b', 'thinking_done'],
      ...['response_start', 'text_delta c', 'text_delta d', ...completed],
    ]);
  });

  it('stops its spinner once, at the first output of a response', () => {
    const types = typesOf(told({ think: 'a' }, { say: 'b' }));
    expect(types.filter((type) => type.startsWith('spinner'))).toEqual(['spinner_start', 'spinner_stop']);
    expect(types.indexOf('spinner_stop')).toBe(types.indexOf('thinking_start') - 1);
  });

  it('marks the first text that is not blank; blank ones may come before (KODA-33)', () => {
    expect(told({ say: ['', ' \n', 'a', ' ', 'b'] }).did()).toEqual([
      ...[...begun, 'text_delta ', 'text_delta  \n', 'response_start', 'text_delta a', 'text_delta  '],
      ...['text_delta b', ...completed],
    ]);
    expect(told({ say: ' ' }).did()).toEqual([...begun, 'text_delta  ', ...completed]);
  });

  it('begins a new response for a step that does not fit, with its own context_usage (KODA-28)', () => {
    expect(told({ say: 'a' }, { think: 'b' }, { think: 'c' }).did()).toEqual([
      ...[...begun, 'response_start', 'text_delta a', 'text_done'],
      ...['context_usage 100', 'thinking_start', 'thinking_delta b', 'thinking_done', 'text_done'],
      ...['context_usage 100', 'thinking_start', 'thinking_delta c', 'thinking_done', ...completed],
    ]);
  });

  it('ends with a response without calls after the last calls', () => {
    expect(told({ tool: { name: 'Read' } }, { tool: { name: 'Grep' } }).did()).toEqual([
      ...[...begun, 'text_done', 'tool_call_start Read', 'tool_call_result Read ok'],
      ...['tool_call_start Grep', 'tool_call_result Grep ok', 'context_usage 100', ...completed],
    ]);
  });

  it('sums tokens, characters and time over all iterations in its footer (KODA-50, 81)', () => {
    const stage = told(
      { usage: { prompt_tokens: 10, completion_tokens: 1 } },
      { say: 'é𝄞' },
      { wait_ms: 2000 },
      { usage: { prompt_tokens: 5, cache_read_tokens: 2, thinking_tokens: 3 } },
      { say: 'ab' },
    ).pass(2000);
    expect(stage.sentOf('footer')).toEqual([
      {
        type: 'footer',
        ...{ prompt_tokens: 15, completion_tokens: 1, cache_read_tokens: 2, thinking_tokens: 3 },
        ...{ total_chars: 4, elapsed_ms: 2000, rate: 2, context: '100/32000' },
      },
    ]);
  });

  it('goes on after an error event, and fails after a fatal one without a footer (KODA-26, 27)', () => {
    expect(told({ error: { message: 'x' } }, { say: 'a' }).did()).toEqual([
      ...['turn_start', 'error x', 'context_usage 100', 'response_start', 'text_delta a', ...completed],
    ]);
    expect(told({ say: 'a' }, { error: { message: 'x', fatal: true } }, { say: 'b' }).did()).toEqual([
      ...[...begun, 'response_start', 'text_delta a', 'text_done', 'error x', 'turn_end error x'],
    ]);
  });

  it('that is told an unknown step ends with an error, and does no step', () => {
    expect(told({ say: 'a' }, { dance: true }).did()).toEqual([
      'turn_start',
      'turn_end error unsupported: dance',
    ]);
    expect(engineStage().say(promptOf('{"wireproof":1}')).did()).toEqual([
      ...['turn_start', 'turn_end error unsupported: directive'],
    ]);
  });

  it('sends another context_usage after a compaction, and keeps the new context (KODA-28)', () => {
    const stage = told({ say: 'a' }, { compact: { used: 40 } }, { say: 'b' });
    expect(stage.sentOf('context_usage').map(({ used }) => used)).toEqual([100, 40, 40]);
    expect(stage.say(promptOf('x')).sentOf('context_usage')).toEqual([
      { type: 'context_usage', used: 40, max: 32_000 },
    ]);
  });

  it('waits for a time', () => {
    const stage = told({ wait_ms: 50 }, { say: 'a' });
    expect(stage.pass(49).did()).toEqual(['turn_start']);
    expect(stage.pass(1).did()).toContain('text_delta a');
  });
});

describe('prompts', () => {
  it('that come while a turn runs wait, and are run in their order, one turn each (KODA-25, 76)', () => {
    const stage = told({ wait_ms: 100 });
    stage.say(promptOf('b'), promptOf('c'));
    expect(stage.did()).toEqual(['turn_start']);
    const events = stage.pass(100).did();
    expect(events.filter((event) => /^(turn|text_delta)/.test(event))).toEqual([
      ...['turn_end complete', 'turn_start', 'text_delta You said: b', 'turn_end complete'],
      ...['turn_start', 'text_delta You said: c', 'turn_end complete'],
    ]);
  });

  it('that wait outlive an interrupt (KODA-77)', () => {
    const stage = told({ cancel_point: true }).say(todo({ cancel_point: true }), promptOf('c'));
    stage.take();
    expect(stage.say(interrupt).did()).toEqual(['turn_end cancelled', 'turn_start']);
    expect(stage.say(interrupt).did()).toContain('text_delta You said: c');
  });

  it('beyond 1024 that wait are dropped with a warn', () => {
    const stage = told({ cancel_point: true });
    stage.say(...Array.from({ length: 1024 }, () => promptOf('x')));
    expect(stage.sentOf('warn')).toEqual([]);
    stage.say(promptOf('y'));
    expect(stage.sentOf('warn')).toHaveLength(1);
    expect(stage.say(interrupt).sentOf('turn_end')).toHaveLength(1025);
  });

  it('of more than 16 Mi UTF-16 units that wait are dropped with a warn', () => {
    const stage = told({ cancel_point: true });
    stage.say(...Array.from({ length: 17 }, () => promptOf('x'.repeat(1 << 20))));
    expect(stage.sentOf('warn')).toHaveLength(1);
    expect(stage.say(interrupt).sentOf('turn_end')).toHaveLength(17);
    expect(stage.work.queuedUnits).toBe(0);
  });
});

describe('sessions', () => {
  it('are one for each link', () => {
    const stage = told({ cancel_point: true });
    stage.give({ type: 'opened', peer: 's2', metadata: {} });
    stage.give({ type: 'message', peer: 's2', message: promptOf('b') });
    const ended = stage
      .take()
      .flatMap((output) =>
        output.type === 'send' && output.message.type === 'turn_end' ? [output.peer] : [],
      );
    expect(ended).toEqual(['s2']);
  });

  it('have ids of their own, also when a link is opened anew', () => {
    const stage = told({ cancel_point: true });
    const [first] = stage.sentOf('turn_start');
    stage.link('left').give({ type: 'opened', peer: 's1', metadata: {} });
    const [second] = stage.say(promptOf('x')).sentOf('turn_start');
    expect(second?.turn_id).not.toBe(first?.turn_id);
    expect(second?.turn_id).toBeDefined();
  });

  it('end their work with a half-close: all turns end, and no pause is waited for', () => {
    const stage = told({ wait_ms: 100 }, { tool: { name: 'x', ask: { question: 'q' } } }).say(promptOf('b'));
    stage.take();
    stage.link('half_close');
    expect(stage.did()).toEqual([]);
    const events = stage.pass(100).did();
    expect(events.filter((event) => /^(turn|close)/.test(event))).toEqual([
      ...['turn_end cancelled', 'turn_start', 'turn_end complete', 'close 0'],
    ]);
    expect(engineStage().link('half_close').did()).toEqual(['close 0']);
  });

  it('leave no timer behind', () => {
    const stage = told({ wait_ms: 100 }).link('left');
    expect(stage.fire(1000)).toBe(false);
    const again = told({ wait_ms: 100 });
    again.give({ type: 'opened', peer: 's1', metadata: {} });
    expect(again.fire(1000)).toBe(false);
  });
});
