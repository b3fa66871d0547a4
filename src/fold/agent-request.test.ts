/** How the reference agent obeys a directive, step by step ("The directive grammar", spec/fold/README.md). */
import { describe, expect, it } from 'vitest';
import { protocolFeatures } from './messages.ts';
import { AgentStage, inShort } from './stage.test.data.ts';

const without = (...features: string[]): AgentStage =>
  new AgentStage({ register: { protocol_features: protocolFeatures.filter((f) => !features.includes(f)) } });

/** What a request that runs alone tells, from its start on, as far as it gets without being waited for. */
function told(...steps: object[]): string[] {
  const stage = new AgentStage();
  stage.request('r', steps);
  return stage.told().map((line) => line.replace(/^r /, ''));
}

describe('the steps', () => {
  it('run in order, and done has the texts joined', () => {
    const stage = new AgentStage();
    stage.request('r', [
      { think: 'hm' },
      { say: 'a' },
      { say: 'b', times: 2 },
      { think: 'so' },
      { say: 'c' },
    ]);
    const responses = stage.responses();
    expect(responses.slice(0, -1)).toEqual([
      { request_id: 'r', thinking: 'hm' },
      ...['a', 'b', 'b'].map((text) => ({ request_id: 'r', text })),
      { request_id: 'r', thinking: 'so' },
      { request_id: 'r', text: 'c' },
    ]);
    expect(responses.at(-1)).toEqual({ request_id: 'r', done: { full_response: 'abbc' } });
  });

  it('are none for content that is no directive: it answers somehow, and ends', () => {
    const stage = new AgentStage();
    stage.say({ send_message: { request_id: 'r', content: 'hello' } });
    stage.pass(0);
    expect(stage.told().at(-1)).toBe('r done');
  });

  it.each([
    [{ dance: true }, 'unsupported: dance'],
    [{ wait_ms: -1 }, 'unsupported: wait_ms'],
    [{ say: 'x', hold: true }, 'unsupported: directive'],
  ])('%j ends the request in error, before anything else is done', (step, error) => {
    expect(told({ say: 'never' }, step)).toEqual([`error ${error}`]);
  });

  it('usage: the counts of one call, absent ones 0, and only if advertised', () => {
    const stage = new AgentStage();
    const call = { usage: { input_tokens: 7, thinking_tokens: 2 } };
    stage.request('r', [call, { usage: {} }]);
    expect(stage.responses().map((r) => r.usage)).toEqual([call.usage, {}, undefined]);
    const silent = without('token_usage');
    silent.request('r', [call]);
    expect(silent.told()).toEqual(['r done']);
  });

  it('file: name, type and bytes', () => {
    const stage = new AgentStage();
    stage.request('r', [{ file: { filename: 'a.txt', mime_type: 'text/plain', base64: 'aGk=' } }]);
    const file = { filename: 'a.txt', mime_type: 'text/plain', data: 'aGk=' };
    expect(stage.responses()[0]).toEqual({ request_id: 'r', file });
  });

  it('session: init has an id that is not empty; orphaned is followed by an error as terminal', () => {
    const stage = new AgentStage();
    stage.request('r', [{ session: 'init' }]);
    expect(stage.responses()[0]?.session_init?.session_id).toMatch(/./);
    expect(told({ session: 'orphaned' }, { say: 'never' })).toEqual([
      'session_orphaned',
      expect.stringMatching(/^error /),
    ]);
  });

  it('heartbeat: the Unix time in milliseconds', () => {
    const stage = new AgentStage({ epoch: 1_700_000_000_000 });
    stage.pass(1234.5);
    stage.request('r', [{ heartbeat: true }]);
    expect(stage.sent()[0]).toEqual({ heartbeat: { timestamp_ms: '1700000001234' } });
  });

  it('fail: the error is the terminal', () => {
    expect(told({ say: 'a' }, { fail: 'no' }, { say: 'b' })).toEqual(['says a', 'error no']);
  });

  it('wait_ms: nothing happens for so long', () => {
    const stage = new AgentStage();
    stage.request('r', [{ wait_ms: 300 }, { say: 'then' }]);
    stage.pass(299);
    expect(stage.told()).toEqual([]);
    stage.pass(1);
    expect(stage.told()).toEqual(['r says then', 'r done']);
  });
});

