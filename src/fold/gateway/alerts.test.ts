/**
 * The gateway's own alerts (section 3: "System alerts ("budget low", "shutting down in 5 min")", and its example: "SYSTEM:
 * Budget is 80% consumed. 2000 tokens remaining.").
 */
import { describe, expect, it } from 'vitest';
import type { ServerMessage } from '../messages.ts';
import type { OperatorRequest } from '../operator.ts';
import { gatewayLimits } from './options.ts';
import { GatewayStage } from './gateway.test-helper.ts';

const injected = (heard: readonly ServerMessage[]): unknown[] =>
  heard.flatMap(({ inject_context: context }) => {
    if (context === undefined) return [];
    const { injection_id: _id, ...rest } = context;
    return [rest];
  });

const alert = (content: string): unknown => ({
  content,
  priority: 'INJECTION_PRIORITY_IMMEDIATE',
  source: 'system',
});

describe('a budget of a thread', () => {
  it('is announced at 80 %, to the agent that works on it, and once', () => {
    const stage = new GatewayStage({ budget: 10_000 });
    const [agent, other] = [stage.agent('a-1'), stage.agent('a-2')];
    const { id } = stage.work(agent, { thread_id: 't', agent_id: 'a-1' });
    stage.respond(agent, id, { usage: { input_tokens: 7000, output_tokens: 999 } });
    expect(injected(stage.heard(agent))).toEqual([]);
    stage.respond(agent, id, { usage: { cache_read_tokens: 1 } });
    expect(injected(stage.heard(agent))).toEqual([alert('Budget is 80% consumed. 2000 tokens remaining.')]);
    stage.respond(agent, id, { usage: { input_tokens: 1500 } });
    stage.respond(agent, id, { done: {} });
    const next = stage.work(agent, { thread_id: 't' });
    stage.respond(agent, next.id, { usage: { input_tokens: 1 } });
    expect(injected([...stage.heard(agent), ...stage.heard(other)])).toEqual([]);
  });

  it('is announced with what is true when a response passes it', () => {
    const stage = new GatewayStage({ budget: 100 });
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent, { thread_id: 't' });
    stage.respond(agent, id, { usage: { input_tokens: 130 } });
    expect(injected(stage.heard(agent))).toEqual([alert('Budget is 130% consumed. 0 tokens remaining.')]);
  });

  it("is each thread's own", () => {
    const stage = new GatewayStage({ budget: 100 });
    const agent = stage.agent('a-1');
    for (const thread_id of ['t', 'u']) {
      const { id } = stage.work(agent, { thread_id });
      stage.respond(agent, id, { usage: { input_tokens: 85 } });
      expect(injected(stage.heard(agent))).toHaveLength(1);
    }
  });

  it.each([
    ['an agent without the feature', { budget: 100 }, ['token_usage', 'cancellation']],
    ['a gateway without a budget', {}, ['injection']],
  ])('is not announced by or to %s', (_, options, protocol_features) => {
    const stage = new GatewayStage(options);
    const agent = stage.agent('a-1', { protocol_features });
    const { id } = stage.work(agent, { thread_id: 't' });
    stage.respond(agent, id, { usage: { input_tokens: 99 } });
    expect(injected(stage.heard(agent))).toEqual([]);
  });

  it('is announced with the next usage to an agent that took nothing more at the first', () => {
    const stage = new GatewayStage({ budget: 100 });
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent, { thread_id: 't' });
    stage.give({ type: 'full', peer: agent });
    stage.respond(agent, id, { usage: { input_tokens: 85 } });
    expect(injected(stage.heard(agent))).toEqual([]);
    stage.give({ type: 'drained', peer: agent });
    stage.respond(agent, id, { usage: { input_tokens: 1 } });
    expect(injected(stage.heard(agent))).toEqual([alert('Budget is 86% consumed. 14 tokens remaining.')]);
  });

  it('that the ledger cannot tell is not announced, and that is told', () => {
    const stage = new GatewayStage({ budget: 100 });
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent, { thread_id: 't' });
    stage.ledger.thread = (): never => ({ error: 'disk' }) as never;
    stage.respond(agent, id, { usage: { input_tokens: 99 } });
    expect(injected(stage.heard(agent))).toEqual([]);
    expect(stage.told()).toContain('ledger failed');
  });
});

describe('a planned shutdown', () => {
  it.each([
    [300_000, '', 'Shutting down in 5 min.'],
    [30_000, 'for an update', 'Shutting down in 30 s: for an update.'],
  ])('in %s ms is announced to agents with the feature, and comes then', (after_ms, reason, content) => {
    const stage = new GatewayStage();
    const [agent, plain] = [stage.agent('a-1'), stage.agent('a-2', { protocol_features: [] })];
    expect(stage.replies(stage.call({ shutdown: { reason, after_ms } }))).toEqual([{ ok: {} }, { end: 0 }]);
    expect(injected(stage.heard(agent))).toEqual([alert(content)]);
    expect(stage.heard(plain)).toEqual([]);
    const { id } = stage.work(agent);
    stage.respond(agent, id, { done: {} });
    stage.pass(after_ms - 1);
    expect(stage.heard(plain)).toEqual([]);
    stage.pass(1);
    const said = reason === '' ? 'the gateway is stopping' : reason;
    expect(stage.heard(plain)).toEqual([{ shutdown: { reason: said } }]);
  });

  it('is replaced by one at once, which is not announced', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    stage.call({ shutdown: { after_ms: 60_000 } });
    stage.heard(agent);
    stage.give({ type: 'command', command: { do: 'shutdown', reason: 'now' } });
    expect(stage.heard(agent)).toEqual([{ shutdown: { reason: 'now' } }]);
  });

  it.each([-1, Number.NaN, '5m', null])('after %s is refused', (after_ms) => {
    const stage = new GatewayStage();
    const call = { shutdown: { after_ms } } as unknown as OperatorRequest;
    expect(stage.replies(stage.call(call))).toEqual([{ end: 3 }]);
  });

  it('comes within a day', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    stage.call({ shutdown: { after_ms: 1e12 } });
    stage.heard(agent);
    stage.pass(gatewayLimits.plan);
    expect(stage.heard(agent)).toEqual([{ shutdown: { reason: 'the gateway is stopping' } }]);
  });
});
