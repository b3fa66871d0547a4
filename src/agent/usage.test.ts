/** What the agent knows and tells of tokens: the plan's "Early detection of approaching token limits" and "Token Visibility". */
import { describe, expect, it } from 'vitest';
import { dialects, script } from '../llm/index.ts';
import { AgentWorld } from './world.test-helper.ts';

describe.each(dialects)('with %s', (dialect) => {
  it('a response that comes near its limit is told of once, while it streams', () => {
    const words = script().text('word'.repeat(90)).barrier('b', { char: 330 }).times('always');
    const world = new AgentWorld(words, { dialect, maxTokens: 100 });
    world.send('r');
    world.untilSaid('r', 'word'.repeat(80));
    world.pass(1000);
    expect(world.news('warning')).toEqual([
      { request: 'r', code: 'near-output-limit', percent: expect.any(Number) },
    ]);
    const [{ percent } = {}] = world.news('warning');
    expect(percent).toBeGreaterThanOrEqual(80);
    expect(world.told('r').some((line) => line.includes('done'))).toBe(false);
    world.release('b');
    world.until(`r done ${'word'.repeat(90)}`);
    expect(world.news('warning')).toHaveLength(1);
  });

  it('a response within its limit is not', () => {
    const world = new AgentWorld(script().text('word'.repeat(70)), { dialect, maxTokens: 100 });
    world.send('r');
    world.until(`r done ${'word'.repeat(70)}`);
    expect(world.news('warning')).toEqual([]);
  });

  it('the usage of each response is told, with the window, and added up in the state', () => {
    const words = script().usage({ input: 1234, output: 56 }).text('Hi.').toolCall('echo', { text: 'x' });
    const world = new AgentWorld(words.turn().usage({ input: 1300, output: 4 }).text('Done.'), { dialect });
    world.send('r');
    world.until('r done Hi.Done.');
    expect(world.news('usage')).toEqual([
      { request: 'r', model: 'm', input: 1234, output: 56, window: 200_000 },
      { request: 'r', model: 'm', input: 1300, output: 4, window: 200_000 },
    ]);
  });
});

it('a response near the end of the window is told of, without an output limit', () => {
  const world = new AgentWorld(script().text('word'.repeat(900)), { window: 1000, tools: [] });
  world.send('r', 'Hi');
  world.until(`r done ${'word'.repeat(900)}`);
  expect(world.news('warning')).toMatchObject([{ code: 'near-output-limit' }]);
});

it('arguments of a call count, too', () => {
  const words = script()
    .toolCall('echo', { text: 'word'.repeat(90) })
    .turn()
    .text('Done.');
  const world = new AgentWorld(words, { dialect: 'openai-chat', maxTokens: 100 });
  world.send('r');
  world.until('r done Done.');
  expect(world.news('warning')).toMatchObject([{ request: 'r', code: 'near-output-limit' }]);
});
