/** The session machine: the laws of machines, and what "Behaviour" (spec/fold/README.md) says of a stream. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedStaysClosed, replayable, totalMachine } from '../../kit/laws/index.ts';
import { closing, sessions } from '../arbitrary.ts';
import { remembered, sessionMachine } from './machine.ts';
import type { Request, Session } from './machine.ts';
import type { AgentMessage, MessageResponse, ServerMessage, ToolState } from '../messages.ts';

const runs = { seed: 7, numRuns: 400 };

describe('the laws of machines', () => {
  it('hold', () => {
    fc.assert(replayable(sessionMachine, sessions), runs);
    fc.assert(totalMachine(sessionMachine, sessions), runs);
  });

  it('hold for what is closed', () => {
    const closed = (session: Session): boolean => session.phase === 'closed';
    fc.assert(
      closedStaysClosed(sessionMachine, closed, { before: sessions, closing, after: sessions }),
      runs,
    );
  });
});

/** A stream that is told what crosses it, one message a millisecond. */
class Stream {
  session = sessionMachine.start();
  #seq = 0;

  constructor(...features: string[]) {
    this.agent({ register: { agent_id: 'a', protocol_features: features } });
    this.gateway({ welcome: { agent_id: 'b' } });
  }

  agent(message: AgentMessage): string[] {
    return this.#step({ from: 'agent', message });
  }

  gateway(message: ServerMessage): string[] {
    return this.#step({ from: 'gateway', message });
  }

  respond(event: MessageResponse, id: string = 'r1'): string[] {
    return this.agent({ response: { ...event, request_id: id } });
  }

  send(id: string = 'r1', content: string = 'hello'): string[] {
    return this.gateway({ send_message: { request_id: id, thread_id: 't', content } });
  }

  request(id: string = 'r1'): Request {
    const request = this.session.requests.get(id);
    if (request === undefined) throw new Error(`no request ${id}`);
    return request;
  }

  #step(
    input: { from: 'agent'; message: AgentMessage } | { from: 'gateway'; message: ServerMessage },
  ): string[] {
    const seq = this.#seq++;
    const { state, violations } = sessionMachine.step(this.session, { ...input, seq, at: seq });
    this.session = state;
    return violations.map((violation) => violation.code);
  }
}

describe('a stream', () => {
  it('goes from opened to registered, ready and closed', () => {
    const { start, step } = sessionMachine;
    const session = start();
    expect(session.phase).toBe('opened');
    step(session, { from: 'agent', message: { register: { agent_id: 'a' } }, seq: 0, at: 0 });
    expect(session.phase).toBe('registered');
    step(session, { from: 'gateway', message: { welcome: { agent_id: 'b' } }, seq: 1, at: 1 });
    expect([session.phase, session.welcome?.agentId]).toEqual(['ready', 'b']);
    step(session, { from: 'agent', closed: true, seq: 2, at: 2 });
    expect(session.phase).toBe('closed');
    const late = step(session, { from: 'agent', message: {}, seq: 3, at: 3 });
    expect(late.violations.map((v) => v.code)).toEqual(['closed']);
  });

  it('begins with register and nothing else', () => {
    const response = { from: 'agent', message: { heartbeat: {} }, seq: 0, at: 0 } as const;
    const { state, violations } = sessionMachine.step(sessionMachine.start(), response);
    expect(violations.map((v) => v.code)).toEqual(['not-registered']);
    expect(state.phase).toBe('opened');
  });

  it('ignores a second register', () => {
    const stream = new Stream('injection');
    expect(stream.agent({ register: { agent_id: 'other' } })).toEqual(['second-register']);
    expect(stream.session.register?.message.agent_id).toBe('a');
    expect([...stream.session.features]).toEqual(['injection']);
  });

  it('is refused by RegistrationError', () => {
    const session = sessionMachine.start();
    sessionMachine.step(session, { from: 'agent', message: { register: {} }, seq: 0, at: 0 });
    sessionMachine.step(session, { from: 'gateway', message: { registration_error: {} }, seq: 1, at: 1 });
    expect(session.phase).toBe('refused');
  });
});

