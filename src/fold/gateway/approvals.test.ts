/** Approvals and injections (rows G14, G32–G35). */
import { describe, expect, it } from 'vitest';
import { gatewayLimits } from './options.ts';
import { GatewayStage } from './gateway.test-helper.ts';

/** A stage with one agent that has asked about a tool. */
function asked(): { stage: GatewayStage; agent: string; id: string; operator: string } {
  const stage = new GatewayStage();
  const agent = stage.agent('a-1');
  const { id, operator } = stage.work(agent);
  stage.respond(agent, id, { tool_use: { id: 't', name: 'rm' } });
  stage.respond(agent, id, { tool_approval_request: { id: 't', name: 'rm', input_json: '{}' } });
  return { stage, agent, id, operator };
}

/** What comes of a decision: how the call ended. */
const decide = (
  stage: GatewayStage,
  approved: boolean,
  more: { agent_id?: string; tool_id?: string; approve_all?: boolean } = {},
): object | undefined =>
  stage.replies(stage.call({ approve: { agent_id: 'a-1', tool_id: 't', approved, ...more } })).at(-1);

describe('a decision', () => {
  it.each([
    [true, false],
    [true, true],
    [false, false],
  ])(
    'approved=%s, approve_all=%s reaches the asking agent with the same id and flags (G32)',
    (approved, approve_all) => {
      const { stage, agent } = asked();
      const other = stage.agent('a-2');
      expect(decide(stage, approved, { approve_all })).toEqual({ end: 0 });
      expect(stage.heard(agent)).toEqual([{ tool_approval: { id: 't', approved, approve_all } }]);
      expect(stage.heard(other)).toEqual([]);
    },
  );

  it('about what nobody asked is refused, and reaches nobody (G33)', () => {
    const { stage, agent } = asked();
    const other = stage.agent('a-2');
    for (const more of [{ tool_id: 'x' }, { agent_id: 'a-2' }, { agent_id: 'nobody' }])
      expect(decide(stage, true, more)).toEqual({ end: 5 });
    expect([...stage.heard(agent), ...stage.heard(other)]).toEqual([]);
  });

  it('is made once for each time it is asked (G33)', () => {
    const { stage, agent, id } = asked();
    stage.respond(agent, id, { tool_approval_request: { id: 't' } });
    expect(decide(stage, true)).toEqual({ end: 0 });
    expect(decide(stage, false)).toEqual({ end: 5 });
    expect(stage.heard(agent)).toHaveLength(1);
    stage.respond(agent, id, { tool_approval_request: { id: 't' } });
    expect(decide(stage, false)).toEqual({ end: 0 });
  });

  it('is due once, from the first time it was asked, however often it was', () => {
    const { stage, agent, id } = asked();
    stage.pass(100_000);
    stage.respond(agent, id, { tool_approval_request: { id: 't' } });
    stage.pass(200_000);
    expect(stage.heard(agent)).toHaveLength(1);
    stage.pass(300_000);
    expect(stage.heard(agent)).toEqual([]);
    expect(stage.state.approvals.size).toBe(0);
  });

  it('that does not come is a denial after 300 s, told, and final', () => {
    const { stage, agent } = asked();
    stage.told();
    stage.pass(299_999);
    expect(stage.heard(agent)).toEqual([]);
    stage.pass(1);
    expect(stage.heard(agent)).toEqual([{ tool_approval: { id: 't', approved: false, approve_all: false } }]);
    expect(stage.told()).toEqual(['approval timed out']);
    expect(decide(stage, true)).toEqual({ end: 5 });
  });

  it('comes too late when the request is over', () => {
    const { stage, agent, id } = asked();
    stage.respond(agent, id, { done: {} });
    expect(decide(stage, true)).toEqual({ end: 5 });
    stage.pass(300_000);
    expect(stage.heard(agent)).toEqual([]);
  });

  it('is a denial where an agent asks about more than anyone could decide', () => {
    const { stage, agent, id } = asked();
    for (let n = 1; n <= gatewayLimits.approvals; n++)
      stage.respond(agent, id, { tool_approval_request: { id: `t-${n}` } });
    const last = `t-${gatewayLimits.approvals}`;
    expect(stage.heard(agent)).toEqual([
      { tool_approval: { id: last, approved: false, approve_all: false } },
    ]);
  });
});