describe('full_response', () => {
  const whole = (text: string): string | undefined => {
    const stage = new AgentStage();
    stage.request('r', [{ say: text }]);
    return stage.responses().at(-1)?.done?.full_response;
  };

  it('is whole at 1 MiB, and empty above: counted in bytes of UTF-8', () => {
    const [ascii, wide] = ['x'.repeat(1 << 20), 'é'.repeat(1 << 19)];
    expect(whole(ascii) === ascii).toBe(true);
    expect(whole(wide) === wide).toBe(true);
    expect(whole(`${ascii}x`)).toBeUndefined();
    expect(whole(`${wide}x`)).toBeUndefined();
  });
});

describe('a burst', () => {
  it('gives way at least every 16 events', () => {
    const stage = new AgentStage();
    stage.request('r', [], {});
    stage.take();
    stage.say({
      send_message: { request_id: 's', content: '{"wireproof":{"do":[{"say":"x","times":50}]}}' },
    });
    const turns: number[] = [];
    while (stage.fire()) turns.push(stage.responses().filter((r) => r.text !== undefined).length);
    expect(Math.max(...turns)).toBeLessThanOrEqual(16);
    expect(turns.reduce((a, b) => a + b, 0)).toBe(50);
  });

  it('stops while the carrier is full, and goes on when it has drained', () => {
    const stage = new AgentStage();
    const { peer } = stage.state;
    stage.say({
      send_message: { request_id: 's', content: '{"wireproof":{"do":[{"say":"x","times":50}]}}' },
    });
    stage.fire();
    stage.give({ type: 'full', peer });
    stage.pass(60_000);
    const before = stage.told();
    expect(before.length).toBeLessThan(50);
    stage.give({ type: 'drained', peer });
    stage.pass(0);
    const after = stage.told();
    expect([...before, ...after].filter((line) => line === 's says x').length).toBe(50);
    expect(after.at(-1)).toBe('s done');
  });
});

describe('a tool', () => {
  const tool = (more: object): object => ({ tool: { name: 'read', ...more } });

  it('goes from tool_use over PENDING and RUNNING to COMPLETED and its result', () => {
    const stage = new AgentStage();
    stage.request('r', [tool({ input: { a: 1 }, output: 'out' })]);
    const [use, ...rest] = stage.responses();
    const id = use?.tool_use?.id ?? '';
    expect(use?.tool_use).toEqual({
      id: expect.stringMatching(/./) as string,
      name: 'read',
      input_json: '{"a":1}',
    });
    expect(rest.slice(0, 3).map((r) => r.tool_state)).toEqual(
      ['PENDING', 'RUNNING', 'COMPLETED'].map((state) => ({ id, state: `TOOL_STATE_${state}` })),
    );
    expect(rest[3]?.tool_result).toEqual({ id, output: 'out', is_error: false });
  });

  it.each([
    ['ok', 'completed', false],
    ['fail', 'failed', true],
    ['timeout', 'timeout', true],
  ])('with outcome %s ends as %s, is_error %s', (outcome, state, isError) => {
    const stage = new AgentStage();
    stage.request('r', [tool({ outcome })]);
    const sent = stage.sent();
    expect(sent.map(inShort)).toEqual([
      'r tool_use',
      'r pending',
      'r running',
      `r ${state}`,
      'r tool_result',
      'r done',
    ]);
    expect(sent[4]?.response?.tool_result?.is_error).toBe(isError);
  });

  it('shows no states when they are not advertised', () => {
    const stage = without('tool_states');
    stage.request('r', [tool({})]);
    expect(stage.told()).toEqual(['r tool_use', 'r tool_result', 'r done']);
  });

  it('has an id of its own on the whole stream, and {} as input where none is given', () => {
    const stage = new AgentStage();
    for (const id of ['r', 's']) stage.request(id, [tool({}), tool({})]);
    const uses = stage.responses().flatMap((r) => r.tool_use ?? []);
    expect(new Set(uses.map((use) => use.id)).size).toBe(4);
    expect(uses.map((use) => use.input_json)).toEqual(['{}', '{}', '{}', '{}']);
  });

  it('holds while it is RUNNING', () => {
    const stage = new AgentStage();
    stage.request('r', [tool({ hold: true })]);
    expect(stage.told().at(-1)).toBe('r running');
    stage.pass(60_000);
    expect(stage.told()).toEqual([]);
    stage.release();
    expect(stage.told().slice(1)).toEqual(['r completed', 'r tool_result', 'r done']);
  });
});

