/** A cancel at every point of a request (issue 17, "Cancel"; fold.md, FOLD-A44 to A49; llm.md, LLM-C10). */
import { describe, expect, it } from 'vitest';
import { dialects, script } from '../llm/index.ts';
import type { ScriptBuilder } from '../llm/index.ts';
import { AgentWorld } from './world.test-helper.ts';
import type { WorldOptions } from './world.test-helper.ts';
import { readFileTool } from './tools/tools.ts';

/** A point at which a request is cancelled. */
interface Point {
  readonly name: string;
  readonly script: () => ScriptBuilder;
  readonly options?: WorldOptions;
  readonly reach: (world: AgentWorld) => void;
  /** The model requests up to there. */
  readonly asked: number;
  /** The messages of the thread's next model request, before the user's own. */
  readonly history: readonly string[];
  /** The last line before `cancelled`. */
  readonly before?: string;
}

const slow = (): ScriptBuilder => script().text('I wait.').toolCall('wait', { ms: 60_000 });
const called = ['user Do it.', 'assistant I wait. <wait>'];

const points: readonly Point[] = [
  {
    name: 'before the first token',
    script: () => script().barrier('b').text('Hello.'),
    reach: (world) => world.untilAsked(1),
    asked: 1,
    history: ['user Do it.\n\nAgain'],
  },
  {
    name: 'in mid-stream',
    script: () => script().text('Hello. There.').barrier('b', { char: 6 }),
    reach: (world) => world.untilSaid('r', 'Hello.'),
    asked: 1,
    history: ['user Do it.', 'assistant Hello.', 'user Again'],
    before: 'r says Hello.',
  },
  {
    name: 'while a tool runs',
    script: slow,
    reach: (world) => world.until('r running'),
    asked: 1,
    history: [...called, 'user !Cancelled while the tool ran. Again'],
    before: 'r cancelled',
  },
  {
    name: 'while a tool waits for its approval',
    script: slow,
    options: { gated: ['wait'] },
    reach: (world) => world.until('r awaiting_approval'),
    asked: 1,
    history: [...called, 'user !Cancelled: the tool did not run. Again'],
    before: 'r cancelled',
  },
  {
    name: 'between two calls of a response',
    script: () =>
      script().toolCall('echo', { text: 'a' }).toolCall('wait', { ms: 9000 }).toolCall('echo', { text: 'c' }),
    reach: (world) => world.until('r running'),
    asked: 1,
    history: [
      'user Do it.',
      'assistant <echo> <wait> <echo>',
      'user =a !Cancelled while the tool ran. !Cancelled: the tool did not run. Again',
    ],
    before: 'r cancelled',
  },
  {
    name: 'before the next attempt at an overloaded provider',
    script: () => script().error({ type: 'overloaded', message: 'busy', status: 529, retryAfter: '30s' }),
    reach: (world) => world.untilAsked(1),
    asked: 1,
    history: ['user Do it.\n\nAgain'],
  },
];

describe.each(dialects)('with %s, a cancel', (dialect) => {
  it.each(points)('$name', ({ script: scripted, options, reach, asked, history, before }) => {
    const world = new AgentWorld(scripted().turn().text('Yes.'), { dialect, ...options });
    world.send('r', 'Do it.', { thread_id: 't' });
    reach(world);
    world.pass(before === undefined ? 20 : 0);
    const at = world.clock.now();
    world.cancel('r');
    world.until('r cancelled the user');
    expect(world.clock.now() - at).toBeLessThan(10);
    world.pass(120_000);
    // "that request's exchange below is let go of within 1 s, no further one is begun for it"
    expect(world.askedBelow()).toBe(asked);
    const answers = world.heard.filter((one) => one.by === 'model' && one.told === 'answered');
    for (const answer of answers) expect(answer.at - at).toBeLessThan(1000);
    // FOLD-A15: nothing for a request after its terminal; FOLD-A47: open tools become CANCELLED
    expect(world.told('r').at(-1)).toBe('r cancelled the user');
    if (before === 'r cancelled') expect(world.told('r').at(-2)).toBe('r cancelled');
    // "what the thread sends next is valid"
    world.send('s', 'Again', { thread_id: 't' });
    world.pass(1000);
    expect(world.messages(asked)).toEqual(history);
    expect(world.faults()).toEqual([]);
    expect(world.told('s').at(-1)).toBe('s done Yes.');
  });
});

it('a cancel of a request that waits for its thread takes it out, and no model is asked for it', () => {
  const world = new AgentWorld(script().text('One.').barrier('b', { char: 4 }).turn().text('Three.'));
  world.send('r1', 'One', { thread_id: 't' });
  world.send('r2', 'Two', { thread_id: 't' });
  world.send('r3', 'Three', { thread_id: 't' });
  world.untilSaid('r1', 'One.');
  world.cancel('r2');
  world.until('r2 cancelled the user');
  world.release('b');
  world.pass(1000);
  expect(world.told('r1').at(-1)).toBe('r1 done One.');
  expect(world.told('r3').at(-1)).toBe('r3 done Three.');
  expect(world.messages(1)).toEqual(['user One', 'assistant One.', 'user Three']);
});

// "one of three": FOLD-A48: Cancel leaves other requests running
it('one of three requests that stream at once is cancelled, and the others go on', () => {
  const world = new AgentWorld(
    script({ conversations: 'one' }).text('Hello. There.').barrier('b', { char: 6 }).times('always'),
  );
  for (const id of ['a', 'b', 'c']) world.send(id, `I am ${id}`);
  for (const id of ['a', 'b', 'c']) world.untilSaid(id, 'Hello.');
  world.cancel('b');
  world.until('b cancelled the user');
  world.release('b');
  world.pass(1000);
  expect(world.told('a').at(-1)).toBe('a done Hello. There.');
  expect(world.told('c').at(-1)).toBe('c done Hello. There.');
  expect(world.told('b').at(-1)).toBe('b cancelled the user');
  expect(world.outcomes().filter((outcome) => outcome === 'aborted')).toHaveLength(1);
});

it('a cancel stops a tool that the host runs', () => {
  const world = new AgentWorld(script().toolCall('read_file', { path: 'a' }), { tools: [readFileTool] });
  world.send('r');
  world.until('r running');
  world.cancel('r');
  world.until('r cancelled the user');
  expect(world.effects).toEqual([
    { do: 'run', id: 'tool-1', tool: 'read_file', input: { path: 'a' } },
    { do: 'cancel', id: 'tool-1' },
  ]);
  world.agent.command({ do: 'tool_end', id: 'tool-1', end: { outcome: 'completed', output: 'late' } });
  world.pass(1000);
  expect(world.told().at(-1)).toBe('r cancelled the user');
});

it('cancels of requests that are unknown or over are ignored (FOLD-A49)', () => {
  const world = new AgentWorld(script().text('Hi.'));
  world.cancel('nobody');
  world.send('r');
  world.until('r done Hi.');
  world.cancel('r');
  world.pass(1000);
  expect(world.told().at(-1)).toBe('r done Hi.');
});
