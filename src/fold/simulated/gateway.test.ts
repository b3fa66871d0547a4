/** The simulated gateway: how it treats those who register ("Connection", spec/fold/README.md), and that it obeys. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PeerCommand } from '../../kit/base/index.ts';
import { replayableRole, totalRole } from '../../kit/laws/index.ts';
import { gatewayInputs } from '../arbitrary-inputs.ts';
import { directive } from '../directive.ts';
import { scriptedGateway } from './gateway.ts';
import type { ScriptedGatewayOptions, ScriptedGatewayState } from './gateway.ts';
import type { AgentMessage, ServerMessage } from '../messages.ts';
import { RoleStage, command } from '../../kit/base/role-stage.test-helper.ts';

type Stage = RoleStage<ScriptedGatewayState, AgentMessage, ServerMessage, PeerCommand<ServerMessage>>;

/** A gateway to which streams are opened and agents speak. */
function staged(
  options: ScriptedGatewayOptions = {},
): Stage & { open(peer: string): void; hear(peer: string, m: AgentMessage): void } {
  const stage: Stage = new RoleStage(scriptedGateway(options));
  return Object.assign(stage, {
    open: (peer: string) => stage.give({ type: 'opened', peer, metadata: {} }),
    hear: (peer: string, message: AgentMessage) => stage.give({ type: 'message', peer, message }),
  });
}

const register = (agent_id: string): AgentMessage => ({ register: { agent_id } });

/** A gateway at which agents have registered, each on the stream of its name. */
function withAgents(options: ScriptedGatewayOptions, ...names: string[]): ReturnType<typeof staged> {
  const stage = staged(options);
  for (const name of names) {
    stage.open(name);
    stage.hear(name, register(name));
  }
  return stage;
}

const welcomes = (stage: Stage): (ServerMessage['welcome'] | undefined)[] =>
  stage.sent().map((m) => m.welcome);

it('obeys the laws of roles', () => {
  const runs = { seed: 7, numRuns: 500 };
  const kinds: ScriptedGatewayOptions[] = [
    {},
    { welcome_delay_ms: 50 },
    { answers: true },
    { answers: true, deny_after_ms: 50 },
    { refuse: { by: 'registration_error', for_ms: 100 } },
  ];
  for (const options of kinds) {
    fc.assert(replayableRole(scriptedGateway(options), gatewayInputs), runs);
    fc.assert(totalRole(scriptedGateway(options), gatewayInputs), runs);
  }
});

describe('a stream', () => {
  it('gets response headers before its first message', () => {
    const stage = staged();
    stage.open('s1');
    expect(stage.take()).toEqual([{ type: 'headers', peer: 's1', metadata: {} }]);
  });

  it('gets one Welcome when it registers, with the agent’s id and an instance of its own', () => {
    const stage = withAgents({}, 'a', 'b');
    const [a, b] = welcomes(stage);
    expect([a?.agent_id, b?.agent_id]).toEqual(['a', 'b']);
    expect(a?.server_id).toMatch(/./);
    expect(a?.instance_id).toMatch(/./);
    expect(a?.instance_id).not.toBe(b?.instance_id);
  });

  it.each([
    ['anything but register first', { heartbeat: {} }],
    ['an empty message first', {}],
    ['an empty agent_id', { register: { name: 'nobody' } }],
  ])('ends in INVALID_ARGUMENT after %s, without a Welcome', (_, message) => {
    const stage = staged();
    stage.open('s1');
    stage.take();
    stage.hear('s1', message);
    expect(stage.take()).toEqual([
      { type: 'close', peer: 's1', status: { code: 3, message: expect.stringMatching(/./) as string } },
    ]);
    stage.hear('s1', register('a'));
    expect(stage.take()).toEqual([]);
  });

  it('ends in INVALID_ARGUMENT when its first bytes are no message; later ones do no harm', () => {
    const stage = withAgents({}, 'a');
    stage.take();
    stage.give({ type: 'undecodable', peer: 'a', reason: 'bad' });
    expect(stage.take()).toEqual([]);
    stage.open('b');
    stage.take();
    stage.give({ type: 'undecodable', peer: 'b', reason: 'bad' });
    expect(stage.take()).toMatchObject([{ type: 'close', peer: 'b', status: { code: 3 } }]);
  });

  it('that registers again is not changed by it', () => {
    const stage = withAgents({}, 'a');
    stage.take();
    stage.hear('a', register('other'));
    expect(stage.take()).toEqual([]);
  });

  it('that the agent closes ends with OK', () => {
    const stage = withAgents({}, 'a');
    stage.take();
    stage.give({ type: 'half_close', peer: 'a' });
    expect(stage.take()).toEqual([{ type: 'close', peer: 'a', status: { code: 0, message: '' } }]);
  });
});

describe('Welcome', () => {
  it('is held back as long as told, and not sent to who has left meanwhile', () => {
    const stage = withAgents({ welcome_delay_ms: 300 }, 'a', 'b');
    stage.give({ type: 'left', peer: 'b' });
    stage.pass(299);
    expect(welcomes(stage)).toEqual([]);
    stage.pass(1);
    expect(welcomes(stage).map((w) => w?.agent_id)).toEqual(['a']);
  });

  it('carries the assigned id, and the fields it is told', () => {
    const stage = withAgents({ assign_id: 'x', welcome: { mcp_token: 't', server_id: 's' } }, 'a');
    expect(welcomes(stage)).toMatchObject([{ agent_id: 'x', mcp_token: 't', server_id: 's' }]);
  });
});