describe('a gated tool', () => {
  const gated = (more: object = {}): object => ({ tool: { name: 'write', approval: true, ...more } });
  const asking = (...steps: object[]): AgentStage => {
    const stage = new AgentStage();
    stage.request('r', steps);
    return stage;
  };
  const decide = (stage: AgentStage, id: string, approved: boolean, approve_all = false): string[] => {
    stage.say({ tool_approval: { id, approved, approve_all } });
    stage.pass(0);
    return stage.told();
  };

  it('asks under its own id, then waits', () => {
    const stage = asking(gated({ input: [1] }));
    const sent = stage.sent();
    expect(sent.map(inShort)).toEqual([
      'r tool_use',
      'r pending',
      'r tool_approval_request',
      'r awaiting_approval',
    ]);
    expect(sent[2]?.response?.tool_approval_request).toEqual(sent[0]?.response?.tool_use);
  });

  it('runs when it is approved', () => {
    const stage = asking(gated());
    stage.take();
    expect(decide(stage, 'tool-1', true)).toEqual(['r running', 'r completed', 'r tool_result', 'r done']);
  });

  it('is DENIED when it is denied, its result is "denied", and the next step follows', () => {
    const stage = asking(gated({ hold: true }), { say: 'next' });
    stage.take();
    stage.say({ tool_approval: { id: 'tool-1', approved: false, approve_all: true } });
    stage.pass(0);
    const sent = stage.sent();
    expect(sent.map(inShort)).toEqual(['r denied', 'r tool_result', 'r says next', 'r done']);
    expect(sent[1]?.response?.tool_result).toEqual({ id: 'tool-1', output: 'denied', is_error: true });
  });

  it.each([
    [300_000, gated()],
    [700, gated({ approval_timeout_ms: 700 })],
  ])('is denied when no decision comes in %i ms', (ms, step) => {
    const stage = asking(step);
    stage.take();
    stage.pass(ms - 1);
    expect(stage.told()).toEqual([]);
    stage.pass(1);
    expect(stage.told()).toEqual(['r denied', 'r tool_result', 'r done']);
  });

  it('heeds no decision for another id, and none for one that was decided', () => {
    const stage = asking(gated(), gated());
    stage.take();
    expect(decide(stage, 'tool-7', true)).toEqual([]);
    decide(stage, 'tool-1', true);
    expect(decide(stage, 'tool-1', true)).toEqual([]);
    expect(decide(stage, 'tool-2', true).at(-1)).toBe('r done');
  });

  it('does not ask after approve_all; in another request it does', () => {
    const stage = asking(gated(), gated());
    stage.take();
    const rest = decide(stage, 'tool-1', true, true);
    expect(rest.filter((line) => line === 'r running').length).toBe(2);
    expect(rest.at(-1)).toBe('r done');
    stage.request('s', [gated()]);
    expect(stage.told().at(-1)).toBe('s awaiting_approval');
  });
});

describe('a pack tool', () => {
  const calling = (): { stage: AgentStage; id: string } => {
    const stage = new AgentStage();
    stage.request('r', [{ pack_tool: { name: 'search', input: { q: 1 } } }]);
    const call = stage.sent()[0]?.execute_pack_tool;
    expect(call).toMatchObject({ tool_name: 'search', input_json: '{"q":1}' });
    return { stage, id: call?.request_id ?? '' };
  };

  it.each([
    [{ output_json: '{"n":1}' }, '{"n":1}'],
    [{ error: 'no such tool' }, 'no such tool'],
  ])('answered with %j is said as one text', (answer, text) => {
    const { stage, id } = calling();
    stage.say({ pack_tool_result: { request_id: 'other', output_json: 'x' } });
    stage.say({ pack_tool_result: { request_id: id, ...answer } });
    stage.pass(0);
    expect(stage.told()).toEqual([`r says ${text}`, 'r done']);
  });

  it('that is not answered in 30 s is said as timeout; what comes later is nobody’s', () => {
    const { stage, id } = calling();
    stage.pass(29_999);
    expect(stage.told()).toEqual([]);
    stage.pass(1);
    expect(stage.told()).toEqual(['r says timeout', 'r done']);
    stage.say({ pack_tool_result: { request_id: id, output_json: 'late' } });
    expect(stage.take()).toEqual([]);
  });
});
