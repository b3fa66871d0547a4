/** Backpressure, stopping, and calls that are none (row G45; design.md, "Limits"). */
import { describe, expect, it } from 'vitest';
import { gateway } from './gateway.ts';
import { gatewayLimits } from './options.ts';
import { GatewayStage, odd, paths } from './gateway.test-helper.ts';
import type { OperatorRequest } from '../operator.ts';
import { RoleStage } from '../../kit/base/role-stage.test-helper.ts';

describe('an operator that does not read', () => {
  it('holds back the agent that feeds it, once, until it reads again', () => {
    const stage = new GatewayStage();
    const [agent, other] = [stage.agent('a-1'), stage.agent('a-2')];
    const { operator, id } = stage.work(agent);
    stage.give({ type: 'full', peer: operator });
    expect(stage.of(agent)).toEqual([{ type: 'pause', peer: agent }]);
    expect(stage.of(other)).toEqual([]);
    stage.respond(agent, id, { text: 'under way already' });
    stage.give({ type: 'full', peer: operator });
    expect(stage.of(agent)).toEqual([]);
    stage.give({ type: 'drained', peer: operator });
    expect(stage.of(agent)).toEqual([{ type: 'resume', peer: agent }]);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('with others like it holds the agent until the last reads', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const [one, two] = [stage.work(agent), stage.work(agent)];
    for (const { operator: peer } of [one, two]) stage.give({ type: 'full', peer });
    stage.give({ type: 'drained', peer: one.operator });
    expect(stage.of(agent)).toEqual([{ type: 'pause', peer: agent }]);
    stage.respond(agent, two.id, { done: {} });
    expect(stage.of(agent)).toEqual([{ type: 'resume', peer: agent }]);
  });

  it('and hears everything holds back all agents, those that come later too', () => {
    const stage = new GatewayStage();
    const first = stage.agent('a-1');
    const watcher = stage.call({ events: {} });
    stage.give({ type: 'full', peer: watcher });
    expect(stage.of(first)).toEqual([{ type: 'pause', peer: first }]);
    const second = stage.open('agent');
    stage.say(second, { register: { agent_id: 'a-2' } });
    expect(stage.of(second).at(-1)).toEqual({ type: 'pause', peer: second });
    stage.give({ type: 'left', peer: watcher });
    for (const peer of [first, second]) expect(stage.of(peer)).toEqual([{ type: 'resume', peer }]);
  });

  it('for 30 s is closed, and its request goes on', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { operator, id } = stage.work(agent);
    stage.of(operator);
    stage.give({ type: 'full', peer: operator });
    stage.pass(29_000);
    stage.give({ type: 'full', peer: operator });
    expect(stage.of(operator)).toEqual([]);
    stage.told();
    stage.pass(1000);
    expect(stage.replies(operator)).toEqual([{ end: 8 }]);
    expect(stage.told()).toEqual(['operator stalled']);
    expect(stage.of(agent).map(({ type }) => type)).toEqual(['pause', 'resume']);
    stage.respond(agent, id, { done: {} });
    expect(stage.of(operator)).toEqual([]);
    expect(stage.state.requests.size).toBe(0);
  });
});

describe('an agent that does not read', () => {
  it('is given no new work and no context meanwhile', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    stage.give({ type: 'full', peer: agent });
    expect(stage.replies(stage.call({ send: { content: 'x', sender: 'me' } }))).toEqual([{ end: 8 }]);
    expect(stage.replies(stage.call({ inject: { agent_id: 'a-1', content: 'x' } }))).toEqual([{ end: 8 }]);
    stage.give({ type: 'drained', peer: agent });
    expect(stage.work(agent).id).not.toBe('');
  });

  it('is cancelled all the same', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent);
    stage.give({ type: 'full', peer: agent });
    stage.call({ cancel: { request_id: id } });
    expect(stage.heard(agent)).toEqual([{ cancel_request: { request_id: id } }]);
  });

  it('now and then is none that does not read', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    for (let n = 0; n <= 2 * gatewayLimits.unread; n++) {
      if (n % 1000 === 0) for (const type of ['drained', 'full'] as const) stage.give({ type, peer: agent });
      stage.say(agent, { execute_pack_tool: { request_id: `c-${n}`, tool_name: 'x', input_json: '1' } });
    }
    expect(stage.ended(agent)).toBeUndefined();
  });

  it('and asks without end is closed before what it is owed fills the memory', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { operator } = stage.work(agent);
    stage.give({ type: 'full', peer: agent });
    for (let n = 0; n <= gatewayLimits.unread; n++)
      stage.say(agent, { execute_pack_tool: { request_id: `c-${n}`, tool_name: 'x', input_json: '1' } });
    const outputs = stage.of(agent);
    expect(outputs.at(-1)).toMatchObject({ type: 'close', status: { code: 8 } });
    expect(outputs).toHaveLength(gatewayLimits.unread + 1);
    expect(stage.replies(operator).at(-1)).toEqual({ end: 0 });
  });
});

