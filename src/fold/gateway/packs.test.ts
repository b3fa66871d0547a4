/** Packs and agents' calls of their tools (rows G47–G52). */
import { describe, expect, it } from 'vitest';
import { GatewayStage } from './gateway.test-helper.ts';
import type { ToolDefinition } from '../messages.ts';

const forecast: ToolDefinition = {
  name: 'forecast',
  description: 'The weather',
  input_schema_json: '{}',
  required_capabilities: ['net', 'chat'],
};

describe("a pack's tools", () => {
  it('are offered to who has all their capabilities, and to nobody else (G47)', () => {
    const stage = new GatewayStage();
    const open = { name: 'open' };
    stage.pack({ pack_id: 'p', tools: [forecast, open] });
    const offered = (capabilities: string[]): readonly ToolDefinition[] => {
      const peer = stage.open('agent');
      stage.say(peer, { register: { agent_id: peer, capabilities } });
      return stage.heard(peer)[0]?.welcome?.available_tools ?? [];
    };
    expect(offered(['chat', 'net'])).toEqual([forecast, open]);
    expect(offered(['chat'])).toEqual([open]);
    expect(offered([])).toEqual([open]);
  });

  it.each([
    ['an empty pack_id', {}, 3],
    ['a tool without a name', { pack_id: 'q', tools: [{}] }, 3],
    ['a pack_id that is taken', { pack_id: 'p' }, 6],
    ['a tool name that is taken', { pack_id: 'q', tools: [{ name: 'new' }, { name: 'forecast' }] }, 6],
    ['the same tool twice', { pack_id: 'q', tools: [{ name: 'new' }, { name: 'new' }] }, 6],
  ])('with %s are refused, and nothing of them is there (G52)', (_, manifest, code) => {
    const stage = new GatewayStage();
    stage.pack({ pack_id: 'p', tools: [{ name: 'forecast' }] });
    const second = stage.open('pack');
    stage.say(second, { manifest });
    expect(stage.ended(second)).toMatchObject({ code });
    expect([...stage.state.packs.keys()]).toEqual(['p']);
    expect([...stage.state.tools.keys()]).toEqual(['forecast']);
    const third = stage.pack({ pack_id: 'q', tools: [{ name: 'new' }] });
    expect(stage.ended(third)).toBeUndefined();
  });

  it('vanish with their pack, and come back with it', () => {
    const stage = new GatewayStage();
    const first = stage.pack({ pack_id: 'p', tools: [{ name: 'forecast' }] });
    stage.give({ type: 'left', peer: first });
    expect(stage.state.tools.size).toBe(0);
    const second = stage.pack({ pack_id: 'p', tools: [{ name: 'forecast' }] });
    expect(stage.ended(second)).toBeUndefined();
    expect(stage.state.tools.size).toBe(1);
  });
});

/** A stage with a pack and an agent that may call its tools. */
function packed(tools: readonly ToolDefinition[] = [forecast, { name: 'quick', timeout_seconds: 2 }]): {
  stage: GatewayStage;
  pack: string;
  agent: string;
  call: (request_id: string, more?: object) => string;
} {
  const stage = new GatewayStage();
  const pack = stage.pack({ pack_id: 'weather', tools });
  const agent = stage.agent('a-1', { capabilities: ['chat', 'net'] });
  const call = (request_id: string, more: object = {}): string => {
    const execute_pack_tool = { request_id, tool_name: 'forecast', input_json: '{"a":1}', ...more };
    stage.say(agent, { execute_pack_tool });
    const [order] = stage.orders(pack);
    return order !== undefined && 'execute_tool' in order ? (order.execute_tool.request_id ?? '') : '';
  };
  return { stage, pack, agent, call };
}

const failed = (request_id: string): object => ({
  pack_tool_result: { request_id, error: expect.stringMatching(/./) as string },
});

