/** Requests: routing, events, terminals and what is ignored (rows G17–G24, G26–G31, G37, G38, G46). */
import { describe, expect, it } from 'vitest';
import { gatewayLimits } from './options.ts';
import { GatewayStage } from './gateway.test-helper.ts';
import type { MessageResponse } from '../messages.ts';
import type { OperatorRequest } from '../operator.ts';

describe('a send', () => {
  it('reaches the agent with ids that are fresh, and is answered by started (G17)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const operator = stage.call({ send: { content: 'hello', sender: 'me' } });
    const [message] = stage.heard(agent);
    const { request_id, thread_id } = message?.send_message ?? {};
    expect(message).toEqual({ send_message: { request_id, thread_id, sender: 'me', content: 'hello' } });
    expect(request_id).toMatch(/./);
    expect(thread_id).toMatch(/./);
    expect(stage.replies(operator)).toEqual([{ started: { thread_id, request_id, agent_id: 'a-1' } }]);
  });

  it('never uses an id twice (G17)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const ids = Array.from({ length: 50 }, () => stage.work(agent).id);
    expect(new Set(ids).size).toBe(50);
  });

  it('keeps the thread it was given, and goes to the agent of the thread (G18)', () => {
    const stage = new GatewayStage();
    const [first, second] = [stage.agent('a-1'), stage.agent('a-2')];
    expect(stage.work(second, { agent_id: 'a-2', thread_id: 't' }).thread).toBe('t');
    expect(stage.work(second, { thread_id: 't' }).thread).toBe('t');
    expect(stage.work(first, { thread_id: 'u' }).thread).toBe('u');
    expect(stage.work(first, { agent_id: 'a-1', thread_id: 't' }).thread).toBe('t');
    expect(stage.work(first, { thread_id: 't' }).id).not.toBe('');
  });

  it('into a thread whose agent is offline fails: another agent knows nothing of it (G26)', () => {
    const stage = new GatewayStage();
    const lost = stage.agent('a-1');
    stage.agent('a-2');
    stage.work(lost, { thread_id: 't' });
    stage.give({ type: 'left', peer: lost });
    expect(stage.replies(stage.call({ send: { content: 'x', sender: 'me', thread_id: 't' } }))).toEqual([
      { end: 14 },
    ]);
  });

  it('carries attachments', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const attachments = [{ filename: 'f', mime_type: 'text/plain', data: 'aGk=' }];
    stage.call({ send: { content: 'x', sender: 'me', attachments } });
    expect(stage.heard(agent)[0]?.send_message?.attachments).toEqual(attachments);
  });

  it.each([
    ['empty', { content: '' }, 3],
    ['larger than a message may be', { content: 'x'.repeat(4 << 20) }, 8],
    ['with an attachment that is none', { content: 'x', attachments: [1] }, 3],
  ])('that is %s is refused', (_, body, end) => {
    const stage = new GatewayStage();
    stage.agent('a-1');
    // An attachment that is none is what the type forbids.
    const call = { send: { sender: 'me', ...body } } as OperatorRequest;
    expect(stage.replies(stage.call(call))).toEqual([{ end }]);
  });

  it('to an agent that has too many is refused', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    for (let n = 0; n < gatewayLimits.requests; n++) {
      const link = stage.state.links.get(agent);
      if (link?.kind === 'agent') link.requests.add(`x-${n}`);
    }
    expect(stage.replies(stage.call({ send: { content: 'x', sender: 'me' } }))).toEqual([{ end: 8 }]);
  });
});

const events: readonly (readonly [string, Omit<MessageResponse, 'request_id'>, object])[] = [
  ['thinking', { thinking: 'hm' }, { thinking: { text: 'hm' } }],
  ['text', { text: 'hi' }, { text: { text: 'hi' } }],
  ['empty text', { text: '' }, { text: { text: '' } }],
  [
    'tool_use',
    { tool_use: { id: 't', name: 'n', input_json: '{}' } },
    { tool_use: { id: 't', name: 'n', input_json: '{}' } },
  ],
  [
    'tool_state (G30)',
    { tool_state: { id: 't', state: 'TOOL_STATE_AWAITING_APPROVAL', detail: 'd' } },
    { tool_state: { id: 't', state: 'awaiting_approval', detail: 'd' } },
  ],
  [
    'CANCELLED, with one l (decision 12)',
    { tool_state: { id: 't', state: 'TOOL_STATE_CANCELLED' } },
    { tool_state: { id: 't', state: 'canceled' } },
  ],
  [
    'a state the schema does not know (G30)',
    { tool_state: { id: 't', state: 42 } },
    { tool_state: { id: 't', state: '42' } },
  ],
  ['the state 0', { tool_state: { id: 't' } }, { tool_state: { id: 't', state: 'unspecified' } }],
  [
    'tool_result',
    { tool_result: { id: 't', output: 'o' } },
    { tool_result: { id: 't', output: 'o', is_error: false } },
  ],
  [
    'file',
    { file: { filename: 'f', mime_type: 'm', data: 'aGk=' } },
    { file: { filename: 'f', mime_type: 'm', data: 'aGk=' } },
  ],
  ['session_init (G46)', { session_init: { session_id: 's' } }, { session_init: { session_id: 's' } }],
  ['session_orphaned (G46)', { session_orphaned: { reason: 'r' } }, { session_orphaned: { reason: 'r' } }],
  [
    'usage (G29)',
    { usage: { input_tokens: 3, thinking_tokens: 1 } },
    {
      usage: {
        input_tokens: 3,
        output_tokens: 0,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        thinking_tokens: 1,
      },
    },
  ],
];