describe('a gateway that is told to stop', () => {
  it('says Shutdown with the reason to every agent that is ready, before it closes anything (G45)', () => {
    const stage = new GatewayStage();
    const [first, second, silent] = [stage.agent('a-1'), stage.agent('a-2'), stage.open('agent')];
    stage.work(first);
    stage.give({ type: 'command', command: { do: 'shutdown', reason: 'upgrade' } });
    for (const peer of [first, second]) {
      expect(stage.of(peer)).toEqual([{ type: 'send', peer, message: { shutdown: { reason: 'upgrade' } } }]);
    }
    expect(stage.ended(silent)).toMatchObject({ code: 14 });
  });

  it('waits until the agents have closed their streams, and for 11 s at the most, which is longer than agents have (FOLD-A51)', () => {
    const stage = new GatewayStage();
    const [first, second] = [stage.agent('a-1'), stage.agent('a-2')];
    stage.give({ type: 'command', command: { do: 'shutdown' } });
    stage.give({ type: 'half_close', peer: first });
    expect(stage.ended(first)).toMatchObject({ code: 0 });
    expect(stage.told()).not.toContain('stopped');
    stage.pass(10_999);
    expect(stage.ended(second)).toBeUndefined();
    stage.pass(1);
    expect(stage.ended(second)).toMatchObject({ code: 0 });
    expect(stage.told()).toContain('stopped');
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('waits for what runs, and closes with OK when the last has ended', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const watcher = stage.call({ events: {} });
    const pack = stage.pack({ pack_id: 'p' });
    const { operator, id } = stage.work(agent);
    const call = stage.call({ shutdown: { reason: 'upgrade' } });
    expect(stage.replies(call)).toEqual([{ ok: {} }, { end: 0 }]);
    stage.pass(3000);
    stage.respond(agent, id, { done: { full_response: 'just in time' } });
    expect(stage.replies(operator).slice(1)).toEqual([
      { done: { full_response: 'just in time' } },
      { end: 0 },
    ]);
    stage.give({ type: 'half_close', peer: agent });
    for (const peer of [agent, pack]) expect(stage.ended(peer)).toMatchObject({ code: 0 });
    expect(stage.replies(watcher).at(-1)).toEqual({ end: 0 });
    expect(stage.told()).toContain('stopped');
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('ends in error what takes longer than 11 s, pack calls too', () => {
    const stage = new GatewayStage();
    stage.pack({ pack_id: 'p', tools: [{ name: 't' }] });
    const agent = stage.agent('a-1');
    const { operator } = stage.work(agent);
    stage.say(agent, { execute_pack_tool: { request_id: 'c', tool_name: 't', input_json: '1' } });
    stage.give({ type: 'command', command: { do: 'shutdown' } });
    stage.replies(operator);
    stage.pass(10_999);
    expect(stage.replies(operator)).toEqual([]);
    stage.pass(1);
    const error = expect.stringContaining('stopped') as string;
    expect(stage.replies(operator)).toEqual([{ error: { error } }, { end: 0 }]);
    const outputs = stage.of(agent);
    expect(outputs).toMatchObject([
      { message: { shutdown: {} } },
      { message: { pack_tool_result: { request_id: 'c', error } } },
      { type: 'close', status: { code: 0 } },
    ]);
  });

  it('takes nobody new, and no new work', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent);
    stage.give({ type: 'command', command: { do: 'shutdown' } });
    stage.give({ type: 'command', command: { do: 'shutdown' } });
    expect(stage.heard(agent)).toHaveLength(1);
    for (const kind of ['agent', 'pack'] as const)
      expect(stage.ended(stage.open(kind))).toMatchObject({ code: 14 });
    expect(stage.replies(stage.call({ send: { content: 'x', sender: 'me' } }))).toEqual([{ end: 14 }]);
    expect(stage.replies(stage.call({ agents: {} }))).toMatchObject([{}, { end: 0 }]);
    stage.respond(agent, id, { done: {} });
    stage.give({ type: 'half_close', peer: agent });
    for (const kind of ['agent', 'operator'] as const)
      expect(stage.ended(stage.open(kind))).toMatchObject({ code: 14 });
    expect(stage.state.links.size).toBe(0);
  });
});

/** A call as a stranger may make it. */
const strange = (call: object): OperatorRequest => call as OperatorRequest;

describe('an operator that speaks badly', () => {
  it.each([
    ['nothing', {}],
    ['a call that nobody knows', { dance: {} }],
    ['a call that objects inherit', { constructor: {} }],
    ['a send that is null', { send: null }],
    ['a send that is a list', { send: [] }],
    ['a content that is no text', { send: { content: 5, sender: 'me' } }],
    ['an approve without a decision', { approve: { agent_id: 'a', tool_id: 't' } }],
    ['a decision that is a text', { approve: { agent_id: 'a', tool_id: 't', approved: 'false' } }],
    ['a thread_usage of no thread', { thread_usage: {} }],
    ["an agent's message", odd({ register: { agent_id: 'a' } })],
    ["a pack's message", { manifest: { pack_id: 'p' } }],
  ])('and says %s is refused with INVALID_ARGUMENT', (_, call) => {
    const stage = new GatewayStage();
    stage.agent('a');
    const peer = stage.call(strange(call));
    expect(stage.replies(peer)).toEqual([{ end: 3 }]);
  });

  it.each(['half_close', 'undecodable'] as const)('and begins with %s is refused likewise', (type) => {
    const stage = new GatewayStage();
    const peer = stage.open('operator');
    stage.give(type === 'half_close' ? { type, peer } : { type, peer, reason: 'bad' });
    expect(stage.replies(peer)).toEqual([{ end: 3 }]);
  });

  it('and calls twice on a stream has its first call done', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { operator, id } = stage.work(agent);
    stage.say(operator, { send: { content: 'again', sender: 'me' } });
    expect(stage.heard(agent)).toEqual([]);
    stage.respond(agent, id, { done: {} });
    expect(stage.replies(operator)).toHaveLength(3);
  });
});