describe('a pack call', () => {
  it('reaches the pack under an id of the gateway, and its result the agent under its own (G48)', () => {
    const { stage, pack, agent } = packed();
    const execute_pack_tool = { request_id: 'c-1', tool_name: 'forecast', input_json: '{"a":1}' };
    stage.say(agent, { execute_pack_tool });
    const [order] = stage.orders(pack);
    const execute = order !== undefined && 'execute_tool' in order ? order.execute_tool : {};
    expect(execute).toEqual({
      tool_name: 'forecast',
      input_json: '{"a":1}',
      request_id: expect.stringMatching(/./) as string,
    });
    expect(execute.request_id).not.toBe('c-1');
    expect(stage.heard(agent)).toEqual([]);
    const result = stage.result(execute.request_id ?? '', { output_json: '"sun"' });
    expect(stage.replies(result)).toEqual([{ empty: {} }, { end: 0 }]);
    expect(stage.heard(agent)).toEqual([{ pack_tool_result: { request_id: 'c-1', output_json: '"sun"' } }]);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it.each([
    ['in error', { error: 'rain' }, { error: 'rain' }],
    ['of nothing', {}, { error: expect.stringMatching(/./) as string }],
  ])('has the result %s (G48)', (_, answer, shown) => {
    const { stage, agent, call } = packed();
    stage.result(call('c-1'), answer);
    expect(stage.heard(agent)).toEqual([{ pack_tool_result: { request_id: 'c-1', ...shown } }]);
  });

  it.each([
    ['of an unknown tool', { tool_name: 'nothing' }],
    ['of no tool', { tool_name: '' }],
    ['with input that is no JSON', { input_json: '{' }],
    ['without input', { input_json: '' }],
    ['without an id', { request_id: '' }],
  ])('%s has one error at once, and the stream is kept (G49)', (_, more) => {
    const { stage, agent, call } = packed();
    expect(call('c-1', more)).toBe('');
    expect(stage.heard(agent)).toEqual([failed('request_id' in more ? '' : 'c-1')]);
    expect(call('c-2')).not.toBe('');
  });

  it('for which the agent lacks a capability is refused (G51)', () => {
    const { stage, pack } = packed();
    const bare = stage.agent('a-2', { capabilities: ['chat'] });
    const execute_pack_tool = { request_id: 'c-1', tool_name: 'forecast', input_json: '{}' };
    stage.say(bare, { execute_pack_tool });
    expect(stage.heard(bare)).toEqual([failed('c-1')]);
    expect(stage.orders(pack)).toEqual([]);
  });

  it('under an id that is outstanding has an error, and the first its own result (G48)', () => {
    const { stage, agent, call } = packed();
    const id = call('c-1');
    expect(call('c-1')).toBe('');
    expect(stage.heard(agent)).toEqual([failed('c-1')]);
    stage.result(id, { output_json: '1' });
    expect(stage.heard(agent)).toEqual([{ pack_tool_result: { request_id: 'c-1', output_json: '1' } }]);
    expect(call('c-1')).not.toBe('');
  });

  it.each([
    ['30 s', {}, 30_000],
    ["its tool's own time", { tool_name: 'quick' }, 2000],
  ])('without a result in %s has an error, once (G49)', (_, more, ms) => {
    const { stage, agent, call } = packed();
    const id = call('c-1', more);
    stage.pass(ms - 1);
    expect(stage.heard(agent)).toEqual([]);
    stage.pass(1);
    expect(stage.heard(agent)).toEqual([failed('c-1')]);
    expect(stage.replies(stage.result(id, { output_json: '1' }))).toEqual([{ empty: {} }, { end: 0 }]);
    expect(stage.heard(agent)).toEqual([]);
  });

  it('of a tool whose time is longer than timers can be still waits', () => {
    const { stage, call } = packed([{ name: 'forecast', timeout_seconds: 2_147_483_647 }]);
    call('c-1');
    expect(stage.nextTimer()).toBe(2_147_483_647);
  });

  it('holds nothing up: the stream flows both ways (G50)', () => {
    const { stage, agent, call } = packed();
    call('c-1');
    const { operator, id } = stage.work(agent);
    stage.respond(agent, id, { text: 'meanwhile' });
    expect(stage.replies(operator).at(-1)).toEqual({ text: { text: 'meanwhile' } });
  });

  it('ends in error when its pack is gone', () => {
    const { stage, pack, agent, call } = packed();
    call('c-1');
    call('c-2');
    stage.give({ type: 'left', peer: pack });
    expect(stage.heard(agent)).toEqual([failed('c-1'), failed('c-2')]);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('is refused while its pack takes nothing', () => {
    const { stage, pack, agent, call } = packed();
    stage.give({ type: 'full', peer: pack });
    expect(call('c-1')).toBe('');
    expect(stage.heard(agent)).toEqual([failed('c-1')]);
    stage.give({ type: 'drained', peer: pack });
    expect(call('c-2')).not.toBe('');
  });

  it('that timed out reaches a busy agent later as an injection, once ("Async tool results from Packs")', () => {
    const { stage, agent, call } = packed();
    const id = call('c-1');
    stage.work(agent);
    stage.pass(30_000);
    stage.heard(agent);
    stage.result(id, { output_json: '"sun"' });
    expect(stage.heard(agent)).toEqual([
      {
        inject_context: {
          injection_id: expect.stringMatching(/./) as string,
          content: 'Tool result from pack:weather - "sun"',
          priority: 'INJECTION_PRIORITY_NORMAL',
          source: 'pack:weather',
        },
      },
    ]);
    stage.result(id, { output_json: '"sun"' });
    expect(stage.heard(agent)).toEqual([]);
  });
});

describe("a pack's stream", () => {
  it.each(['half_close', 'undecodable'] as const)('that begins with %s is refused', (type) => {
    const stage = new GatewayStage();
    const peer = stage.open('pack');
    stage.give(type === 'half_close' ? { type, peer } : { type, peer, reason: 'bad' });
    expect(stage.ended(peer)).toMatchObject({ code: 3 });
  });

  it('takes one manifest; what else it says is ignored', () => {
    const { stage, pack, call } = packed();
    stage.say(pack, { manifest: { pack_id: 'other' } });
    stage.say(pack, { tool_response: { request_id: 'x', output_json: '1' } });
    stage.give({ type: 'undecodable', peer: pack, reason: 'bad' });
    expect(stage.of(pack).filter(({ type }) => type !== 'headers')).toEqual([]);
    expect(call('c-1')).not.toBe('');
  });
});
