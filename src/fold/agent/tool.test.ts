/** How the reference agent uses tools, its own and packs' ("The directive grammar", spec/fold/README.md). */
import { describe, expect, it } from 'vitest';
import { AgentStage, inShort, without } from '../simulated/stage.test-helper.ts';

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
