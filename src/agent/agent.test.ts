/** What a whole agent makes of a request, in all dialects (issue 17, "The reference agent"). */
import { describe, expect, it } from 'vitest';
import { dialects, script } from '../llm/index.ts';
import { AgentWorld } from './world.test-helper.ts';

describe.each(dialects)('with %s, a whole agent', (dialect) => {
  // "the texts shown, joined, are the texts the model said"; "one usage event a model response"
  it('shows what the model says, its usage, and an end', () => {
    const world = new AgentWorld(script().text('Hello there.'), { dialect });
    world.send('r', 'Hi');
    world.pass(1000);
    expect(world.told()).toEqual(['r says Hello there.', 'r usage', 'r done Hello there.']);
    expect(world.messages(0)).toEqual(['user Hi']);
  });

  // FOLD-A26: PENDING, RUNNING, then a final state; FOLD-A38: usage after each model call
  it('runs a tool, and gives the model its result', () => {
    const world = new AgentWorld(
      script().text('I look.').toolCall('echo', { text: 'abc' }).turn().text('It is abc.'),
      {
        dialect,
      },
    );
    world.send('r', 'Look');
    world.pass(1000);
    expect(world.told()).toEqual([
      'r says I look.',
      'r usage',
      'r calls echo {"text":"abc"}',
      'r pending',
      'r running',
      'r completed',
      'r gives abc',
      'r says It is abc.',
      'r usage',
      'r done I look.It is abc.',
    ]);
    expect(world.messages(1)).toEqual(['user Look', 'assistant I look. <echo>', 'user =abc']);
    expect(world.faults()).toEqual([]);
  });

  // LLM-C03: in order
  it('runs parallel calls one after another, in their order', () => {
    const calls = script()
      .toolCall('wait', { ms: 50 })
      .toolCall('echo', { text: 'b' })
      .toolCall('fail', { message: 'c' });
    const world = new AgentWorld(calls.turn().text('Done.'), { dialect });
    world.send('r');
    world.pass(2000);
    expect(world.told().filter((line) => /gives|fails|running/.test(line))).toEqual([
      'r running',
      'r gives waited 50 ms',
      'r running',
      'r gives b',
      'r running',
      'r fails c',
    ]);
    expect(world.messages(1)).toEqual([
      'user Do it.',
      'assistant <wait> <echo> <fail>',
      'user =waited 50 ms =b !c',
    ]);
  });

  // "a cut call is never shown as RUNNING, COMPLETED or with a good result"; TOK-49: a bounded, different retry
  it('never shows or runs a call that the output limit cut', () => {
    const cut = script()
      .text('I write.')
      .toolCall('echo', { text: 'a long text' })
      .cutAt({ json: 'inside-string' });
    const world = new AgentWorld(cut.turn().text('Shorter.'), { dialect });
    world.send('r');
    world.pass(10_000);
    expect(world.told().filter((line) => /calls|running|gives/.test(line))).toEqual([]);
    expect(world.told().at(-1)).toMatch(/^r done I write\./);
    expect(world.faults()).toEqual([]);
  });

  // LLM-C10: "Abort MUST close the connection promptly; no request for that turn afterwards"
  it('lets go of the model at a cancel in mid-stream', () => {
    const world = new AgentWorld(script().text('One. Two.').barrier('b', { char: 4 }).turn().text('Yes.'), {
      dialect,
    });
    world.send('r', 'Count', { thread_id: 't' });
    world.untilSaid('r', 'One.');
    const at = world.clock.now();
    world.cancel('r');
    world.until('r cancelled the user');
    world.pass(5000);
    expect(world.told()).toEqual(['r says One.', 'r cancelled the user']);
    expect(world.askedBelow()).toBe(1);
    expect(world.heard.find((one) => one.by === 'model' && one.told === 'answered')?.at).toBeLessThan(
      at + 10,
    );
    world.send('s', 'Go on', { thread_id: 't' });
    world.pass(1000);
    expect(world.messages(1)).toEqual(['user Count', 'assistant One.', 'user Go on']);
    expect(world.told('s').at(-1)).toBe('s done Yes.');
  });
});