describe('a request', () => {
  it.each([
    ['done', { done: { full_response: 'whole' } }, 'whole'],
    ['error', { error: 'broken' }, 'broken'],
    ['cancelled', { cancelled: { reason: 'asked' } }, 'asked'],
  ] as const)('is active until its first terminal: %s', (event, message, detail) => {
    const stream = new Stream();
    stream.send();
    expect([...stream.session.active.keys()]).toEqual(['r1']);
    expect(stream.respond(message)).toEqual([]);
    expect(stream.session.active.size).toBe(0);
    expect(stream.request().terminal).toMatchObject({ event, detail });
    expect(stream.respond({ text: 'late' })).toEqual(['after-terminal']);
    expect(stream.respond({ error: 'second' })).toEqual(['after-terminal']);
    expect(stream.request().terminal).toMatchObject({ event, detail });
    expect(stream.request().text).toBe('');
  });

  it('must have been sent, and only once', () => {
    const stream = new Stream();
    expect(stream.respond({ text: 'x' }, 'unknown')).toEqual(['unknown-request']);
    stream.send();
    stream.respond({ done: {} });
    expect(stream.send()).toEqual(['duplicate-request']);
    expect(stream.session.active.size).toBe(0);
  });

  it('keeps its texts joined, its usage by call, and what came last', () => {
    const stream = new Stream();
    stream.send();
    for (const text of ['a', '', 'b']) stream.respond({ text });
    stream.respond({ usage: { input_tokens: 1 } });
    stream.respond({ usage: { input_tokens: 2 } });
    expect(stream.request().text).toBe('ab');
    expect(stream.request().usage).toEqual([{ input_tokens: 1 }, { input_tokens: 2 }]);
    expect(stream.request().last?.seq).toBe(7);
  });

  it('forgets its text above 16 Mi characters', () => {
    const stream = new Stream();
    stream.send();
    const big = 'x'.repeat(4 << 20);
    for (let i = 0; i < 4; i++) stream.respond({ text: big });
    expect(stream.request().text?.length).toBe(16 << 20);
    stream.respond({ text: 'x' });
    expect(stream.request().text).toBeUndefined();
  });

  it('has its text after its end, until another has ended; what is open keeps its own', () => {
    const stream = new Stream();
    for (const id of ['r1', 'r2', 'open']) {
      stream.send(id);
      stream.respond({ text: `text of ${id}` }, id);
    }
    const texts = (): (string | undefined)[] => ['r1', 'r2', 'open'].map((id) => stream.request(id).text);
    stream.respond({ done: {} }, 'r2');
    expect(texts()).toEqual(['text of r1', 'text of r2', 'text of open']);
    stream.respond({ cancelled: {} }, 'r1');
    expect(texts()).toEqual(['text of r1', undefined, 'text of open']);
  });

  it('of many that were long leaves the text of one behind', () => {
    const stream = new Stream();
    for (let i = 0; i < 50; i++) {
      stream.send(`r${i}`);
      stream.respond({ text: 'x'.repeat(1000) }, `r${i}`);
      stream.respond({ done: {} }, `r${i}`);
    }
    const kept = [...stream.session.requests.values()].filter(({ text }) => text !== undefined);
    expect(kept.map(({ id }) => id)).toEqual(['r49']);
  });

  it('is steered by a cancel, or by a decision about a tool of it that asked, and by no other', () => {
    const stream = new Stream();
    for (const id of ['cancelled', 'decided', 'neither']) {
      stream.send(id);
      stream.respond({ tool_use: { id: `tool of ${id}`, name: 'write' } }, id);
    }
    stream.respond({ tool_approval_request: { id: 'tool of decided' } }, 'decided');
    stream.gateway({ cancel_request: { request_id: 'cancelled' } });
    stream.gateway({ tool_approval: { id: 'tool of decided' } });
    stream.gateway({ tool_approval: { id: 'tool of neither' } });
    const steered = [...stream.session.active.values()].filter((request) => request.steered);
    expect(steered.map(({ id }) => id)).toEqual(['cancelled', 'decided']);
  });

  it('of which thousands have ended is forgotten, the oldest first; one that has not ended never', () => {
    const stream = new Stream();
    stream.send('open');
    for (let i = 0; i < 2 * remembered; i++) {
      stream.send(`r${i}`);
      stream.respond({ done: {} }, `r${i}`);
    }
    const { requests, active, forgotten } = stream.session;
    expect(requests.size).toBeLessThanOrEqual(remembered + 2);
    expect([requests.has('r0'), requests.has(`r${2 * remembered - 1}`)]).toEqual([false, true]);
    expect([...active.keys()]).toEqual(['open']);
    expect(forgotten + requests.size).toBe(2 * remembered + 1);
  });

  it('remembers the first cancel of it while it is active, and no other', () => {
    const stream = new Stream();
    stream.send();
    expect(stream.gateway({ cancel_request: { request_id: 'unknown' } })).toEqual([]);
    stream.gateway({ cancel_request: { request_id: 'r1', reason: 'first' } });
    stream.gateway({ cancel_request: { request_id: 'r1', reason: 'second' } });
    expect(stream.request().cancel?.reason).toBe('first');
    stream.respond({ done: {} });
    stream.send('r2');
    stream.respond({ done: {} }, 'r2');
    stream.gateway({ cancel_request: { request_id: 'r2' } });
    expect(stream.request('r2').cancel).toBeUndefined();
  });
});

