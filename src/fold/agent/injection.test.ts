/** Where the reference agent says what is injected: section 3 of the source, and "Injections" in spec/fold/README.md. */
import { describe, expect, it } from 'vitest';
import { AgentStage } from '../simulated/stage.test-helper.ts';

const echo = { echo_injections: true };

/** A stage with one request that runs, and what it told so far forgotten. */
function running(...steps: object[]): AgentStage {
  const stage = new AgentStage();
  stage.request('r', steps);
  stage.take();
  return stage;
}

/** What a request said, from now on until it can go no further without being released. */
const saidBy = (stage: AgentStage, id: string): string[] => stage.responses(id).flatMap((r) => r.text ?? []);

/** The next request that says injections. */
const next = (stage: AgentStage, id: string = 'next'): string[] => {
  stage.take();
  stage.request(id, [echo, { say: 'second step' }]);
  return saidBy(stage, id);
};

describe('an injection', () => {
  it('is acked at once, in order of arrival, whatever the agent does', () => {
    const stage = running({ hold: true });
    stage.inject('i1', 'a', 'NORMAL');
    stage.inject('i2', 'b', 'DEFERRED');
    stage.inject('i3', 'c', 'IMMEDIATE');
    expect(stage.told()).toEqual(['accept i1', 'accept i2', 'accept i3']);
    const idle = new AgentStage();
    idle.inject('i1', 'a');
    expect(idle.sent()).toEqual([{ injection_ack: { injection_id: 'i1', accepted: true } }]);
  });

  it('that comes again gets the same ack again, and is applied once', () => {
    const stage = running(echo, { hold: true }, { say: 'then' });
    for (let i = 0; i < 3; i++) stage.inject('i1', 'note', 'IMMEDIATE');
    expect(stage.told()).toEqual(['accept i1', 'r says note', 'accept i1', 'accept i1']);
    stage.release();
    expect(saidBy(stage, 'r')).toEqual(['then']);
  });

  it('belongs to one request only: the one that runs longest', () => {
    const stage = running(echo, { hold: true });
    stage.request('s', [echo, { hold: true }]);
    for (const priority of ['IMMEDIATE', 'NORMAL']) stage.inject(priority, priority, priority);
    stage.release();
    const said = stage.responses().map((r) => [r.request_id, r.text]);
    expect(said.filter(([, text]) => text !== undefined)).toEqual([
      ['r', 'IMMEDIATE'],
      ['r', 'NORMAL'],
    ]);
  });

  // "An accepted one belongs to the running request that started first."
  it('belongs to the one that started first, even if another came before that', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ wait_ms: 10 }], { thread_id: 't' });
    stage.request('r2', [echo, { hold: true }], { thread_id: 't' });
    stage.request('r3', [echo, { hold: true }]);
    stage.pass(10);
    stage.inject('i', 'note');
    expect(stage.responses().find((r) => r.text === 'note')?.request_id).toBe('r3');
  });
});

describe('IMMEDIATE', () => {
  it.each([
    ['a hold', { hold: true }],
    ['a wait', { wait_ms: 1000 }],
    ['a tool that holds', { tool: { name: 'slow', hold: true } }],
    ['an approval', { tool: { name: 'gated', approval: true } }],
    ['a pack call', { pack_tool: { name: 'search' } }],
  ])('is said at once during %s, and ends nothing', (_, step) => {
    const stage = running(echo, step, { say: 'after' });
    stage.inject('i', 'note', 'IMMEDIATE');
    expect(stage.told()).toEqual(['accept i', 'r says note']);
  });

  it('is said between two events of a burst', () => {
    const stage = new AgentStage();
    const content = JSON.stringify({ wireproof: { do: [echo, { say: 'x', times: 60 }] } });
    stage.say({ send_message: { request_id: 'r', content } });
    for (let i = 0; i < 2; i++) stage.fire();
    stage.inject('i', 'note', 'IMMEDIATE');
    const said = saidBy(stage, 'r');
    expect(said.filter((text) => text === 'x').length).toBe(60);
    expect(said.indexOf('note')).toBeGreaterThan(0);
    expect(said.indexOf('note')).toBeLessThan(60);
  });
});

describe.each(['NORMAL', 'UNSPECIFIED', 77])('%s', (priority) => {
  it('is said before the next step begins', () => {
    const stage = running(echo, { hold: true }, { say: 'next' });
    stage.inject('i', 'note', priority);
    expect(stage.told()).toEqual(['accept i']);
    stage.release();
    expect(saidBy(stage, 'r')).toEqual(['note', 'next']);
  });

  it('is said after the last step, before done', () => {
    const stage = running(echo, { hold: true });
    stage.inject('i', 'note', priority);
    stage.release();
    expect(stage.told().slice(2)).toEqual(['r says note', 'r done']);
  });

  it('is not said in the midst of a burst', () => {
    const stage = new AgentStage();
    const content = JSON.stringify({ wireproof: { do: [echo, { say: 'x', times: 60 }, { say: 'y' }] } });
    stage.say({ send_message: { request_id: 'r', content } });
    for (let i = 0; i < 2; i++) stage.fire();
    stage.inject('i', 'note', priority);
    expect(saidBy(stage, 'r')).toEqual([...Array.from({ length: 60 }, () => 'x'), 'note', 'y']);
  });
});

