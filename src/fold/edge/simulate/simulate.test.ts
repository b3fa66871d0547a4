/** The simulated peers of Fold in tests: what they show, how waits end, and that they end. */
import { describe, expect, it } from 'vitest';
import { directive } from '../../directive.ts';
import { simulateFoldAgent, simulateFoldGateway } from './index.ts';
import type { SimulatedFoldAgent, SimulatedFoldGateway } from './index.ts';

/** A gateway with an agent of the given answers. */
async function pair(
  options: Partial<Parameters<typeof simulateFoldAgent>[0]> = {},
): Promise<{ readonly gateway: SimulatedFoldGateway; readonly agent: SimulatedFoldAgent }> {
  const gateway = await simulateFoldGateway({ within: 5000 });
  const agent = await simulateFoldAgent({ gateway: gateway.address, within: 5000, ...options });
  await gateway.agent();
  return { gateway, agent };
}

describe('a simulated gateway', () => {
  it('shows a request as typed lists', async () => {
    const { gateway, agent } = await pair({ headers: { 'x-team': 'tests' } });
    const usage = { input_tokens: 7, output_tokens: 2, cache_read_tokens: 1 };
    const reply = await gateway.send(
      directive([{ think: 'hm' }, { tool: { name: 'clock', output: '12:00' } }, { usage }, { say: 'noon' }]),
    );
    expect(reply.end?.name).toBe('done');
    expect(reply).toMatchObject({ text: 'noon', thinking: 'hm', agent_id: 'wireproof-agent' });
    expect(reply.tools).toMatchObject([{ name: 'clock', result: { output: '12:00', is_error: false } }]);
    expect(reply.usage).toMatchObject([usage]);
    expect(gateway.requests).toEqual([reply]);
    const [seen] = gateway.agents;
    expect(seen).toMatchObject({
      agent_id: 'wireproof-agent',
      connected: true,
      headers: { 'x-team': 'tests' },
    });
    expect(seen?.received[0]?.register?.name).toBe('Wireproof reference agent');
    expect(seen?.sent.map((message) => Object.keys(message)[0])).toEqual(['welcome', 'send_message']);
    expect(gateway.trace.map(({ seq }) => seq)).toEqual(gateway.trace.map((_, i) => i));
    expect(gateway.trace.some(({ from, data }) => from === 'target' && data['register'] !== undefined)).toBe(
      true,
    );
    await agent.close();
    await gateway.close();
  });

  it('cancels, approves and injects in a request that runs', async () => {
    const { gateway, agent } = await pair();
    const held = gateway.start(directive([{ tool: { name: 'slow', hold: true } }]));
    await held.event('tool_use');
    await held.cancel('enough');
    expect((await held.ended()).end).toMatchObject({ name: 'canceled' });

    const gated = gateway.start(directive([{ tool: { name: 'rm', approval: true, output: 'gone' } }]));
    const { id } = await gated.event('tool_approval');
    await gated.approve(id);
    expect((await gated.ended()).tools[0]?.result?.output).toBe('gone');

    const injection_id = await gateway.inject('look left', { priority: 'immediate' });
    expect(await agent.message('inject_context')).toMatchObject({ injection_id, content: 'look left' });
    await agent.close();
    await gateway.close();
  });

  it('says what is missing when a wait ends', async () => {
    const gateway = await simulateFoldGateway({ within: 50 });
    await expect(gateway.agent()).rejects.toThrow(
      'no agent is connected; no stream has opened (waited 50 ms)',
    );
    await expect(gateway.send('hello')).rejects.toThrow(/the request "hello": refused: .*\(status \d+\)/);
    const agent = await simulateFoldAgent({ gateway: gateway.address });
    await agent.welcomed();
    await expect(gateway.send(directive([{ say: 'a' }, { hold: true }]))).rejects.toThrow(
      /it did not end; so far came started, text \(waited 50 ms\)/,
    );
    await expect(gateway.agent({ agent_id: 'other', within: 10 })).rejects.toThrow(
      'no agent other is connected; wireproof-agent is connected (waited 10 ms)',
    );
    const waiting = gateway.agent({ agent_id: 'other' });
    const closed = expect(waiting).rejects.toThrow('the gateway was closed');
    await agent.close();
    await gateway.close();
    await closed;
  });

  it('keeps secrets out of the trace, and lets agents go at a shutdown', async () => {
    const { gateway, agent } = await pair({ headers: { authorization: 'Bearer hidden' } });
    const { mcp_token: token = '' } = await agent.welcomed();
    expect(token).not.toBe('');
    expect(JSON.stringify([gateway.trace, agent.trace])).not.toContain(token);
    expect(JSON.stringify(gateway.trace)).not.toContain('Bearer hidden');
    expect(gateway.agents[0]?.headers['authorization']).toBe('Bearer hidden');
    await gateway.shutdown('maintenance');
    expect((await agent.message('shutdown')).reason).toBe('maintenance');
    await agent.close();
  });
});

describe('a simulated agent', () => {
  it('answers by its script, and shows its tasks', async () => {
    const answers = [{ match: 'weather', do: [{ say: 'Rain.' }] }];
    const { gateway, agent } = await pair({ agent_id: 'a-7', answers });
    expect((await gateway.send('the weather?')).text).toBe('Rain.');
    expect(agent.tasks).toMatchObject([{ message: { content: 'the weather?' }, end: 'done' }]);
    expect(agent.sent[0]).toMatchObject({ register: { agent_id: 'a-7' } });
    expect(agent.received[0]).toHaveProperty('welcome');
    expect(agent.headers.length).toBe(1);
    await agent.close();
    await gateway.close();
  });

  it('says that no gateway is there', async () => {
    const agent = await simulateFoldAgent({ gateway: '127.0.0.1:9' });
    await expect(agent.welcomed(200)).rejects.toThrow(
      /the gateway at 127\.0\.0\.1:9 sent no welcome; it sent nothing/,
    );
    await agent.close();
  });
});