const terminals: readonly (readonly [string, Omit<MessageResponse, 'request_id'>, object])[] = [
  ['done', { done: { full_response: 'all' } }, { done: { full_response: 'all' } }],
  ['error', { error: 'no' }, { error: { error: 'no' } }],
  ['cancelled, unasked for (G37)', { cancelled: { reason: 'r' } }, { canceled: { reason: 'r' } }],
];

describe('an event', () => {
  it.each(events)(
    '%s reaches its requester by its published name, and ends nothing (G19)',
    (_, event, shown) => {
      const stage = new GatewayStage();
      const agent = stage.agent('a-1');
      const { operator, id } = stage.work(agent);
      stage.respond(agent, id, event);
      stage.respond(agent, id, { text: 'after' });
      expect(stage.replies(operator).slice(1)).toEqual([shown, { text: { text: 'after' } }]);
    },
  );

  it.each(terminals)('%s ends the request, told from the other terminals (G21, G38)', (_, event, shown) => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { operator, id } = stage.work(agent);
    stage.respond(agent, id, event);
    expect(stage.replies(operator).slice(1)).toEqual([shown, { end: 0 }]);
  });

  it('asking for approval carries the id of its request', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { operator, id } = stage.work(agent);
    stage.respond(agent, id, { tool_approval_request: { id: 't', name: 'n', input_json: '{}' } });
    expect(stage.replies(operator)[1]).toEqual({
      tool_approval: { id: 't', name: 'n', input_json: '{}', request_id: id },
    });
  });

  it('of requests side by side reaches each its own requester, in order (G19, G20, G27)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const [one, two] = [stage.work(agent), stage.work(agent)];
    for (let n = 0; n < 500; n++)
      for (const { id } of [one, two]) stage.respond(agent, id, { text: `${id} ${n}` });
    for (const { id } of [one, two]) stage.respond(agent, id, { done: {} });
    for (const { operator, id } of [one, two]) {
      const heard = stage.replies(operator).slice(1);
      const expected = Array.from({ length: 500 }, (_, n) => ({ text: { text: `${id} ${n}` } }));
      expect(heard).toEqual([...expected, { done: { full_response: '' } }, { end: 0 }]);
    }
  });
});

describe('what is ignored, and the stream kept', () => {
  const ignored = (
    say: (stage: GatewayStage, agent: string, other: string, id: string, over: string) => void,
  ): void => {
    const stage = new GatewayStage();
    const [agent, other] = [stage.agent('a-1'), stage.agent('a-2')];
    const finished = stage.work(agent);
    stage.respond(agent, finished.id, { done: {} });
    const { operator, id } = stage.work(agent);
    stage.take();
    say(stage, agent, other, id, finished.id);
    expect(stage.take().filter((output) => output.type !== 'tell')).toEqual([]);
    stage.respond(agent, id, { done: {} });
    expect(stage.replies(operator)).toEqual([{ done: { full_response: '' } }, { end: 0 }]);
  };

  it('is a second terminal, and any event after the first (G21)', () => {
    ignored((stage, agent, _, __, over) => {
      for (const [, event] of [...events, ...terminals]) stage.respond(agent, over, event);
    });
  });

  it('is an event of a request that nobody knows, or of none (G22)', () => {
    ignored((stage, agent) => {
      for (const id of ['nobody', '', '__proto__']) stage.respond(agent, id, { text: 'x' });
    });
  });

  it("is one agent's answer to another's request (G23)", () => {
    ignored((stage, _, other, id) => {
      for (const [, event] of [...events, ...terminals]) stage.respond(other, id, event);
    });
  });

  it('is a response without an event, or with one that nobody knows (G24)', () => {
    ignored((stage, agent, _, id) => {
      stage.respond(agent, id, {});
      stage.say(agent, { response: { request_id: id, ...{ telepathy: 'x' } } });
    });
  });
});

describe('an operator', () => {
  it('that leaves does not stop its request, whose events still go to who listens to all', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const watcher = stage.call({ events: {} });
    const { operator, id, thread } = stage.work(agent);
    stage.give({ type: 'left', peer: operator });
    stage.take();
    stage.respond(agent, id, { text: 'on' });
    stage.respond(agent, id, { done: {} });
    const whose = { request_id: id, thread_id: thread, agent_id: 'a-1' };
    expect(stage.of(operator)).toEqual([]);
    expect(stage.replies(watcher)).toEqual([
      { event: { ...whose, name: 'text', data: { text: 'on' } } },
      { event: { ...whose, name: 'done', data: { full_response: '' } } },
    ]);
  });

  it('that listens to all hears started too, and nothing after it has left', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const watcher = stage.call({ events: {} });
    const { id } = stage.work(agent);
    expect(stage.replies(watcher)).toMatchObject([{ event: { name: 'started', request_id: id } }]);
    stage.give({ type: 'left', peer: watcher });
    stage.respond(agent, id, { text: 'x' });
    expect(stage.replies(watcher)).toEqual([]);
  });
});