describe('an injection', () => {
  it.each([
    [undefined, 'INJECTION_PRIORITY_NORMAL'],
    ['immediate', 'INJECTION_PRIORITY_IMMEDIATE'],
    ['deferred', 'INJECTION_PRIORITY_DEFERRED'],
  ])(
    'of priority %s reaches its agent under an id of its own, and is answered at once (G34)',
    (given, priority) => {
      const stage = new GatewayStage();
      const agent = stage.agent('a-1');
      const ids = [1, 2].map(() => {
        const more = given === undefined ? {} : { priority: given };
        const call = stage.call({ inject: { agent_id: 'a-1', content: 'psst', source: 'system', ...more } });
        const [message] = stage.heard(agent);
        const injection_id = message?.inject_context?.injection_id ?? '';
        expect(message).toEqual({
          inject_context: { injection_id, content: 'psst', priority, source: 'system' },
        });
        expect(stage.replies(call)).toEqual([{ injected: { injection_id } }, { end: 0 }]);
        return injection_id;
      });
      expect(ids[0]).toMatch(/./);
      expect(ids[0]).not.toBe(ids[1]);
    },
  );

  it('never reaches an agent without the feature (G14)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1', { protocol_features: ['cancellation', 'Injection'] });
    const call = stage.call({ inject: { agent_id: 'a-1', content: 'psst' } });
    expect(stage.replies(call)).toEqual([{ end: 9 }]);
    expect(stage.heard(agent)).toEqual([]);
  });

  it.each([
    ['empty', { content: '' }, 3],
    ['of a priority that is none', { priority: 'urgent' }, 3],
    ['of a priority that objects inherit', { priority: 'constructor' }, 3],
    ['for nobody', { agent_id: '' }, 3],
    ['for an agent that never came', { agent_id: 'a-9' }, 5],
    ['for an agent that is offline', { agent_id: 'a-2' }, 14],
  ])('that is %s is refused', (_, more, end) => {
    const stage = new GatewayStage();
    stage.agent('a-1');
    stage.give({ type: 'left', peer: stage.agent('a-2') });
    expect(stage.replies(stage.call({ inject: { agent_id: 'a-1', content: 'x', ...more } }))).toEqual([
      { end },
    ]);
  });

  it('is harmed by no ack, and by no lack of one (G35)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const inject = (): string => {
      stage.call({ inject: { agent_id: 'a-1', content: 'x' } });
      return stage.heard(agent)[0]?.inject_context?.injection_id ?? '';
    };
    const ack = (injection_id: string, accepted: boolean): void =>
      stage.say(agent, { injection_ack: { injection_id, accepted, reason: 'r' } });
    ack('nobody', true);
    const [taken, rejected, unanswered] = [inject(), inject(), inject()];
    stage.told();
    ack(taken, true);
    ack(rejected, false);
    ack(rejected, false);
    expect(stage.told()).toEqual(['injection rejected']);
    stage.pass(4999);
    expect(stage.told()).toEqual([]);
    stage.pass(1);
    expect(stage.told()).toEqual(['injection not acknowledged']);
    ack(unanswered, true);
    expect(stage.work(agent).id).not.toBe('');
    expect(stage.state.injections.size).toBe(0);
  });

  it('is no longer waited for when there are too many', () => {
    const stage = new GatewayStage();
    stage.agent('a-1');
    for (let n = 0; n < gatewayLimits.injections + 10; n++)
      stage.call({ inject: { agent_id: 'a-1', content: 'x' } });
    expect(stage.state.injections.size).toBe(gatewayLimits.injections);
  });
});