describe('a tool', () => {
  const state = (s: ToolState, id: string = 'x'): MessageResponse => ({ tool_state: { id, state: s } });
  const used = (...approvals: string[]): Stream => {
    const stream = new Stream();
    stream.send();
    for (const id of ['x', ...approvals]) {
      stream.respond({ tool_use: { id, name: 'read' } });
      if (id !== 'x') stream.respond({ tool_approval_request: { id } });
    }
    return stream;
  };

  it('is known from its tool_use on, once in a request', () => {
    const stream = used();
    expect(stream.respond({ tool_use: { id: 'x' } })).toEqual(['duplicate-tool']);
    expect(stream.respond(state('TOOL_STATE_RUNNING', 'y'))).toEqual(['unknown-tool']);
    expect(stream.respond({ tool_result: { id: 'y' } })).toEqual(['unknown-tool']);
    expect(stream.respond({ tool_approval_request: { id: 'y' } })).toEqual(['unknown-tool']);
  });

  it('has no state after a final one, but may still have its result', () => {
    const stream = used();
    expect(stream.respond(state('TOOL_STATE_RUNNING'))).toEqual([]);
    expect(stream.respond(state('TOOL_STATE_COMPLETED'))).toEqual([]);
    expect(stream.respond(state('TOOL_STATE_FAILED'))).toEqual(['after-final-state']);
    expect(stream.respond({ tool_result: { id: 'x' } })).toEqual([]);
    const tool = stream.request().tools.get('x');
    expect([tool?.ended?.state, tool?.result?.isError]).toEqual(['TOOL_STATE_COMPLETED', false]);
  });

  it('is decided about once it asked, by its own id, the first time', () => {
    const stream = used('y', 'z');
    stream.gateway({ tool_approval: { id: 'x', approved: true } });
    stream.gateway({ tool_approval: { id: 'y' } });
    stream.gateway({ tool_approval: { id: 'y', approved: true } });
    const tools = stream.request().tools;
    expect(tools.get('x')?.decided).toBeUndefined();
    expect(tools.get('y')?.decided?.approved).toBe(false);
    expect(tools.get('z')?.decided).toBeUndefined();
  });

  it('needs no asking any more after approve_all, if that was an approval', () => {
    const stream = used('y', 'z');
    stream.gateway({ tool_approval: { id: 'y', approve_all: true } });
    expect(stream.request().approveAll).toBeUndefined();
    stream.gateway({ tool_approval: { id: 'z', approved: true, approve_all: true } });
    expect(stream.request().approveAll).toBeDefined();
  });
});

describe('an injection', () => {
  const inject = (id: string, content: string = 'x'): ServerMessage => ({
    inject_context: { injection_id: id, content },
  });

  it('is acked under its own id', () => {
    const stream = new Stream();
    stream.gateway(inject('i1'));
    expect(stream.agent({ injection_ack: { injection_id: 'i1', accepted: true } })).toEqual([]);
    expect(stream.agent({ injection_ack: { injection_id: 'i2' } })).toEqual(['unknown-injection']);
    expect(stream.session.injections.get('i1')?.acks).toMatchObject([{ accepted: true, reason: '' }]);
  });

  it('that is sent again is the same one, sent twice', () => {
    const stream = new Stream();
    stream.gateway(inject('i1'));
    stream.gateway(inject('i1'));
    expect(stream.session.injections.size).toBe(1);
    expect(stream.session.injections.get('i1')?.sends).toBe(2);
  });

  it('whose content is release counts for the requests that are active', () => {
    const stream = new Stream();
    stream.send('r1');
    stream.gateway(inject('i1', 'release'));
    stream.send('r2');
    stream.gateway(inject('i2', 'release'));
    stream.gateway(inject('i3', 'please release'));
    expect([stream.request('r1').releases, stream.request('r2').releases]).toEqual([2, 1]);
  });

  // "A repeated injection_id gets the same ack again and is applied once."
  it('whose content is release counts once, however often it is sent', () => {
    const stream = new Stream();
    stream.send('r1');
    for (let i = 0; i < 3; i++) stream.gateway(inject('i1', 'release'));
    expect(stream.request('r1').releases).toBe(1);
  });

  it('of thousands is forgotten, the oldest first', () => {
    const stream = new Stream();
    for (let i = 0; i < remembered + 10; i++) stream.gateway(inject(`i${i}`));
    const { injections, forgotten } = stream.session;
    expect([injections.size, forgotten, injections.has('i9'), injections.has('i10')]).toEqual([
      remembered,
      10,
      false,
      true,
    ]);
  });
});

it('knows the pack calls that are out, by ids that are not', () => {
  const stream = new Stream();
  expect(stream.agent({ execute_pack_tool: { request_id: 'p' } })).toEqual([]);
  expect(stream.agent({ execute_pack_tool: { request_id: 'p' } })).toEqual(['duplicate-pack-call']);
  stream.gateway({ pack_tool_result: { request_id: 'p', output_json: '{}' } });
  expect(stream.agent({ execute_pack_tool: { request_id: 'p' } })).toEqual([]);
});