describe('DEFERRED', () => {
  it('is not said in this request, but by the next that says injections, before its second step', () => {
    const stage = running(echo, { hold: true }, { say: 'rest' });
    stage.inject('i', 'note', 'DEFERRED');
    stage.release();
    expect(saidBy(stage, 'r')).toEqual(['rest']);
    expect(next(stage)).toEqual(['note', 'second step']);
  });

  it('waits for a request that says injections; others pass', () => {
    const stage = running(echo, { hold: true });
    stage.inject('i', 'note', 'DEFERRED');
    stage.release();
    stage.take();
    stage.request('plain', [{ say: 'x' }]);
    stage.request('late', [{ say: 'y' }, echo]);
    expect(stage.responses().flatMap((r) => r.text ?? [])).toEqual(['x', 'y']);
    expect(next(stage)).toEqual(['note', 'second step']);
  });

  it('is not said in this request even when it comes before the second step', () => {
    const stage = new AgentStage();
    const content = JSON.stringify({ wireproof: { do: [echo, { say: 'second step' }] } });
    stage.say({ send_message: { request_id: 'r', content } });
    stage.say({
      inject_context: { injection_id: 'i', content: 'note', priority: 'INJECTION_PRIORITY_DEFERRED' },
    });
    stage.pass(0);
    expect(saidBy(stage, 'r')).toEqual(['second step']);
  });
});

describe('a request that does not say injections', () => {
  it('drops them silently, each at its place', () => {
    const stage = running({ hold: true }, { say: 'rest' });
    stage.inject('i1', 'now', 'IMMEDIATE');
    stage.inject('i2', 'soon', 'NORMAL');
    stage.release();
    expect(saidBy(stage, 'r')).toEqual(['rest']);
    expect(next(stage)).toEqual(['second step']);
  });

  it('says them from echo_injections on', () => {
    const stage = running({ hold: true }, echo, { hold: true }, { say: 'rest' });
    stage.inject('i1', 'early', 'IMMEDIATE');
    stage.release();
    stage.inject('i2', 'late', 'IMMEDIATE');
    stage.release();
    expect(saidBy(stage, 'r')).toEqual(['late', 'rest']);
  });
});

describe('what is kept', () => {
  it.each(['IMMEDIATE', 'NORMAL', 'DEFERRED'])('came while nothing ran, at any priority: %s', (priority) => {
    const stage = new AgentStage();
    stage.inject('i', 'note', priority);
    expect(next(stage)).toEqual(['note', 'second step']);
    expect(next(stage, 'later')).toEqual(['second step']);
  });

  it('did not reach its place because its request was cancelled or failed', () => {
    const stage = running(echo, { hold: true });
    stage.inject('i', 'note', 'NORMAL');
    stage.say({ cancel_request: { request_id: 'r' } });
    expect(next(stage)).toEqual(['note', 'second step']);
  });

  it('is said in order of arrival', () => {
    const stage = new AgentStage();
    for (const id of ['a', 'b', 'c']) stage.inject(id, id, id === 'b' ? 'DEFERRED' : 'NORMAL');
    expect(next(stage)).toEqual(['a', 'b', 'c', 'second step']);
  });

  it('is said in order of arrival, even when some of it was with a request first', () => {
    const stage = running(echo, { hold: true });
    stage.inject('a', 'a', 'NORMAL');
    stage.inject('b', 'b', 'DEFERRED');
    stage.say({ cancel_request: { request_id: 'r' } });
    expect(next(stage)).toEqual(['a', 'b', 'second step']);
  });

  it('is part of the texts of the request that says it', () => {
    const stage = new AgentStage();
    stage.inject('i', 'note ');
    stage.request('r', [echo, { say: 'more' }]);
    expect(stage.responses().at(-1)?.done?.full_response).toBe('note more');
  });

  it('is nothing on a new stream, where every id is new, too', () => {
    const stage = new AgentStage();
    stage.inject('i', 'old');
    stage.give({ type: 'left', peer: stage.state.peer });
    stage.pass(500);
    stage.open();
    expect(next(stage)).toEqual(['second step']);
    stage.inject('i', 'new');
    expect(stage.told()).toEqual(['accept i']);
    expect(next(stage, 'later')).toEqual(['new', 'second step']);
  });
});

describe('a request that rejects injections', () => {
  it('has them refused with its reason while it runs, again under the same id', () => {
    const stage = running(echo, { reject_injections: 'busy' }, { hold: true }, { say: 'rest' });
    stage.inject('i', 'note');
    stage.inject('i', 'note');
    const ack = { injection_ack: { injection_id: 'i', accepted: false, reason: 'busy' } };
    expect(stage.sent()).toEqual([ack, ack]);
    stage.release();
    expect(saidBy(stage, 'r')).toEqual(['rest']);
    stage.inject('j', 'later');
    expect(stage.told()).toEqual(['accept j']);
    expect(next(stage)).toEqual(['later', 'second step']);
  });

  it('takes release all the same', () => {
    const stage = running({ reject_injections: 'busy' }, { hold: true });
    stage.release();
    expect(stage.told()).toEqual([expect.stringMatching(/^accept /), 'r done']);
  });
});
