/** The tools of a whole agent, and how their runs end (fold.md, FOLD-A26 to A30; issue 17, "tools"). */
import { describe, expect, it } from 'vitest';
import { script } from '../../llm/index.ts';
import { AgentWorld } from '../world.test-helper.ts';
import { misfitOf } from '../../kit/base/index.ts';
import { readFileTool, waitTool } from './tools.ts';

const reading = (): AgentWorld =>
  new AgentWorld(script().toolCall('read_file', { path: 'a' }).turn().text('Done.'), {
    tools: [readFileTool],
  });

describe('a tool that the host runs', () => {
  it.each([
    ['completed', 'gives'],
    ['failed', 'fails'],
    ['timeout', 'fails'],
  ] as const)('that ends as %s', (outcome, word) => {
    const world = reading();
    world.send('r');
    world.until('r running');
    world.agent.command({ do: 'tool_end', id: 'tool-1', end: { outcome, output: 'text' } });
    world.until('r done Done.');
    expect(world.told()).toContain(`r ${outcome}`);
    expect(world.told()).toContain(`r ${word} text`);
  });

  it('that takes too long is stopped: TIMEOUT, and an error for the model', () => {
    const world = reading();
    world.send('r');
    world.until('r timeout');
    world.until('r done Done.');
    expect(world.effects.at(-1)).toEqual({ do: 'cancel', id: 'tool-1' });
    expect(world.messages(1).at(-1)).toBe('user !the tool took too long, and was stopped');
  });

  it('whose host answers nonsense has failed', () => {
    const world = reading();
    world.send('r');
    world.until('r running');
    world.agent.command({ do: 'tool_end', id: 'tool-1', end: { outcome: 'splendid', output: 5 } as never });
    world.until('r done Done.');
    expect(world.told()).toContain('r fails the host gave no result');
  });
});

it('a wait beyond the time of its tool is a timeout', () => {
  const world = new AgentWorld(script().toolCall('wait', { ms: 5000 }).turn().text('Done.'), {
    tools: [{ ...waitTool, timeout: 1000 }],
  });
  world.send('r');
  world.until('r done Done.');
  expect(world.told()).toContain('r timeout');
});

it('an output over a quarter of the window is cut', () => {
  const world = reading();
  world.send('r');
  world.until('r running');
  const output = 'x'.repeat(5_000_000);
  world.agent.command({ do: 'tool_end', id: 'tool-1', end: { outcome: 'completed', output } });
  world.until('r done Done.');
  const [result] = world.responses().flatMap((r) => r.tool_result ?? []);
  expect(result?.output?.length).toBe(200_000);
});

it('a model that calls tools for ever is stopped', () => {
  const world = new AgentWorld(
    script({ conversations: 'one' }).toolCall('echo', { text: 'x' }).times('always'),
  );
  world.send('r');
  world.pass(1_000_000);
  expect(world.askedBelow()).toBe(200);
  expect(world.told().at(-1)).toBe('r error the model was asked 200 times, and has not finished');
});

describe('an input', () => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: ['string', 'null'] },
      n: { type: 'integer', minimum: 1, maximum: 3 },
      e: { enum: ['x', 'y'] },
      l: {
        type: 'array',
        items: { type: 'object', required: ['z'], properties: { z: { type: 'boolean' } } },
      },
    },
  };
  it.each([
    [{ a: 'x' }, undefined],
    [{ a: null, n: 3, e: 'y', l: [{ z: true }], other: 1 }, undefined],
    [[], 'expected the input to be object; came array'],
    [{}, 'expected a; it is missing'],
    [{ a: 1 }, 'expected a to be string or null; came number'],
    [{ a: '', n: 1.5 }, 'expected n to be integer; came number'],
    [{ a: '', n: 0 }, 'expected n to be at least 1; came 0'],
    [{ a: '', n: 4 }, 'expected n to be at most 3; came 4'],
    [{ a: '', e: 'z' }, 'expected e to be one of ["x","y"]'],
    [{ a: '', l: [{ z: true }, { z: 1 }] }, 'expected l[1].z to be boolean; came number'],
    [{ a: '', l: [{}] }, 'expected l[0].z; it is missing'],
  ])('%j: %s', (input, misfit) => expect(misfitOf(schema, input)).toBe(misfit));

  it('and one that is closed takes no further members', () => {
    const closed = { ...schema, additionalProperties: false };
    expect(misfitOf(closed, { a: 'x' })).toBe(undefined);
    expect(misfitOf(closed, { a: 'x', other: 1 })).toBe('expected no other; its schema is closed');
  });

  it('of any depth is tested without recursion', () => {
    let deep: object = { type: 'array' };
    for (let i = 0; i < 100_000; i++) deep = { type: 'array', items: deep };
    let value: unknown = [];
    for (let i = 0; i < 100_000; i++) value = [value];
    expect(misfitOf(deep as never, value as never)).toBe(undefined);
  });
});
