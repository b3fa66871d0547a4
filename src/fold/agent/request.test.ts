/** How the reference agent obeys a directive, step by step ("The directive grammar", spec/fold/README.md). */
import { describe, expect, it } from 'vitest';
import { AgentStage, without } from '../simulated/stage.test-helper.ts';

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

describe('the input of a tool', () => {
  it.each([
    [{}, '{}'],
    [{ input: {} }, '{}'],
    [{ input: null }, 'null'],
    [{ input: false }, 'false'],
    [{ input: [1, { a: 'b' }] }, '[1,{"a":"b"}]'],
  ])('of %j is %s, of its own tools and of packs alike', (given, json) => {
    const stage = new AgentStage();
    stage.request('r', [{ tool: { name: 'read', ...given } }, { pack_tool: { name: 'search', ...given } }]);
    const inputs = stage.sent().flatMap(({ response, execute_pack_tool }) => {
      const call = response?.tool_use ?? execute_pack_tool;
      return call === undefined ? [] : [call.input_json];
    });
    expect(inputs).toEqual([json, json]);
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
