/** A whole agent whose provider fails (issue 17, "Provider", "Budget"; llm.md, LLM-C06, C07, C09, C15; tokens.md, TOK-24, TOK-45). */
import { describe, expect, it } from 'vitest';
import { dialects, script } from '../llm/index.ts';
import { estimateTokens } from '../tokens/index.ts';
import { AgentWorld } from './world.test-helper.ts';

const ends = (world: AgentWorld): string[] =>
  world.told().filter((line) => / (done|error|cancelled) /.test(line));

describe.each(dialects)('with %s', (dialect) => {
  // LLM-C07: "A mid-stream error MUST be an error; text already received SHOULD be kept"
  it('an error in mid-stream ends the request once, behind the text that came', () => {
    const broken = script()
      .text('Hello.')
      .error({ type: 'server', message: 'it broke' })
      .turn()
      .text('Better.');
    const world = new AgentWorld(broken, { dialect });
    world.send('r', 'Hi', { thread_id: 't' });
    world.pass(60_000);
    expect(world.told()[0]).toBe('r says Hello.');
    expect(ends(world)).toEqual(['r error the model request failed: it broke']);
    // LLM-C09: "nothing is retried after output was consumed"
    expect(world.askedBelow()).toBe(1);
    world.send('s', 'Again', { thread_id: 't' });
    world.pass(1000);
    expect(world.messages(1)).toEqual(['user Hi', 'assistant Hello.', 'user Again']);
  });

  // LLM-C09: "Retries MUST be bounded"
  it('an overloaded provider is asked again, three times at most', () => {
    const busy = script().error({ type: 'overloaded', message: 'busy', status: 529 }).times('always');
    const world = new AgentWorld(busy, { dialect });
    world.send('r');
    world.pass(120_000);
    expect(ends(world)).toEqual([expect.stringMatching(/^r error the model request failed: ./)]);
    expect(world.askedBelow()).toBeLessThanOrEqual(3);
  });

  // LLM-C15: "MUST NOT hang for ever"
  it('a stalled stream ends the request within the agent’s time', () => {
    const stalled = script().text('Hello.').with({ transport: 'stall', signal: 'missing' });
    const world = new AgentWorld(stalled, { dialect, llm: { idle: 5000 } });
    world.send('r');
    world.pass(10_000);
    expect(world.told()).toEqual([
      'r says Hello.',
      'r error the model request failed: nothing came for 5000 ms',
    ]);
    expect(world.askedBelow()).toBe(1);
  });

  it('a reset ends the request with an error, behind the text that came', () => {
    const world = new AgentWorld(script().text('Hello. There.').barrier('b', { char: 6 }), { dialect });
    world.send('r');
    world.untilSaid('r', 'Hello.');
    world.fault({ kind: 'reset' });
    world.pass(60_000);
    expect(world.told()[0]).toBe('r says Hello.');
    expect(ends(world)).toEqual([expect.stringMatching(/^r error ./)]);
    expect(world.askedBelow()).toBe(1);
  });

  it('a reset before the first token is asked again', () => {
    const world = new AgentWorld(
      script({ conversations: 'one' }).barrier('b').text('Hello.').turn().text('Here.'),
      {
        dialect,
      },
    );
    world.send('r');
    world.untilAsked(1);
    world.fault({ kind: 'reset' });
    world.pass(60_000);
    expect(ends(world)).toEqual(['r done Here.']);
  });

  // TOK-45: "Overflow MUST compact and retry, at most twice per run"
  it('after an overflow the next request is smaller, twice at most', () => {
    const long = script({ conversations: 'one' }).text('Noted.').times(4).turn();
    long.error({
      type: 'invalid_request',
      message: 'prompt is too long: 9000 tokens > 5000 maximum',
      status: 400,
    });
    const world = new AgentWorld(long.times('always'), { dialect });
    for (let i = 0; i < 4; i++) {
      world.send(`r${i}`, `${i} ${'word '.repeat(300)}`, { thread_id: 't' });
      world.until(`r${i} done Noted.`);
    }
    world.send('r', 'And now?', { thread_id: 't' });
    world.pass(60_000);
    expect(ends(world).at(-1)).toMatch(/^r error .*prompt is too long/);
    const sizes = world.asked.slice(4).map(({ messages }) => estimateTokens(messages));
    expect(sizes).toHaveLength(3);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(sizes).size).toBe(3);
    expect(world.faults()).toEqual([]);
  });
});

