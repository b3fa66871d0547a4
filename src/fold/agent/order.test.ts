/** How the reference agent's requests get on with one another, and how a cancel ends them (spec/fold/README.md). */
import { describe, expect, it } from 'vitest';
import { AgentStage } from '../simulated/stage.test-helper.ts';

describe('requests', () => {
  it('of one thread run one after another, in the order they came', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ wait_ms: 100 }, { say: 'one' }], { thread_id: 't' });
    stage.request('r2', [{ say: 'two' }], { thread_id: 't' });
    stage.request('r3', [{ say: 'three' }], { thread_id: 't' });
    expect(stage.told()).toEqual([]);
    stage.pass(100);
    const ended = ['r1 says one', 'r1 done', 'r2 says two', 'r2 done', 'r3 says three', 'r3 done'];
    expect(stage.told()).toEqual(ended);
  });

  it.each([
    ['of different threads', 't1', 't2'],
    ['of no thread', '', ''],
  ])('%s run side by side', (_, first, second) => {
    const stage = new AgentStage();
    stage.request('r1', [{ hold: true }, { say: 'one' }], { thread_id: first });
    stage.request('r2', [{ say: 'two' }], { thread_id: second });
    expect(stage.told()).toEqual(['r2 says two', 'r2 done']);
  });

  it('of one thread wait for its first, not for those of others', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ hold: true }], { thread_id: 't' });
    stage.request('r2', [{ say: 'two' }], { thread_id: 't' });
    stage.request('r3', [{ say: 'three' }], { thread_id: 'u' });
    expect(stage.told()).toEqual(['r3 says three', 'r3 done']);
    stage.release();
    expect(stage.told().slice(1)).toEqual(['r1 done', 'r2 says two', 'r2 done']);
  });

  it('that cannot be obeyed wait their turn as well', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ wait_ms: 100 }], { thread_id: 't' });
    stage.request('r2', [{ dance: true }], { thread_id: 't' });
    expect(stage.told()).toEqual([]);
    stage.pass(100);
    expect(stage.told()).toEqual(['r1 done', 'r2 error unsupported: dance']);
  });
});

describe('release', () => {
  const holding = (): AgentStage => {
    const stage = new AgentStage();
    stage.request('r', [{ hold: true }, { say: 'a' }, { hold: true }, { say: 'b' }]);
    return stage;
  };

  it('ends the present hold, and only that', () => {
    const stage = holding();
    stage.release();
    expect(stage.told().slice(1)).toEqual(['r says a']);
    stage.release();
    expect(stage.told().slice(1)).toEqual(['r says b', 'r done']);
  });

  it('ends the next hold when nothing is held', () => {
    const stage = new AgentStage();
    stage.request('r', [{ wait_ms: 50 }, { hold: true }, { say: 'a' }, { hold: true }, { say: 'b' }]);
    stage.release();
    stage.take();
    stage.pass(50);
    expect(stage.told()).toEqual(['r says a']);
  });

  it('ends the holds of all that run, in a tool or out of it', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ hold: true }]);
    stage.request('r2', [{ tool: { name: 'slow', hold: true } }]);
    stage.take();
    stage.release();
    expect(stage.told().filter((line) => line.endsWith('done'))).toEqual(['r1 done', 'r2 done']);
  });

  it('does nothing for a request that is queued, or that is still to come', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ wait_ms: 10 }], { thread_id: 't' });
    stage.request('r2', [{ hold: true }], { thread_id: 't' });
    stage.release();
    stage.pass(60_000);
    stage.request('r3', [{ hold: true }]);
    expect(stage.told().filter((line) => line.endsWith('done'))).toEqual(['r1 done']);
  });

  it.each(['IMMEDIATE', 'NORMAL', 'DEFERRED', 'UNSPECIFIED'])('works at priority %s', (priority) => {
    const stage = holding();
    stage.inject('x', 'release', priority);
    expect(stage.told()).toEqual(['accept x', 'r says a']);
  });

  it('is never said or kept', () => {
    const stage = new AgentStage();
    stage.release();
    stage.request('r', [{ echo_injections: true }, { hold: true }, { say: 'a' }]);
    stage.release();
    const said = stage.responses().flatMap((r) => r.text ?? []);
    expect(said).toEqual(['a']);
  });

  it('that comes again under its id ends nothing more', () => {
    const stage = holding();
    stage.inject('x', 'release');
    stage.inject('x', 'release');
    expect(stage.told()).toEqual(['accept x', 'r says a', 'accept x']);
  });
});

