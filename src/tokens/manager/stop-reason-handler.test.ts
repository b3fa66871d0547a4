/** What is left of a response that the output limit cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stopReasons } from '../../kit/base/index.ts';
import type { Json, JsonObject, ProviderResponse, ToolCall } from '../../kit/base/index.ts';
import { responses, tools } from '../arbitrary.ts';
import type { TokenEvent } from './events.ts';
import { StopReasonHandler } from './stop-reason-handler.ts';

const write: JsonObject = {
  type: 'object',
  required: ['path', 'text', 'mode'],
  properties: { path: { type: 'string' }, text: { type: ['string', 'null'] }, mode: {} },
};
const handler = new StopReasonHandler({ tools: [{ name: 'write', inputSchema: write }] });
const call = (id: string, input?: Json, name = 'write'): ToolCall =>
  ({ id, name, ...(input === undefined ? {} : { input }) }) as ToolCall;
const response = (
  toolCalls: readonly ToolCall[],
  more: Partial<ProviderResponse> = {},
): ProviderResponse => ({
  content: 'I write.',
  toolCalls,
  metadata: { stopReason: 'max_tokens', usage: { inputTokens: 5, outputTokens: 9 } },
  ...more,
});
const whole = { path: '/a', text: 'b', mode: 1 };
const survives = (input: Json | undefined, name?: string): boolean =>
  handler.handleResponse(response([call('c', input, name)])).toolCalls.length === 1;

describe('a response that ended for another reason than the limit', () => {
  it.each(stopReasons.filter((reason) => reason !== 'max_tokens'))(
    'comes back itself: %s (TOK-01)',
    (stopReason) => {
      const came = response([call('c', null)], { metadata: { stopReason } });
      expect(handler.handle(came)).toEqual({ response: came, warnings: [] });
      expect(handler.handleResponse(came)).toBe(came);
    },
  );

  it('is known by the word that the caller gives, when it gives one', () => {
    const came = response([call('c', null)], { metadata: { stopReason: 'tool_use' } });
    expect(handler.handleResponse(came, 'max_output_tokens').toolCalls).toEqual([]);
  });
});

describe('a response that the limit cut', () => {
  it('is copied, with other calls and nothing else changed (TOK-02)', () => {
    const came = Object.freeze(response(Object.freeze([call('c', whole), call('d', null)])));
    const handled = handler.handleResponse(came);
    expect(handled).not.toBe(came);
    expect(handled).toEqual({ ...came, toolCalls: [call('c', whole)] });
  });

  it.each([undefined, null, 'text', 3, true, [], [whole]])(
    'loses calls with %j as arguments (TOK-03)',
    (input) => {
      expect(survives(input)).toBe(false);
    },
  );

  it.each([{}, { path: '/a', text: 'b' }, { ...whole, mode: null }, { ...whole, text: null }])(
    'loses calls that lack something required: %j (TOK-04)',
    (input) => {
      expect(survives(input)).toBe(false);
    },
  );

  it('does not take what every object inherits for an argument', () => {
    const tools = [{ name: 't', inputSchema: { required: ['toString'] } }];
    expect(new StopReasonHandler({ tools }).handleResponse(response([call('c', {}, 't')])).toolCalls).toEqual(
      [],
    );
  });

  it('loses calls with an empty string where the type is exactly string (TOK-05)', () => {
    expect(survives({ ...whole, path: '' })).toBe(false);
  });

  it.each([
    { ...whole, mode: 0 },
    { ...whole, mode: false },
    { ...whole, mode: [] },
    { ...whole, mode: '' },
    { ...whole, path: ' ' },
    { ...whole, path: 7 },
    { ...whole, text: '' },
    { ...whole, mode: { nested: null } },
  ])('keeps %j (TOK-06)', (input) => {
    expect(survives(input)).toBe(true);
  });

  it('keeps a call whose text may be cut (TOK-07), unless it was open (TOK-47)', () => {
    const cut = call('c', { ...whole, text: 'The beginning of' });
    expect(handler.handleResponse(response([cut])).toolCalls).toEqual([cut]);
    const open = { id: 'c', name: 'write', partial: '{"path":"/a","mode":1,"text":"The beginning of' };
    expect(handler.handleResponse(response([cut], { open })).toolCalls).toEqual([]);
  });

  it.each([undefined, null, {}])('keeps calls of unknown tools with %j (TOK-08)', (input) => {
    expect(survives(input, 'unknown')).toBe(true);
  });

  it('keeps the order of what survives, and names what it dropped in its order (TOK-09, TOK-10)', () => {
    const calls = [
      call('a', whole),
      call('b', {}),
      call('c', whole),
      call('d', null),
      call('e', {}, 'unknown'),
    ];
    const { response: left, warnings } = handler.handle(response(calls));
    expect(left.toolCalls.map(({ id }) => id)).toEqual(['a', 'c', 'e']);
    expect(warnings).toEqual([{ code: 'exhausted' }, { code: 'dropped', ids: ['b', 'd'] }]);
  });

  it('keeps all when not all parameters are required (TOK-11), but for what was open (TOK-47)', () => {
    const lax = new StopReasonHandler({
      tools: [{ name: 'write', inputSchema: write }],
      requireAllParameters: false,
    });
    const calls = [call('a', {}), call('b', null), call('c')];
    expect(lax.handleResponse(response(calls)).toolCalls).toEqual(calls);
    const open = { id: 'a', name: 'write', partial: '{' };
    expect(lax.handleResponse(response(calls, { open })).toolCalls).toEqual(calls.slice(1));
  });

  it('goes on as text when nothing survives (TOK-13)', () => {
    const { content, toolCalls } = handler.handleResponse(response([call('a', {})]));
    expect({ content, toolCalls }).toEqual({ content: 'I write.', toolCalls: [] });
  });

  it('tells the application', () => {
    const events: TokenEvent[] = [];
    new StopReasonHandler({
      tools: [{ name: 'write', inputSchema: write }],
      onEvent: (event) => events.push(event),
    }).handleResponse(response([call('a', {})]));
    expect(events).toEqual([
      { type: 'warning', code: 'exhausted' },
      { type: 'warning', code: 'dropped', ids: ['a'] },
    ]);
  });
});

describe('the handler', () => {
  it('gives the same when it is asked again of what it gave', () => {
    fc.assert(
      fc.property(responses, tools, (came, tools) => {
        const handler = new StopReasonHandler({ tools });
        const once = handler.handleResponse(came, 'max_tokens');
        expect(handler.handleResponse(once, 'max_tokens')).toEqual(once);
      }),
    );
  });

  it.each([{}, { required: 'path' }, { required: [1, null] }, { required: ['a'], properties: [] }])(
    'makes do with a schema such as %j',
    (inputSchema) => {
      const handler = new StopReasonHandler({ tools: [{ name: 't', inputSchema }] });
      expect(handler.handleResponse(response([call('c', { a: '' }, 't')])).toolCalls).toHaveLength(1);
    },
  );
});