describe('a ledger that fails', () => {
  it.each([
    ['thread_usage', { thread_usage: { thread_id: 't' } }],
    ['stats', { stats: {} }],
    ['a send within a budget', { send: { content: 'x', sender: 'me', thread_id: 't' } }],
  ])('fails %s with INTERNAL, and that is told', (_, call) => {
    const stage = new GatewayStage({ budget: 5 });
    stage.agent('a-1');
    stage.ledger.thread = stage.ledger.stats = (): never => ({ error: 'disk' }) as never;
    const peer = stage.call(strange(call));
    expect(stage.replies(peer)).toEqual([{ end: 13 }]);
    expect(stage.told()).toContain('ledger failed');
  });

  it('or is slow answers nobody who has left', () => {
    const stage = new RoleStage(gateway());
    stage.give({ type: 'opened', peer: 'o', metadata: { ':path': paths.operator } });
    stage.give({ type: 'message', peer: 'o', message: { stats: {} } });
    const asked = stage.take().find((output) => output.type === 'effect');
    expect(asked?.effect).toEqual({ ledger: 'stats' });
    stage.give({ type: 'left', peer: 'o' });
    expect(stage.state.questions.size).toBe(0);
    stage.give({ type: 'effect', id: asked?.id ?? '', result: {} });
    expect(stage.take()).toEqual([]);
  });
});
