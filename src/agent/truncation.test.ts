/** A whole agent whose model is cut (issue 17, "Truncation"; tokens.md, TOK-13, TOK-47, TOK-49; llm.md, LLM-C01 to C06). */
import { describe, expect, it } from 'vitest';
import { dialects, script } from '../llm/index.ts';
import { AgentWorld } from './world.test-helper.ts';

const shownCalls = (world: AgentWorld): string[] =>
  world.told().filter((line) => / (calls|running|completed|gives) ?/.test(line));
const ends = (world: AgentWorld): string[] =>
  world.told().filter((line) => / (done|error|cancelled) /.test(line));

describe.each(dialects)('with %s, a response', (dialect) => {
  // TOK-13: "If nothing survives, MUST continue as text only"
  it('that is cut in its text ends the request with that text', () => {
    const world = new AgentWorld(script().text('A long answer').cutAt({ char: 6 }), { dialect });
    world.send('r');
    world.pass(5000);
    expect(ends(world)).toEqual(['r done A long']);
    expect(world.askedBelow()).toBe(1);
  });

  // "a cut call is never shown as RUNNING, COMPLETED or with a good result"
  it('that is cut in the second of two calls never shows the second one', () => {
    const cut = script()
      .toolCall('echo', { text: 'first' })
      .toolCall('echo', { text: 'the second one' })
      .cutAt({ json: 'inside-string' });
    const world = new AgentWorld(cut.turn().text('I go on.'), { dialect });
    world.send('r');
    world.pass(10_000);
    expect(shownCalls(world).filter((line) => line.includes('second'))).toEqual([]);
    expect(ends(world)).toHaveLength(1);
    expect(world.faults()).toEqual([]);
  });

  // LLM-C05: "A lying or contradictory signal with unparsable arguments MUST NOT execute"; TOK-49: at most two retries
  it('whose finish lies about a cut call is retried twice at most, each time with another request', () => {
    const lie = script();
    for (let i = 0; i < 6; i++) {
      lie
        .toolCall('echo', { text: 'a text that is cut' })
        .cutAt({ json: 'inside-string' })
        .with({ signal: 'lying' });
      if (i < 5) lie.turn();
    }
    const world = new AgentWorld(lie, { dialect });
    world.send('r');
    world.pass(60_000);
    expect(shownCalls(world)).toEqual([]);
    expect(ends(world)).toHaveLength(1);
    expect(world.askedBelow()).toBeLessThanOrEqual(3);
    const asked = world.asked.map(({ messages }) => JSON.stringify(messages));
    expect(new Set(asked).size).toBe(asked.length);
  });

  // LLM-C06: "End of stream without a terminal MUST be an error, not a normal end"
  it('without a terminal is an error, and its call does not run', () => {
    const none = script().text('I look.').toolCall('echo', { text: 'x' }).with({ signal: 'missing' });
    const world = new AgentWorld(none, { dialect });
    world.send('r');
    world.pass(5000);
    expect(shownCalls(world)).toEqual([]);
    expect(ends(world)).toHaveLength(1);
    expect(ends(world)[0]).toMatch(/^r error ./);
    expect(world.askedBelow()).toBe(1);
  });
});

// The plan's own regression: "Content must be a string"
it('a call whose parameter has another type is not run, and the model hears why', () => {
  const world = new AgentWorld(script().toolCall('echo', { text: 5 }).turn().text('Sorry.'));
  world.send('r');
  world.pass(1000);
  expect(world.told()).toEqual([
    'r usage',
    'r calls echo {"text":5}',
    'r pending',
    'r failed',
    'r fails not run: expected text to be string; came number',
    'r says Sorry.',
    'r usage',
    'r done Sorry.',
  ]);
  expect(world.messages(1).at(-1)).toBe('user !not run: expected text to be string; came number');
});

it('a call of a tool that is not there is answered by an error', () => {
  const world = new AgentWorld(script().toolCall('fly', {}).turn().text('Then not.'));
  world.send('r');
  world.pass(1000);
  expect(world.messages(1).at(-1)).toBe('user !there is no tool called fly');
  expect(world.told()).not.toContain('r running');
  expect(world.told().at(-1)).toBe('r done Then not.');
});