// TOK-43: "retry hints override"
it('the provider’s own delay is kept', () => {
  const busy = script().error({ type: 'rate_limit', message: 'slow', status: 429, retryAfter: '20s' });
  const world = new AgentWorld(busy.turn().text('Here.'));
  world.send('r');
  world.pass(19_000);
  expect(world.askedBelow()).toBe(1);
  world.until('r done Here.');
  expect(world.clock.now()).toBeLessThan(22_000);
});

it('a delay beyond the patience of the agent is not waited for', () => {
  const busy = script().error({
    type: 'rate_limit',
    message: 'come back later',
    status: 429,
    retryAfter: '1h',
  });
  const world = new AgentWorld(busy);
  world.send('r');
  world.until('r error the model request failed: come back later');
});

// LLM-C09: "4xx other than 408, 409, 429 are not retried"
it.each([400, 401, 403, 404, 422])('status %i is not retried', (status) => {
  const world = new AgentWorld(script().error({ type: 'x', message: 'no', status }).times('always'));
  world.send('r');
  world.pass(60_000);
  expect(world.askedBelow()).toBe(1);
  expect(ends(world)).toEqual(['r error the model request failed: no']);
});

it('no provider at all is an error in words', () => {
  const world = new AgentWorld(script().text('never'));
  world.below.listen(undefined);
  world.send('r');
  world.pass(60_000);
  expect(ends(world)).toEqual([expect.stringMatching(/^r error the model request failed: ./)]);
});

// TOK-24: "If estimate+200 does not fit, MUST send nothing"; "over the window nothing larger is sent"
it('a message over the window is not sent', () => {
  const world = new AgentWorld(script().text('Hi.'), { window: 2000 });
  world.send('r', 'x'.repeat(12_000));
  world.pass(1000);
  expect(world.askedBelow()).toBe(0);
  expect(ends(world)).toEqual(['r error the conversation does not fit the context window']);
});

it('a conversation that grows over the window is pruned, and goes on', () => {
  const world = new AgentWorld(script({ conversations: 'one' }).text('Noted.').times('always'), {
    window: 3000,
  });
  for (let i = 0; i < 12; i++) {
    world.send(`r${i}`, `${i} ${'word '.repeat(300)}`, { thread_id: 't' });
    world.until(`r${i} done Noted.`);
  }
  for (const { messages } of world.asked) expect(estimateTokens(messages)).toBeLessThan(3000);
  expect(world.faults()).toEqual([]);
});

it('a long chain of tools is not stopped by the sum of its usages', () => {
  const chain = script({ conversations: 'one' })
    .toolCall('echo', { text: 'x' })
    .usage({ input: 2500 })
    .times(20);
  const world = new AgentWorld(chain.turn().text('Done.'), { window: 3000 });
  world.send('r');
  world.until('r done Done.');
});

it('an empty message ends in words, without a model request', () => {
  const world = new AgentWorld(script().text('Hi.'));
  world.send('r', ' ');
  world.until('r error the message is empty');
  expect(world.askedBelow()).toBe(0);
});

it('a message over the window does not stop its thread: the next one is answered', () => {
  const world = new AgentWorld(script({ conversations: 'one' }).text('Noted.').times('always'), {
    window: 2000,
  });
  const say = (id: string, content: string): void => world.send(id, content, { thread_id: 't' });
  say('a', 'One');
  world.until('a done Noted.');
  world.inject('i', 'NOTE', 'NORMAL');
  say('b', 'x'.repeat(12_000));
  world.pass(1000);
  say('c', 'Three');
  world.until('c done Noted.');
  expect(world.messages(1)).toEqual(['user One', 'assistant Noted.', 'user NOTE\n\nThree']);
});

it('a turn that fills the window does not stop its thread', () => {
  const tool = script({ conversations: 'one' });
  for (let i = 0; i < 5; i++) tool.toolCall('echo', { text: `${i} ${'word '.repeat(280)}` });
  const world = new AgentWorld(tool.turn().text('Noted.').times('always'), { window: 2000 });
  world.send('a', 'One', { thread_id: 't' });
  world.pass(1000);
  expect(ends(world)).toEqual(['a error the conversation does not fit the context window']);
  world.send('b', 'Two', { thread_id: 't' });
  world.until('b done Noted.');
  expect(world.faults()).toEqual([]);
});
