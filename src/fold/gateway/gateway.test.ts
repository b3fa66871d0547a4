/** The reference gateway's agents: how they register, are refused and are lost (rows G01–G10, G16, G25, G43, G53). */
import { describe, expect, it } from 'vitest';
import { protocolFeatures } from '../messages.ts';
import { GatewayStage, odd } from './gateway.test-helper.ts';

describe('an agent that comes', () => {
  it('has headers before it says anything (G01)', () => {
    const stage = new GatewayStage();
    const peer = stage.open('agent');
    expect(stage.of(peer)).toEqual([{ type: 'headers', peer, metadata: {} }]);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('once is there once, even if its carrier says it twice', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    stage.give({ type: 'opened', peer: agent, metadata: {} });
    expect(stage.of(agent)).toEqual([]);
    expect(stage.work(agent).id).not.toBe('');
  });

  it('comes by the name of the days before too (Carrier)', () => {
    const stage = new GatewayStage();
    stage.give({ type: 'opened', peer: 's', metadata: { ':path': '/fold.FoldControl/AgentStream' } });
    stage.say('s', { register: { agent_id: 'a-1' } });
    expect(stage.heard('s')).toMatchObject([{ welcome: { agent_id: 'a-1' } }]);
  });

  it('that registers has one Welcome and nothing before it, with its id and names of this connection (G02–G04)', () => {
    const stage = new GatewayStage({ server_id: 'home', mcp_endpoint: 'http://mcp' });
    const peer = stage.open('agent');
    stage.say(peer, { register: { agent_id: 'a-1', name: 'Ann' } });
    const heard = stage.heard(peer);
    expect(heard).toEqual([
      {
        welcome: {
          server_id: 'home',
          agent_id: 'a-1',
          principal_id: 'anonymous',
          instance_id: expect.stringMatching(/./) as string,
          mcp_token: expect.stringMatching(/./) as string,
          mcp_endpoint: 'http://mcp',
        },
      },
    ]);
  });

  it('again has another instance_id and another mcp_token; the one before is forgotten (G04, G53)', () => {
    const stage = new GatewayStage();
    const connect = (): { instance_id?: string; mcp_token?: string } => {
      const peer = stage.open('agent');
      stage.say(peer, { register: { agent_id: 'a-1' } });
      const [message] = stage.heard(peer);
      stage.give({ type: 'left', peer });
      return message?.welcome ?? {};
    };
    const [first, second] = [connect(), connect()];
    expect(first.instance_id).not.toBe(second.instance_id);
    expect(first.mcp_token).not.toBe(second.mcp_token);
    expect(JSON.stringify([...stage.state.links])).not.toContain(second.mcp_token);
  });

  it.each([
    ['a response', { response: { request_id: 'r', text: 'x' } }],
    ['a heartbeat', { heartbeat: {} }],
    ['nothing at all', {}],
    ["a pack's message", { manifest: { pack_id: 'p' } }],
    ["an operator's call", { agents: {} }],
    ['register without an agent_id (G06)', { register: { name: 'Ann' } }],
    ['register with an empty agent_id (G06)', { register: { agent_id: '' } }],
  ])('and first says %s is refused with INVALID_ARGUMENT, without Welcome (G05)', (_, message) => {
    const stage = new GatewayStage();
    const peer = stage.open('agent');
    stage.say(peer, odd(message));
    const outputs = stage.of(peer);
    expect(outputs.map(({ type }) => type)).toEqual(['headers', 'close']);
    expect(outputs[1]).toMatchObject({ status: { code: 3 } });
    stage.say(peer, { register: { agent_id: 'a-1' } });
    expect(stage.of(peer)).toEqual([]);
  });

  it.each(['undecodable', 'half_close'] as const)('and begins with %s is refused likewise (G05)', (type) => {
    const stage = new GatewayStage();
    const peer = stage.open('agent');
    stage.give(type === 'half_close' ? { type, peer } : { type, peer, reason: 'bad' });
    expect(stage.ended(peer)).toMatchObject({ code: 3 });
  });

  it.each([
    ['no features at all', { protocol_features: [] }],
    ['features nobody knows', { protocol_features: ['telepathy', '__proto__'] }],
  ])('with %s is welcome, and works (G16)', (_, register) => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1', register);
    const { operator, id } = stage.work(agent);
    stage.respond(agent, id, { done: { full_response: 'fine' } });
    expect(stage.replies(operator)).toContainEqual({ done: { full_response: 'fine' } });
  });
});

describe('an agent id that is taken', () => {
  it('is refused with ALREADY_EXISTS and "already registered", and the first agent is unharmed (G07)', () => {
    const stage = new GatewayStage();
    const first = stage.agent('a-1');
    const { operator, id } = stage.work(first);
    const second = stage.open('agent');
    stage.say(second, { register: { agent_id: 'a-1' } });
    expect(stage.of(second).at(-1)).toMatchObject({
      type: 'close',
      status: { code: 6, message: expect.stringContaining('already registered') as string },
    });
    expect(stage.heard(first)).toEqual([]);
    stage.respond(first, id, { text: 'here' });
    expect(stage.replies(operator)).toContainEqual({ text: { text: 'here' } });
  });

  it('is refused with RegistrationError, a reason, a free id, and the end of the stream (G08, decision 10)', () => {
    const stage = new GatewayStage({ duplicates: 'registration_error' });
    stage.agent('a-1');
    stage.agent('a-1-2');
    const peer = stage.open('agent');
    stage.say(peer, { register: { agent_id: 'a-1' } });
    expect(stage.of(peer).slice(1)).toEqual([
      {
        type: 'send',
        peer,
        message: {
          registration_error: { reason: expect.stringMatching(/./) as string, suggested_id: 'a-1-3' },
        },
      },
      { type: 'close', peer, status: { code: 0, message: '' } },
    ]);
  });

  it.each(['left', 'half_close'] as const)('is free at once after %s (G10)', (type) => {
    const stage = new GatewayStage();
    stage.give({ type, peer: stage.agent('a-1') });
    const peer = stage.open('agent');
    stage.say(peer, { register: { agent_id: 'a-1' } });
    expect(stage.heard(peer)).toMatchObject([{ welcome: { agent_id: 'a-1' } }]);
  });
});