/** Every way in which a request can wait, and what it leaves open. */
const waits: readonly (readonly [string, object, readonly string[]])[] = [
  ['a hold', { hold: true }, []],
  ['a wait', { wait_ms: 60_000 }, []],
  ['a tool that holds', { tool: { name: 'slow', hold: true } }, ['r cancelled']],
  ['an approval', { tool: { name: 'gated', approval: true } }, ['r cancelled']],
  ['a pack call', { pack_tool: { name: 'search' } }, []],
];

describe('a cancel', () => {
  const cancel = (stage: AgentStage, id: string, reason?: string): void => {
    stage.say({ cancel_request: { request_id: id, ...(reason === undefined ? {} : { reason }) } });
    stage.pass(0);
  };

  it.each(waits)('in %s ends it at once, and nothing comes later', (_, step, open) => {
    const stage = new AgentStage();
    stage.request('r', [step, { say: 'never' }]);
    stage.take();
    cancel(stage, 'r', 'user_requested');
    expect(stage.told()).toEqual([...open, 'r cancelled user_requested']);
    stage.release();
    stage.say({ tool_approval: { id: 'tool-1', approved: true } });
    stage.say({ pack_tool_result: { request_id: 'pack-1', output_json: 'x' } });
    stage.pass(400_000);
    expect(stage.responses()).toEqual([]);
  });

  it('while the carrier is full ends it as well', () => {
    const stage = new AgentStage();
    stage.give({ type: 'full', peer: stage.state.peer });
    stage.request('r', [{ say: 'x' }]);
    cancel(stage, 'r');
    stage.give({ type: 'drained', peer: stage.state.peer });
    stage.pass(0);
    expect(stage.told()).toEqual(['r cancelled']);
  });

  it('in the midst of a burst ends it', () => {
    const stage = new AgentStage();
    stage.say({
      send_message: { request_id: 'r', content: '{"wireproof":{"do":[{"say":"x","times":500}]}}' },
    });
    stage.fire();
    stage.take();
    cancel(stage, 'r', 'enough');
    expect(stage.told()).toEqual(['r cancelled enough']);
  });

  it('of a tool in hand leaves it CANCELLED, without a result', () => {
    const stage = new AgentStage();
    stage.request('r', [{ tool: { name: 'slow', hold: true } }]);
    stage.take();
    stage.say({ cancel_request: { request_id: 'r' } });
    expect(stage.responses()).toEqual([
      { request_id: 'r', tool_state: { id: 'tool-1', state: 'TOOL_STATE_CANCELLED' } },
      { request_id: 'r', cancelled: { reason: '' } },
    ]);
  });

  it('of one that is queued ends it out of turn; of the first it lets the next begin', () => {
    const stage = new AgentStage();
    for (const id of ['r1', 'r2', 'r3']) stage.request(id, [{ hold: true }, { say: id }], { thread_id: 't' });
    cancel(stage, 'r2');
    cancel(stage, 'r1');
    expect(stage.told()).toEqual(['r2 cancelled', 'r1 cancelled']);
    stage.release();
    expect(stage.told().slice(1)).toEqual(['r3 says r3', 'r3 done']);
  });

  it('leaves others alone, and is ignored for an id that is unknown or has ended', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ say: 'x' }]);
    stage.request('r2', [{ hold: true }]);
    stage.take();
    for (const id of ['r1', 'unknown', '']) cancel(stage, id);
    expect(stage.told()).toEqual([]);
    stage.release();
    expect(stage.told().slice(1)).toEqual(['r2 done']);
  });
});
