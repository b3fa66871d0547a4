/** Replaced parts make an agent that is wrong in one way; and the role is hosted as any other peer. */
import { describe, expect, it } from 'vitest';
import { peerOf } from '../kit/suite/index.ts';
import { VirtualClock, seededRandom } from '../kit/world/index.ts';
import type { Dial } from '../kit/world/index.ts';
import { script } from '../llm/index.ts';
import { turnMachine } from '../tokens/index.ts';
import { wholeAgent } from './agent.ts';
import { tokenUsage } from './exchange.ts';
import { wireOf } from './wire.ts';
import { AgentWorld } from './world.test-helper.ts';

describe('an agent with a replaced part', () => {
  it('counts usage twice', () => {
    const usages = [{ input_tokens: 1 }, { input_tokens: 2 }];
    const world = new AgentWorld(script().text('Hi.'), { parts: { usages: () => usages } });
    world.send('r');
    world.until('r done Hi.');
    expect(world.responses().flatMap(({ usage }) => usage ?? [])).toEqual(usages);
  });

  it('ignores a cancel below', () => {
    const slow = script().text('Hello. There.').barrier('b', { char: 6 });
    const world = new AgentWorld(slow, { parts: { abandon: () => [] } });
    world.send('r');
    world.untilSaid('r', 'Hello.');
    world.cancel('r');
    world.until('r cancelled the user');
    world.pass(5000);
    expect(world.outcomes()).toEqual([]);
    world.release('b');
    world.pass(5000);
    expect(world.told().at(-1)).toBe('r cancelled the user');
  });

  it('applies a DEFERRED injection at once', () => {
    const world = new AgentWorld(script().toolCall('wait', { ms: 500 }).turn().text('Hi.'), {
      parts: { takes: () => true },
    });
    world.send('r');
    world.until('r running');
    world.inject('i', 'NOTE', 'DEFERRED');
    world.until('r done Hi.');
    expect(world.times('NOTE', 1)).toBe(1);
  });

  it('runs a cut call', () => {
    const cut = script().toolCall('echo', { text: 'a long text' }).toolCall('echo', { text: 'cut' });
    const world = new AgentWorld(cut.cutAt({ json: 'inside-string' }).turn().text('Hi.'), {
      dialect: 'ollama',
      parts: {
        turn(options) {
          const machine = turnMachine(options);
          return {
            start: () => machine.start(),
            step(state, input) {
              if (input.type !== 'response') return machine.step(state, input);
              const { content, toolCalls } = input.response;
              return machine.step(state, {
                ...input,
                response: { content, toolCalls, metadata: { stopReason: 'tool_use' } },
              });
            },
          };
        },
      },
    });
    world.send('r');
    world.until('r done Hi.');
    expect(world.told()).toContain('r gives a long text');
  });

  it('runs gated tools unasked, changes its requests, and retries what it must not', () => {
    const world = new AgentWorld(
      script()
        .error({ type: 'x', message: 'no', status: 400 })
        .times(2)
        .turn()
        .toolCall('echo', { text: 'x' })
        .turn()
        .text('Hi.'),
      {
        gated: ['echo'],
        parts: {
          gates: () => false,
          request: (asks) => ({ ...asks, system: 'changed' }),
          failure: () => ({ kind: 'http', status: 500 }),
        },
      },
    );
    world.send('r');
    world.until('r done Hi.');
    expect(world.told()).not.toContain('r asks');
    expect(world.asked.map(({ system }) => system)).toEqual(Array.from({ length: 4 }, () => 'changed'));
  });
});

it('is hosted with the codecs of its two kinds of links', () => {
  const clock = new VirtualClock();
  const dialled: unknown[] = [];
  const dial: Dial = ({ metadata }) => {
    dialled.push(metadata);
    const link = {
      conn: 'c',
      stream: 's',
      headers() {},
      halfClose() {},
      close() {},
      pause() {},
      resume() {},
    };
    return { ...link, send: (bytes) => dialled.push(bytes.length) > 0 };
  };
  const role = wholeAgent({
    fold: { agent_id: 'mine', metadata: () => ({ authorization: 'Bearer x' }) },
    llm: { baseUrl: 'http://model', dialect: 'anthropic', model: 'm' },
    random: seededRandom,
  });
  const { receives, sends } = wireOf({});
  peerOf(role, receives, sends, { wireOf })({ clock, dial }).begin();
  expect(dialled).toEqual([{ authorization: 'Bearer x' }, expect.any(Number)]);
});

it('counts beyond the schema’s numbers are clamped', () => {
  expect(tokenUsage({ inputTokens: 2 ** 40, outputTokens: -1, cacheReadTokens: 1.5 })).toEqual({
    input_tokens: 2 ** 31 - 1,
    output_tokens: 0,
    cache_read_tokens: 1,
    cache_write_tokens: 0,
    thinking_tokens: 0,
  });
});
