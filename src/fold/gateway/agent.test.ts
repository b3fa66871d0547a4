/** The reference gateway and the reference agent, role to role: what each takes for granted of the other. */
import { describe, expect, it } from 'vitest';
import { agent } from '../agent/agent.ts';
import type { AgentState } from '../agent/agent.ts';
import { directive } from '../directive.ts';
import { GatewayStage, paths } from './gateway.test-helper.ts';
import type { AgentMessage, ServerMessage } from '../messages.ts';
import { RoleStage } from '../../kit/base/role-stage.test-helper.ts';

/** Both on one clock; what one says the other hears at once. */
class Pair {
  readonly gateway: GatewayStage = new GatewayStage();
  readonly agent: RoleStage<AgentState, ServerMessage, AgentMessage> = new RoleStage(
    agent({ agent_id: 'a-1' }),
  );

  constructor() {
    this.agent.give({ type: 'started' });
    this.settle();
  }

  /** Hands over until nobody says more. */
  settle(): void {
    for (let busy = true; busy;) {
      busy = this.agent.fire();
      for (const output of this.agent.take()) {
        busy = true;
        if (output.type === 'dial') this.#dial(output.peer);
        else if (output.type === 'send') this.gateway.say(output.peer, output.message);
        else if (output.type === 'half_close') this.gateway.give({ type: 'half_close', peer: output.peer });
      }
      for (const output of this.gateway.of(this.agent.state.peer)) {
        busy = true;
        const { peer } = this.agent.state;
        // The agent's stream carries the messages of its kind.
        if (output.type === 'send')
          this.agent.give({ type: 'message', peer, message: output.message as ServerMessage });
        else if (output.type === 'close') this.agent.give({ type: 'left', peer, status: output.status });
      }
    }
  }

  pass(ms: number): void {
    for (let past = 0; past < ms; past += 100) {
      this.agent.pass(100);
      this.gateway.pass(100);
      this.settle();
    }
  }

  call(request: Parameters<GatewayStage['call']>[0]): string {
    const peer = this.gateway.call(request);
    this.settle();
    return peer;
  }

  send(steps: readonly object[], thread_id: string = ''): string {
    return this.call({ send: { content: directive(steps), sender: 'me', thread_id } });
  }

  /** The names of what an operator heard. */
  names(peer: string): string[] {
    return this.gateway.replies(peer).map((reply) => {
      const [name = '', value]: unknown[] = Object.entries(reply)[0] ?? [];
      return name === 'end' ? `end ${String(value)}` : String(name);
    });
  }

  #dial(peer: string): void {
    this.gateway.give({ type: 'opened', peer, metadata: { ':path': paths.agent } });
    this.agent.give({ type: 'opened', peer, metadata: {} });
  }
}

describe('the gateway and the agent', () => {
  it('do a request from its first thought to its end', () => {
    const pair = new Pair();
    const peer = pair.send([{ think: 'hm' }, { say: 'x', times: 20 }, { usage: { input_tokens: 5 } }]);
    const texts = Array.from({ length: 20 }, () => 'text');
    expect(pair.names(peer)).toEqual(['started', 'thinking', ...texts, 'usage', 'done', 'end 0']);
    expect(pair.gateway.ledger.stats().total_input).toBe(5);
  });

  it.each([
    [true, ['tool_state', 'tool_state', 'tool_result', 'done', 'end 0']],
    [false, ['tool_state', 'tool_result', 'done', 'end 0']],
  ])('decide about a tool: approved=%s', (approved, after) => {
    const pair = new Pair();
    const peer = pair.send([{ tool: { name: 'rm', approval: true } }]);
    expect(pair.names(peer)).toEqual(['started', 'tool_use', 'tool_state', 'tool_approval', 'tool_state']);
    pair.call({ approve: { agent_id: 'a-1', tool_id: 'tool-1', approved } });
    expect(pair.names(peer)).toEqual(after);
  });

  it('inject, hold, release and cancel', () => {
    const pair = new Pair();
    const peer = pair.send([{ echo_injections: true }, { hold: true }, { say: 'on' }, { hold: true }]);
    const inject = (content: string): string =>
      pair.call({ inject: { agent_id: 'a-1', content, priority: 'immediate' } });
    expect(pair.names(inject('psst'))).toEqual(['injected', 'end 0']);
    inject('release');
    expect(pair.names(peer)).toEqual(['started', 'text', 'text']);
    expect(pair.gateway.state.injections.size).toBe(0);
    pair.call({ cancel: { request_id: [...pair.gateway.state.requests.keys()][0] ?? '', reason: 'enough' } });
    expect(pair.gateway.replies(peer)).toEqual([{ canceled: { reason: 'enough' } }, { end: 0 }]);
  });

  it("call a pack's tool", () => {
    const pair = new Pair();
    const pack = pair.gateway.pack({ pack_id: 'p', tools: [{ name: 'add' }] });
    const peer = pair.send([{ pack_tool: { name: 'add', input: [1] } }, { pack_tool: { name: 'none' } }]);
    const [order] = pair.gateway.orders(pack);
    const id = order !== undefined && 'execute_tool' in order ? (order.execute_tool.request_id ?? '') : '';
    pair.gateway.result(id, { output_json: '2' });
    pair.settle();
    const [, ...heard] = pair.gateway.replies(peer);
    expect(heard.slice(0, 2)).toMatchObject([
      { text: { text: '2' } },
      { text: { text: 'unknown tool none' } },
    ]);
  });

  it('find each other again, and part for good', () => {
    const pair = new Pair();
    const first = pair.agent.state.peer;
    pair.gateway.give({ type: 'left', peer: first });
    pair.agent.give({ type: 'left', peer: first });
    pair.pass(1000);
    expect([...pair.gateway.state.agents]).toEqual([['a-1', 'agent-1']]);
    const peer = pair.send([{ hold: true }]);
    pair.gateway.give({ type: 'command', command: { do: 'shutdown', reason: 'night' } });
    pair.settle();
    expect(pair.names(peer)).toEqual(['started', 'error', 'end 0']);
    expect(pair.agent.state.phase).toBe('stopped');
    expect(pair.gateway.state.phase).toBe('stopped');
  });
});