describe('an agent that is ready', () => {
  it('and registers again changes nothing and loses nothing (G09)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1', { name: 'Ann' });
    const { operator, id } = stage.work(agent);
    stage.say(agent, { register: { agent_id: 'a-2', name: 'Bob', protocol_features: [] } });
    expect(stage.of(agent)).toEqual([]);
    const listing = stage.call({ agents: {} });
    expect(stage.replies(listing)[0]).toMatchObject({ agents: [{ id: 'a-1', name: 'Ann' }] });
    stage.respond(agent, id, { done: {} });
    expect(stage.replies(operator)).toContainEqual({ done: { full_response: '' } });
  });

  it('may send heartbeats, nothing known, and bytes that are no message (G43)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    stage.say(agent, { heartbeat: { timestamp_ms: '1' } });
    stage.say(agent, {});
    stage.say(agent, { heartbeat: {} });
    stage.give({ type: 'undecodable', peer: agent, reason: 'bad' });
    expect(stage.of(agent)).toEqual([]);
    expect(stage.work(agent).id).not.toBe('');
  });

  it('and silent is kept, however long (G44)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    stage.pass(3_600_000);
    expect(stage.of(agent)).toEqual([]);
    expect(stage.work(agent).id).not.toBe('');
  });

  it('and half-closes has its stream ended with OK', () => {
    const stage = new GatewayStage();
    const peer = stage.agent('a-1');
    stage.give({ type: 'half_close', peer });
    expect(stage.of(peer)).toEqual([{ type: 'close', peer, status: { code: 0, message: '' } }]);
  });

  it('is listed as it registered', () => {
    const stage = new GatewayStage();
    stage.agent('a-1', {
      name: 'Ann',
      capabilities: ['chat'],
      metadata: { workspaces: ['w'], working_directory: '/home', backend: 'b' },
    });
    const listing = {
      id: 'a-1',
      instance_id: expect.stringMatching(/./) as string,
      name: 'Ann',
      capabilities: ['chat'],
      workspaces: ['w'],
      working_dir: '/home',
      backend: 'b',
    };
    expect(stage.replies(stage.call({ agents: {} }))).toEqual([{ agents: [listing] }, { end: 0 }]);
  });
});

describe('an agent that is lost', () => {
  it.each(['left', 'half_close'] as const)(
    'by %s ends its requests in error, and no other agent is concerned (G25)',
    (type) => {
      const stage = new GatewayStage();
      const [lost, other] = [stage.agent('a-1'), stage.agent('a-2')];
      const [first, second, third] = [
        stage.work(lost),
        stage.work(lost),
        stage.work(other, { agent_id: 'a-2' }),
      ];
      stage.give({ type, peer: lost });
      for (const { operator } of [first, second])
        expect(stage.replies(operator).slice(1)).toEqual([
          { error: { error: expect.stringContaining('a-1') as string } },
          { end: 0 },
        ]);
      expect(stage.replies(third.operator)).toMatchObject([{ started: {} }]);
      expect(stage.replies(stage.call({ agents: {} }))[0]).toMatchObject({ agents: [{ id: 'a-2' }] });
    },
  );

  it('takes its questions and its pack calls with it', () => {
    const stage = new GatewayStage();
    const pack = stage.pack({ pack_id: 'p', tools: [{ name: 'slow' }] });
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent);
    stage.respond(agent, id, { tool_approval_request: { id: 't' } });
    stage.say(agent, { execute_pack_tool: { request_id: 'c', tool_name: 'slow', input_json: '{}' } });
    const [order] = stage.orders(pack);
    stage.give({ type: 'left', peer: agent });
    expect(stage.nextTimer()).toBeUndefined();
    const approval = stage.call({ approve: { agent_id: 'a-1', tool_id: 't', approved: true } });
    expect(stage.replies(approval)).toEqual([{ end: 5 }]);
    const call = order !== undefined && 'execute_tool' in order ? order.execute_tool.request_id : '';
    expect(stage.replies(stage.result(call ?? '', { output_json: '1' }))).toEqual([
      { empty: {} },
      { end: 0 },
    ]);
    expect(stage.of(agent)).toEqual([]);
  });

  it('is offline for who sends to it, while one that never came is unknown (G26)', () => {
    const stage = new GatewayStage();
    expect(stage.replies(stage.call({ send: { content: 'x', sender: 'me' } }))).toEqual([{ end: 14 }]);
    stage.give({ type: 'left', peer: stage.agent('a-1', { protocol_features: protocolFeatures }) });
    const send = (agent_id: string): object[] =>
      stage.replies(stage.call({ send: { content: 'x', sender: 'me', agent_id } }));
    expect(send('a-1')).toEqual([{ end: 14 }]);
    expect(send('a-9')).toEqual([{ end: 5 }]);
  });
});
