/** The plan's fallback strategies in a whole agent: another model, calls that are put off, the user's choice. */
import { describe, expect, it } from 'vitest';
import { script } from '../llm/index.ts';
import type { ScriptBuilder } from '../llm/index.ts';
import { askUser, deferTools, firstOf, switchModel } from '../tokens/index.ts';
import { pureTools } from './tools/tools.ts';
import { AgentWorld } from './world.test-helper.ts';
import type { WorldOptions } from './world.test-helper.ts';

const yes = (): ScriptBuilder => script().text('Yes.').times('always');
const message = (tokens: number): string => 'word'.repeat(tokens - 10);

/** A window that leaves 1001 tokens for messages: see counting.test.ts. */
const narrow = (fallback: WorldOptions['fallback'], more: WorldOptions = {}, words = yes()): AgentWorld =>
  new AgentWorld(words, {
    ...(fallback === undefined ? {} : { fallback }),
    tools: [],
    window: 1264,
    llm: { counts: false },
    ...more,
  });

/** Two requests of a thread, and a third one, with which it is over the window. */
function fill(world: AgentWorld): void {
  for (const id of ['a', 'b']) {
    world.send(id, message(390), { thread_id: 't' });
    world.until(`${id} done Yes.`);
  }
  world.send('r', message(390), { thread_id: 't' });
}

describe('switch-model', () => {
  const large = { name: 'large', window: 100_000 };

  it('asks the larger model, with the whole conversation', () => {
    const world = narrow(switchModel([large]));
    fill(world);
    world.until('r done Yes.');
    expect(world.asked.map(({ model }) => model)).toEqual(['m', 'm', 'large']);
    expect(world.messages(2)).toHaveLength(5);
    expect(world.news('model')).toEqual([{ request: 'r', from: 'm', to: 'large' }]);
  });

  it('asks the first one again in the next request that has room', () => {
    const world = narrow(switchModel([large]));
    fill(world);
    world.until('r done Yes.');
    world.send('s', 'Hello', { thread_id: 'other' });
    world.until('s done Yes.');
    expect(world.asked.at(-1)?.model).toBe('m');
  });

  it('stays with the larger model for the rest of a request, also after an injection', () => {
    const words = script()
      .toolCall('echo', { text: 'x' })
      .turn()
      .barrier('b')
      .text('Done.')
      .turn()
      .text('Heard.');
    const world = narrow(switchModel([large]), { tools: pureTools, window: 2000 }, words);
    world.send('r', message(1480));
    world.untilAsked(2);
    world.inject('i', 'NOTE', 'IMMEDIATE');
    world.release('b');
    world.until('r done Done.Heard.');
    expect(world.asked.map(({ model }) => model)).toEqual(['large', 'large', 'large']);
  });

  it('prunes when no model is large enough', () => {
    const world = narrow(switchModel([{ name: 'tiny', window: 1300 }]));
    fill(world);
    world.until('r done Yes.');
    expect(world.asked.map(({ model }) => model)).toEqual(['m', 'm', 'm']);
    expect(world.messages(2).length).toBeLessThan(5);
  });
});

describe('ask-user', () => {
  it('asks by an approval of the tool compact_context, and compacts when that is given', () => {
    const world = narrow(askUser());
    fill(world);
    world.until('r awaiting_approval');
    world.pass(10_000);
    expect(world.askedBelow()).toBe(2);
    // FOLD-A25: the approval's id is that of an earlier tool_use.
    expect(world.told('r')).toEqual([
      expect.stringMatching(/^r calls compact_context \{"tokens":1192,"limit":1001\}$/),
      'r pending',
      'r asks',
      'r awaiting_approval',
    ]);
    world.decide(true);
    world.until('r done Yes.');
    expect(world.told('r').slice(4)).toEqual([
      'r running',
      'r completed',
      'r gives The conversation is made smaller.',
      'r says Yes.',
      'r usage',
      'r done Yes.',
    ]);
    expect(world.messages(2).length).toBeLessThan(5);
    expect(JSON.stringify(world.asked)).not.toContain('compact_context');
    expect(world.faults()).toEqual([]);
  });

  it('ends the request when the user does not allow it, and asks no model', () => {
    const world = narrow(askUser());
    fill(world);
    world.until('r awaiting_approval');
    world.decide(false);
    world.until(
      'r error the context window is nearly full, and the user did not allow to make the conversation smaller',
    );
    expect(world.told('r')).toContain('r denied');
    expect(world.askedBelow()).toBe(2);
  });

  it('takes no answer within the time of approvals as a denial (FOLD-A37)', () => {
    const world = narrow(askUser(), { approvalTimeout: 1000 });
    fill(world);
    world.until('r awaiting_approval');
    world.pass(1500);
    expect(world.told('r').at(-1)).toMatch(/^r error the context window is nearly full/);
  });

  it('can be cancelled, and the thread goes on', () => {
    const world = narrow(askUser());
    fill(world);
    world.until('r awaiting_approval');
    world.cancel('r');
    world.until('r cancelled the user');
    expect(world.told('r').slice(-2)).toEqual(['r cancelled', 'r cancelled the user']);
    world.send('s', 'Hi', { thread_id: 'other' });
    world.until('s done Yes.');
    expect(world.faults()).toEqual([]);
  });

  it('asks nothing while there is room', () => {
    const world = narrow(askUser());
    world.send('r', message(300));
    world.until('r done Yes.');
    expect(world.told('r')).toEqual(['r says Yes.', 'r usage', 'r done Yes.']);
  });
});

describe('defer-tools', () => {
  const twoCalls = (): ScriptBuilder =>
    script()
      .toolCall('echo', { text: 'a' })
      .toolCall('echo', { text: 'b' })
      .turn()
      .toolCall('echo', { text: 'b' })
      .turn()
      .text('Done.');

  it('runs one call near the limit, and tells the model to make the other again', () => {
    const world = narrow(deferTools(), { tools: pureTools, window: 4000 }, twoCalls());
    world.send('r', message(3100));
    world.until('r done Done.');
    const calls = world.told('r').filter((line) => line.includes(' calls '));
    expect(calls).toEqual(['r calls echo {"text":"a"}', 'r calls echo {"text":"b"}']);
    expect(world.asked[1]?.messages.at(-1)?.toolResults).toMatchObject([
      { content: 'a', isError: false },
      { content: expect.stringMatching(/^Not run: .* again/), isError: true },
    ]);
    expect(world.news('deferred')).toEqual([{ request: 'r', calls: ['echo'] }]);
    expect(world.faults()).toEqual([]);
  });

  it('runs all calls while there is room', () => {
    const words = script()
      .toolCall('echo', { text: 'a' })
      .toolCall('echo', { text: 'b' })
      .turn()
      .text('Done.');
    const world = narrow(deferTools(), { tools: pureTools, window: 20_000 }, words);
    world.send('r', 'Hi');
    world.until('r done Done.');
    expect(world.askedBelow()).toBe(2);
    expect(world.news('deferred')).toEqual([]);
  });
});

it('policies can be combined: the first that applies decides', () => {
  const world = narrow(firstOf(switchModel([{ name: 'tiny', window: 1300 }]), askUser()));
  fill(world);
  world.until('r awaiting_approval');
  expect(world.asked.map(({ model }) => model)).toEqual(['m', 'm']);
});