describe('a refusal', () => {
  it('by ALREADY_EXISTS says that the id is already registered', () => {
    const stage = withAgents({ refuse: { by: 'already_exists' } }, 'a');
    const status = { code: 6, message: expect.stringContaining('already registered') as string };
    expect(stage.take().slice(1)).toEqual([{ type: 'close', peer: 'a', status }]);
  });

  it.each([[{}], [{ suggested_id: 'better' }]])(
    'by RegistrationError has a reason, ends the stream, and suggests %j',
    (more) => {
      const stage = withAgents({ refuse: { by: 'registration_error', ...more } }, 'a');
      const message = { registration_error: { reason: expect.stringMatching(/./) as string, ...more } };
      expect(stage.take().slice(1)).toEqual([
        { type: 'send', peer: 'a', message },
        { type: 'close', peer: 'a', status: { code: 0, message: '' } },
      ]);
    },
  );

  it('befalls as many registrations as told, then no more', () => {
    const stage = withAgents({ refuse: { by: 'already_exists', times: 2 } }, 'a', 'b', 'c');
    expect(welcomes(stage).map((w) => w?.agent_id)).toEqual(['c']);
  });

  it('befalls every registration in the time told, from the first on', () => {
    const stage = withAgents({ refuse: { by: 'already_exists', for_ms: 1000 } }, 'a');
    stage.pass(999);
    stage.open('b');
    stage.hear('b', register('b'));
    stage.pass(1);
    stage.open('c');
    stage.hear('c', register('c'));
    expect(welcomes(stage).map((w) => w?.agent_id)).toEqual(['c']);
  });
});

describe('a command', () => {
  const message: ServerMessage = { shutdown: { reason: 'x' } };

  it('reaches the agent that opened its stream last and is still there', () => {
    const stage = withAgents({}, 'a', 'b');
    stage.take();
    stage.give(command({ do: 'send', message }));
    stage.give({ type: 'left', peer: 'b' });
    stage.give(command({ do: 'send', message }));
    expect(stage.take()).toEqual(['b', 'a'].map((peer) => ({ type: 'send', peer, message })));
  });

  it('sends bytes as they are, and ends a stream with any status', () => {
    const stage = withAgents({}, 'a');
    stage.take();
    const bytes = new Uint8Array([255]);
    stage.give(command<ServerMessage>({ do: 'raw', bytes }));
    stage.give(command<ServerMessage>({ do: 'end', status: { code: 13, message: 'why' } }));
    stage.give(command({ do: 'send', message }));
    expect(stage.take()).toEqual([
      { type: 'send_raw', peer: 'a', bytes },
      { type: 'close', peer: 'a', status: { code: 13, message: 'why' } },
      { type: 'tell', what: 'unsent', detail: '"send"' },
    ]);
  });

  it('reports that nobody is there', () => {
    const stage = staged();
    stage.give(command({ do: 'send', message }));
    expect(stage.take()).toEqual([{ type: 'tell', what: 'unsent', detail: '"send"' }]);
  });
});

describe('a question of an agent', () => {
  const asks = (request_id: string): AgentMessage => ({
    response: { request_id, tool_approval_request: { id: 'tool-1', name: 'write', input_json: '{}' } },
  });
  const calls: AgentMessage = {
    execute_pack_tool: { request_id: 'p1', tool_name: 'weather', input_json: '{}' },
  };
  const answersTo = (content: string, options: ScriptedGatewayOptions, question: AgentMessage): unknown[] => {
    const stage = withAgents(options, 's1');
    stage.give(command({ do: 'send', message: { send_message: { request_id: 'r1', content } } }));
    stage.take();
    stage.hear('s1', question);
    return stage.sent();
  };

  it('in plain words is answered: the tool is denied, and there is no pack', () => {
    expect(answersTo('hello', { answers: true }, asks('r1'))).toEqual([
      { tool_approval: { id: 'tool-1', approved: false } },
    ]);
    expect(answersTo('hello', { answers: true }, calls)).toEqual([
      { pack_tool_result: { request_id: 'p1', error: 'there is no tool weather' } },
    ]);
  });

  it('that a directive contains is left to the commands', () => {
    const gated = directive([{ tool: { name: 'write', approval: true } }]);
    expect(answersTo(gated, { answers: true }, asks('r1'))).toEqual([]);
    expect(answersTo(directive([{ pack_tool: { name: 'weather' } }]), { answers: true }, calls)).toEqual([]);
    expect(answersTo(directive([{ say: 'hi' }]), { answers: true }, asks('r1'))).toHaveLength(1);
  });

  it('is denied after a time, unless a command decides before, or the request ends', () => {
    const stage = withAgents({ answers: true, deny_after_ms: 5000 }, 's1');
    stage.take();
    stage.hear('s1', asks('r1'));
    stage.pass(4999);
    expect(stage.sent()).toEqual([]);
    stage.pass(1);
    expect(stage.sent()).toEqual([{ tool_approval: { id: 'tool-1', approved: false } }]);
    stage.hear('s1', asks('r1'));
    const decision = { tool_approval: { id: 'tool-1', approved: true } };
    stage.give(command({ do: 'send', message: decision }));
    expect(stage.sent()).toEqual([decision]);
    stage.hear('s1', asks('r1'));
    stage.hear('s1', { response: { request_id: 'r1', done: {} } });
    expect([stage.sent(), stage.nextTimer()]).toEqual([[], undefined]);
  });

  it('is left to the commands without the option', () => {
    expect([...answersTo('hello', {}, asks('r1')), ...answersTo('hello', {}, calls)]).toEqual([]);
  });
});
