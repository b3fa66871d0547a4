/** Tools that wait for an approval (fold.md, FOLD-A32 to A37; issue 17, "Approval"). */
import { describe, expect, it } from 'vitest';
import { script } from '../llm/index.ts';
import type { ScriptBuilder } from '../llm/index.ts';
import { AgentWorld } from './world.test-helper.ts';
import type { WorldOptions } from './world.test-helper.ts';

const gated: WorldOptions = { gated: ['echo'] };
const one = (): ScriptBuilder => script().toolCall('echo', { text: 'x' }).turn().text('Well.');
const three = (): ScriptBuilder => {
  const calls = script()
    .toolCall('echo', { text: 'a' })
    .toolCall('wait', { ms: 1 })
    .toolCall('echo', { text: 'c' });
  return calls.turn().toolCall('echo', { text: 'd' }).turn().text('Well.');
};

describe('a gated tool', () => {
  it('asks, and runs after its approval only', () => {
    const world = new AgentWorld(one(), gated);
    world.send('r');
    world.until('r awaiting_approval');
    world.pass(10_000);
    expect(world.told()).toEqual([
      'r usage',
      'r calls echo {"text":"x"}',
      'r pending',
      'r asks',
      'r awaiting_approval',
    ]);
    world.decide(true);
    world.pass(1000);
    expect(world.told().slice(5, 8)).toEqual(['r running', 'r completed', 'r gives x']);
  });

  // FOLD-A33, A34: "denied, the tool is not run and the model is told by an error result"
  it('that is denied does not run, and the model hears of it', () => {
    const world = new AgentWorld(one(), gated);
    world.send('r');
    world.until('r awaiting_approval');
    world.decide(false);
    world.until('r done Well.');
    expect(world.told()).not.toContain('r running');
    expect(world.told()).toContain('r denied');
    expect(world.asked[1]?.messages.at(-1)?.toolResults).toMatchObject([{ isError: true }]);
  });

  // FOLD-A37: "Unanswered approval becomes denial (default 300 s)"
  it('that nobody decides about is denied after its time', () => {
    const world = new AgentWorld(one(), gated);
    world.send('r');
    world.until('r awaiting_approval');
    world.pass(299_000);
    expect(world.told().at(-1)).toBe('r awaiting_approval');
    world.pass(2000);
    expect(world.told()).toContain('r denied');
    expect(world.told().at(-1)).toBe('r done Well.');
  });

  // "no call runs before its decision, whatever order calls stream in"
  it('holds the calls behind it', () => {
    const world = new AgentWorld(three(), gated);
    world.send('r');
    world.until('r awaiting_approval');
    world.pass(1000);
    expect(world.told().filter((line) => line.startsWith('r calls'))).toEqual(['r calls echo {"text":"a"}']);
  });

  // FOLD-A35: "After approve_all, no further asking in that request"; it "covers the rest of the request"
  it('is not asked about again after approve_all, within its request', () => {
    const world = new AgentWorld(three().turn().toolCall('echo', { text: 'e' }).turn().text('End.'), gated);
    world.send('r');
    world.until('r awaiting_approval');
    world.decide(true, true);
    world.until('r done Well.');
    expect(world.told().filter((line) => line === 'r asks')).toHaveLength(1);
    world.send('s');
    world.until('s awaiting_approval');
  });

  it('is not allowed by an approve_all that denies', () => {
    const world = new AgentWorld(three(), gated);
    world.send('r');
    world.until('r awaiting_approval');
    world.decide(false, true);
    world.until('r awaiting_approval');
    expect(world.told().filter((line) => line === 'r asks')).toHaveLength(2);
  });
});

// FOLD-A36
it('decisions about unknown tools are ignored', () => {
  const world = new AgentWorld(one(), gated);
  world.send('r');
  world.until('r awaiting_approval');
  world.tell({ tool_approval: { id: 'other', approved: true, approve_all: true } });
  world.pass(1000);
  expect(world.told().at(-1)).toBe('r awaiting_approval');
  world.decide(true);
  world.decide(false);
  world.until('r done Well.');
});

// FOLD-A31: "Work with tool_states absent (tool_use → tool_result)"
it('an agent that advertises nothing sends neither states nor usage, and still asks', () => {
  const fold = { register: { protocol_features: [] } };
  const world = new AgentWorld(one(), { ...gated, fold });
  world.send('r');
  world.until('r asks');
  world.decide(true);
  world.until('r done Well.');
  expect(world.told()).toEqual([
    'r calls echo {"text":"x"}',
    'r asks',
    'r gives x',
    'r says Well.',
    'r done Well.',
  ]);
});
