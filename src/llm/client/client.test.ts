import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kit/base/index.ts';
import { seededRandom } from '../../kit/world/index.ts';
import { clientRole } from './client.ts';
import { everyDialect, play, turnOf } from './client.test-helper.ts';
import type { Played } from './client.test-helper.ts';

const okOf = ({ answer }: Played): JsonObject => {
  const { ok } = answer;
  if (ok === undefined) throw new Error(JSON.stringify(answer));
  return ok as JsonObject;
};

const requests = ({ told }: Played): number => told.filter(({ what }) => what === 'request').length;

const add = { tool_call: { name: 'add', input: { a: 1, b: 2 } } };

describe.each(everyDialect)('a client of %s', (dialect) => {
  it('returns the content of a response', () => {
    const played = play({ turns: [{ steps: [{ text: 'Grüße, 日本' }] }] }, turnOf(dialect));
    expect(okOf(played)).toMatchObject({
      text: 'Grüße, 日本',
      stop_reason: 'end_turn',
      executed: [],
      tool_calls: [],
    });
    expect(okOf(played)['error']).toBe(undefined);
  });

  it('reports the usage that the provider sent', () => {
    const played = play(
      { turns: [{ steps: [{ text: 'So.' }, { usage: { input: 50, output: 7 } }] }] },
      turnOf(dialect),
    );
    expect(okOf(played)['usage']).toMatchObject({ inputTokens: 50, outputTokens: 7 });
  });

  it('runs the called tools, and sends their results to the model', () => {
    const played = play({ turns: [{ steps: [add, add] }, { steps: [{ text: 'Three.' }] }] }, turnOf(dialect));
    expect(okOf(played)['executed']).toEqual([
      { name: 'add', input: { a: 1, b: 2 } },
      { name: 'add', input: { a: 1, b: 2 } },
    ]);
    expect(okOf(played)['text']).toBe('Three.');
    const [, second] = played.told.filter(({ what }) => what === 'request');
    expect(second?.['answers']).toHaveLength(2);
  });

  it('also reads a response that is not streamed', () => {
    const played = play(
      { turns: [{ steps: [add] }, { steps: [{ text: 'Three.' }] }] },
      turnOf(dialect, { stream: false }),
    );
    expect(okOf(played)).toMatchObject({ text: 'Three.', executed: [{ name: 'add' }] });
  });

  // LLM-C01, LLM-C03, LLM-C04.
  it('does not run a call that the limit cut, keeps earlier calls, and reports the limit', () => {
    const cut = { step: 1, at: { json: 'inside-number' } };
    const played = play(
      { turns: [{ steps: [add, { tool_call: { name: 'add', input: { a: 100 } } }], cut }] },
      turnOf(dialect),
    );
    expect(okOf(played)).toMatchObject({
      executed: [],
      stop_reason: 'max_tokens',
      tool_calls: [{ name: 'add', input: { a: 1, b: 2 } }],
    });
    expect(requests(played)).toBe(1);
  });

  // LLM-C06.
  it.each(['clean', 'reset'])('reports a stream without its terminal as an error (%s end)', (transport) => {
    const played = play(
      { turns: [{ steps: [{ text: 'So' }, add], signal: 'missing', transport }] },
      turnOf(dialect),
    );
    expect(okOf(played)).toMatchObject({ text: 'So', executed: [], stop_reason: 'error' });
    expect(okOf(played)['error']).toHaveProperty('message');
    expect(requests(played)).toBe(1);
  });

  // LLM-C15, LLM-C23: 500 ms were set.
  it('does not wait longer for a stalled stream than the timeout', () => {
    const turn = { steps: [{ text: 'So' }], signal: 'missing', transport: 'stall' };
    const played = play({ turns: [turn] }, turnOf(dialect, { timeout_ms: 500 }));
    expect(okOf(played)['text']).toBe('So');
    expect(played.ms).toBeGreaterThan(500);
    expect(played.ms).toBeLessThan(600);
    expect(played.told.at(-1)).toMatchObject({ what: 'answered', outcome: 'left' });
  });

  // LLM-C10; LM Studio is told, and ends in order.
  it('aborts at the named event, and the provider notices it', () => {
    const turn = {
      steps: [{ text: 'One, two, three.' }, { barrier: 'never' }, { text: 'Four.' }],
      chunk: 'char',
    };
    const played = play({ turns: [turn] }, turnOf(dialect, { abort_after_events: 3 }));
    expect(okOf(played)).toMatchObject({
      stop_reason: 'cancelled',
      error: { message: 'aborted by the caller' },
    });
    expect(played.events.length).toBeLessThanOrEqual(4);
    expect(requests(played)).toBe(1);
    expect(['aborted', 'left']).toContain(played.told.at(-1)?.['outcome']);
  });

  it('reports a lost connection as an error', () => {
    const turn = { steps: [{ text: 'One, two, three.' }, { barrier: 'never' }] };
    const played = play({ turns: [turn] }, turnOf(dialect), { at: 200, fault: { kind: 'cut' } });
    expect(okOf(played)).toMatchObject({ text: 'One, two, three.', stop_reason: 'error' });
  });
});

