/**
 * Requests near the limit of the window are counted by the provider first, where it can (issue 17: "`TokenCounter`s over
 * `count_tokens`, `/v1/responses/input_tokens` and LM Studio's `countTokens`"). The simulated provider counts four UTF-16
 * units as a token, as the estimate does, but without the estimate's ten tokens a message (TOK-25).
 */
import { describe, expect, it } from 'vitest';
import { ignoredEvents } from '../kit/world/index.ts';
import type { Accept } from '../kit/world/index.ts';
import { dialects, script } from '../llm/index.ts';
import { AgentWorld } from './world.test-helper.ts';
import type { WorldOptions } from './world.test-helper.ts';

const counting = ['anthropic', 'openai-responses', 'lmstudio'] as const;

/** A world whose window of 1264 tokens leaves 1001 for messages: 63 are reserved (TOK-20), and 200 are the margin (TOK-24). */
const narrow = (options: WorldOptions = {}): AgentWorld =>
  new AgentWorld(script().text('Yes.').times('always'), { tools: [], window: 1264, ...options });

/** A text whose message has so many tokens, as the estimate has them. */
const message = (tokens: number): string => 'word'.repeat(tokens - 10);

/** Three requests of a thread; their answers are estimated at 11 tokens each. */
function fill(world: AgentWorld, tokens: number): void {
  for (const id of ['a', 'b', 'c']) {
    world.send(id, message(tokens), { thread_id: 't' });
    world.until(`${id} done Yes.`);
  }
}

/** Answers a count over HTTP. */
const answering =
  (status: number, body: string, seen: string[] = []): Accept =>
  (link, metadata) => {
    seen.push(metadata[':url'] ?? '');
    link.headers({ ':status': String(status), 'content-type': 'application/json' });
    link.send(Buffer.from(body));
    link.halfClose();
    return ignoredEvents;
  };

/** The exchanges with the model that a request of so many tokens costs. */
function costOf(world: AgentWorld, tokens: number): number {
  const before = world.dials;
  world.send('r', message(tokens));
  world.until('r done Yes.');
  return world.dials - before;
}

describe.each(counting)('with %s', (dialect) => {
  it('a request far from the limit costs no count', () => {
    expect(costOf(narrow({ dialect }), 790)).toBe(1);
  });

  it('a request near the limit is counted before it is sent, and its count is no usage', () => {
    const world = narrow({ dialect });
    expect(costOf(world, 900)).toBe(2);
    expect(world.told('r')).toEqual(['r says Yes.', 'r usage', 'r done Yes.']);
    expect(world.asked).toHaveLength(1);
  });

  it('a conversation that the provider counts as small enough is sent whole', () => {
    const world = narrow({ dialect });
    fill(world, 300);
    // Estimated: 3 × (300 + 11) + 75 = 1008; counted: some 70 less.
    world.send('r', message(75), { thread_id: 't' });
    world.until('r done Yes.');
    expect(world.messages(3)).toHaveLength(7);
    const estimated = narrow({ dialect, llm: { counts: false } });
    fill(estimated, 300);
    estimated.send('r', message(75), { thread_id: 't' });
    estimated.until('r done Yes.');
    expect(estimated.messages(3).length).toBeLessThan(7);
  });

  it('a cancel lets go of the count, and the thread goes on', () => {
    const world = narrow({ dialect });
    world.send('r', message(900), { thread_id: 't' });
    world.cancel('r');
    world.until('r cancelled the user');
    world.pass(2000);
    expect([world.dials, world.askedBelow()]).toEqual([1, 0]);
    world.send('s', 'Again', { thread_id: 't' });
    world.until('s done Yes.');
    expect(world.faults()).toEqual([]);
  });
});

describe('a provider', () => {
  it('that counts more than the estimate has the conversation pruned', () => {
    const world = narrow({ counter: answering(200, '{"input_tokens": 1200}') });
    fill(world, 300);
    // The third request is estimated at 922 tokens of 1001.
    expect(world.news('prune').length + world.news('compact').length).toBe(1);
    expect(world.messages(2).length).toBeLessThan(5);
  });

  it('without the endpoint is asked to count once, and then no more', () => {
    const seen: string[] = [];
    const world = narrow({ counter: answering(404, '{}', seen) });
    fill(world, 300);
    expect(costOf(world, 900)).toBe(1);
    expect(seen).toEqual(['http://model/v1/messages/count_tokens']);
  });

  it.each([
    ['is overloaded', answering(529, '{}')],
    ['says nothing', () => ignoredEvents],
  ])('that %s when it is to count is asked by the estimate, and may count another time', (_, counter) => {
    const world = narrow({ counter });
    expect(costOf(world, 900)).toBe(2);
    expect(costOf(world, 900)).toBe(2);
    expect(world.askedBelow()).toBe(2);
  });
});

describe('no count', () => {
  it.each(['ollama', 'openai-chat'] as const)('is asked of %s, which has none', (dialect) => {
    expect(costOf(narrow({ dialect }), 900)).toBe(1);
  });

  it.each(dialects)('is asked of %s when the options say so', (dialect) => {
    expect(costOf(narrow({ dialect, llm: { counts: false } }), 900)).toBe(1);
  });

  it('is asked of a request that is far over the limit', () => {
    const world = narrow();
    world.send('r', message(5000));
    world.until('r error the conversation does not fit the context window');
    expect(world.dials).toBe(0);
  });
});