const busy: JsonObject = { error: { type: 'overloaded', message: 'Overloaded', status: 529 } };

describe.each(everyDialect.filter((name) => name !== 'lmstudio'))(
  'a client of %s that is refused',
  (dialect) => {
    it('retries, and gets its answer', () => {
      const played = play({ turns: [{ steps: [busy] }, { steps: [{ text: 'Now.' }] }] }, turnOf(dialect));
      expect(okOf(played)).toMatchObject({ text: 'Now.', stop_reason: 'end_turn' });
      expect(requests(played)).toBe(2);
      // The first delay is a second, spread by a tenth.
      expect(played.ms).toBeGreaterThan(900);
    });

    // LLM-C09: "Retries MUST be bounded", "4xx other than 408, 409, 429 are not retried".
    it('gives up after three attempts', () => {
      const played = play({ turns: [{ steps: [busy], times: 'always' }] }, turnOf(dialect));
      expect(okOf(played)).toMatchObject({ stop_reason: 'error', text: '' });
      expect(requests(played)).toBe(3);
    });

    it.each([400, 401, 403, 404, 413, 422])('does not retry after status %i', (status) => {
      const error = { type: 'invalid_request', message: 'No.', status };
      const played = play({ turns: [{ steps: [{ error }], times: 'always' }] }, turnOf(dialect));
      expect(requests(played)).toBe(1);
      expect(JSON.stringify(okOf(played)['error'])).toContain('No.');
    });
  },
);

describe('a client whose caller leaves', () => {
  it('closes its connections, and drops the turn', () => {
    const role = clientRole({ random: seededRandom });
    const state = role.start();
    const types = (input: Parameters<typeof role.step>[1]): string[] =>
      role.step(state, input, 0).outputs.map(({ type }) => type);
    expect(types({ type: 'message', peer: 'caller', message: turnOf('anthropic') })).toContain('dial');
    expect(types({ type: 'left', peer: 'caller' })).toContain('close');
    expect([state.running.size, state.links.size]).toEqual([0, 0]);
  });
});

describe('a line', () => {
  const script = { turns: [{ steps: [{ text: 'Hi.' }] }] };

  it.each([
    ['an unknown dialect', { dialect: 'morse' }, 'one of anthropic'],
    ['no base URL', { base_url: '' }, 'base_url: expected a text'],
    ['an invalid limit', { max_tokens: -1 }, 'max_tokens: expected a whole number above 0; came -1'],
    ['tools that are not a list', { tools: {} }, 'tools: expected a list'],
    ['a tool without a name', { tools: [{}] }, 'tools[0].name'],
    ['a tool without a schema', { tools: [{ name: 'add' }] }, 'tools[0].input_schema'],
  ] as const)('with %s is refused, with its place', (_, wrong, message) => {
    const { answer } = play(script, turnOf('anthropic', wrong));
    expect(answer).toMatchObject({ id: 1, error: { code: 'bad-input' } });
    expect(JSON.stringify(answer)).toContain(message);
  });

  it('of another operation is answered as unsupported', () => {
    expect(play(script, { id: 7, op: 'llm.paint' }).answer).toEqual({ id: 7, unsupported: true });
  });

  it('hello is answered with the operations and dialects', () => {
    expect(play(script, { id: 'h', op: 'hello' }).answer).toMatchObject({
      id: 'h',
      ok: { ops: ['llm.turn'], dialects: everyDialect },
    });
  });
});
