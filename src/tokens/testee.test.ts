/** The reference as a testee: the operations as spec/tokens/README.md has them, and requests that are malformed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '../kit/base/index.ts';
import type { Json, JsonObject } from '../kit/base/index.ts';
import { packageRoot } from '../kit/spec/index.ts';
import { brokenHistories, failures, responses, tools } from './arbitrary.ts';
import { faultsOf } from './manager/faults.ts';
import { readMessages } from './testee/document-cursor.ts';
import { tokensTestee } from './testee.ts';

const ask = (op: string, fields: JsonObject = {}): JsonObject =>
  tokensTestee({ id: 7, op: `tokens.${op}`, ...fields });
const okOf = (answer: JsonObject): JsonObject => (isObject(answer['ok']) ? answer['ok'] : { error: answer });
const refusal = (answer: JsonObject): unknown => (answer['error'] as JsonObject | undefined)?.['message'];
const write = { name: 'write', inputSchema: { required: ['path'] } };
const hi = [{ role: 'user', content: 'Hi' }];
const ends = { response: { content: 'Hello!', toolCalls: [], stopReason: 'end_turn' } };

describe('the testee', () => {
  it('says who it is, with the version of this package', () => {
    const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(tokensTestee({ id: 'x', op: 'hello' })).toEqual({
      id: 'x',
      ok: {
        name: 'wireproof reference',
        version,
        ops: [
          'hello',
          'tokens.handle_response',
          'tokens.budget',
          'tokens.estimate',
          'tokens.prune',
          'tokens.summarize',
          'tokens.turn',
        ],
      },
    });
  });

  it.each(['tokens.forecast', 'toon.encode', null, 3])('does not know %j', (op) => {
    expect(tokensTestee({ id: 1, op })).toEqual({ id: 1, unsupported: true });
  });

  it('handles a response, and gives back what it does not know', () => {
    const response = {
      content: 'x',
      toolCalls: [
        { id: 'a', name: 'write', input: { path: '/a' }, index: 0 },
        { id: 'b', name: 'write' },
      ],
      stopReason: 'max_output_tokens',
      model: 'm',
    };
    expect(okOf(ask('handle_response', { response, tools: [write] }))).toEqual({
      response: { ...response, toolCalls: [{ id: 'a', name: 'write', input: { path: '/a' }, index: 0 }] },
      warnings: [{ code: 'exhausted' }, { code: 'dropped', ids: ['b'] }],
    });
    const lax = ask('handle_response', {
      response,
      tools: [write],
      options: { requireAllParameters: false },
    });
    expect(okOf(lax)).toEqual({ response, warnings: [{ code: 'exhausted' }] });
  });

  it('keeps an account', () => {
    const config = { maxTokens: 1000, reserveTokens: 100, warningThreshold: 0.8 };
    const usages = [
      { inputTokens: 500, outputTokens: 100 },
      null,
      { promptTokens: 150, completionTokens: 60 },
    ];
    expect(okOf(ask('budget', { config, usages, ask: { fits: 91 } }))).toEqual({
      used: 810,
      available: 90,
      ratio: 0.81,
      near: true,
      fits: false,
      advice: { summarize: true, prune: true, maxRequestSize: 90 },
      warnings: [{ code: 'near-limit', percent: 81 }],
    });
    expect(okOf(ask('budget', { config, usages: [], ask: {} }))).not.toHaveProperty('fits');
  });

  it('estimates, prunes and summarizes', () => {
    expect(okOf(ask('estimate', { messages: hi }))).toEqual({ tokens: 11 });
    const messages = [
      ...hi,
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'Well?', toolCalls: [] },
    ];
    expect(okOf(ask('prune', { messages, limit: 20, keepTurns: 1 }))).toEqual({
      messages: [{ role: 'user', content: 'Well?' }],
    });
    const summary = okOf(ask('summarize', { messages }))['message'] as JsonObject;
    expect(summary['role']).toBe('user');
    expect(summary['content']).toContain('Request: Hi');
  });

  it('plays a turn: a retry, tools, and an answer', () => {
    const call = { id: 'a', name: 'write', input: { path: '/a' } };
    const provider = [
      { error: { kind: 'http', status: 503 } },
      {
        response: {
          content: '',
          toolCalls: [call, { ...call, id: 'b', name: 'nope' }],
          stopReason: 'tool_use',
        },
      },
      ends,
    ];
    const withCalls = [
      ...hi,
      { role: 'assistant', content: '', toolCalls: [call, { ...call, id: 'b', name: 'nope' }] },
      {
        role: 'user',
        content: '',
        toolResults: [
          { id: 'a', content: 'written', isError: false },
          { id: 'b', content: 'There is no tool nope.', isError: true },
        ],
      },
    ];
    const tools = [{ ...write, output: 'written' }];
    expect(okOf(ask('turn', { history: hi, config: {}, tools, provider }))).toEqual({
      actions: [
        { do: 'send', messages: hi },
        { do: 'retry', delay: 1000, code: 'http' },
        { do: 'send', messages: hi },
        { do: 'run_tools', ids: ['a', 'b'] },
        { do: 'send', messages: withCalls },
        { do: 'stop', code: 'end_turn' },
      ],
      history: [...withCalls, { role: 'assistant', content: 'Hello!' }],
    });
  });

  it('ends a turn where the provider has nothing more to say', () => {
    const { actions } = okOf(ask('turn', { history: hi, config: {}, tools: [], provider: [] }));
    expect(actions).toEqual([{ do: 'send', messages: hi }]);
  });

  it('counts the total of a usage in a turn, whatever its parts (TOK-17)', () => {
    const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 8500 };
    const config = { maxTokens: 10_000, reserveTokens: 0, warningThreshold: 0.8 };
    const provider = [{ response: { ...ends.response, usage } }];
    const { actions } = okOf(ask('turn', { history: hi, config, tools: [], provider }));
    expect(actions).toContainEqual({ do: 'warn', code: 'near-limit', percent: 85 });
  });
});

describe('a malformed request', () => {
  it.each<[string, JsonObject, string]>([
    ['estimate', {}, 'expected messages to be a list; came nothing'],
    [
      'estimate',
      { messages: [{ role: 'tool', content: '' }] },
      'expected messages[0].role to be system, user or assistant; came a string',
    ],
    ['estimate', { messages: [...hi, null] }, 'expected messages[1] to be an object; came null'],
    [
      'estimate',
      { messages: [{ role: 'user' }] },
      'expected messages[0].content to be a string; came nothing',
    ],
    [
      'estimate',
      { messages: [{ ...hi[0], toolCalls: [{ id: 1, name: 'x' }] }] },
      'expected messages[0].toolCalls[0].id to be a string; came a number',
    ],
    [
      'estimate',
      { messages: [{ ...hi[0], toolResults: [{ id: 'a', content: '' }] }] },
      'expected messages[0].toolResults[0].isError to be true or false; came nothing',
    ],
    ['prune', { messages: hi }, 'expected limit to be a number; came nothing'],
    ['prune', { messages: hi, limit: -1 }, 'expected limit to be 0 or more; came -1'],
    ['budget', { config: { maxTokens: 'many' } }, 'expected config.maxTokens to be a number; came a string'],
    ['budget', { usages: [[]] }, 'expected usages[0] to be an object; came a list'],
    [
      'handle_response',
      { response: { content: '', toolCalls: [], stopReason: 3 } },
      'expected response.stopReason to be a string; came a number',
    ],
    [
      'handle_response',
      { response: ends.response, tools: [{ name: 'x' }] },
      'expected tools[0].inputSchema to be an object; came nothing',
    ],
    ['turn', { history: hi, provider: [{}] }, 'expected provider[0].response to be an object; came nothing'],
    [
      'turn',
      { history: hi, provider: [{ error: { kind: 'fire' } }] },
      'expected provider[0].error.kind to be one of network, http, overflow, aborted, stream; came a string',
    ],
  ])('is refused with its position: tokens.%s %j', (op, fields, message) => {
    const answer = ask(op, fields);
    expect(answer).toEqual({ id: 7, error: { code: 'bad-input', message } });
  });

  it('is refused when its arguments are too deep to be written again', () => {
    let deep: Json = 1;
    for (let i = 0; i < 200_000; i++) deep = [deep];
    const messages = [
      ...hi,
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'x', input: { deep } }] },
    ];
    expect(okOf(ask('estimate', { messages }))).toHaveProperty('tokens');
    expect(refusal(ask('prune', { messages, limit: 10_000_000 }))).toMatch(/too deep/);
  });

  it('never makes the testee throw, and is always answered', () => {
    const op = fc.constantFrom('handle_response', 'budget', 'estimate', 'prune', 'summarize', 'turn');
    const field = fc.constantFrom(
      'messages',
      'history',
      'provider',
      'tools',
      'response',
      'config',
      'usages',
      'limit',
      'ask',
      'options',
    );
    fc.assert(
      fc.property(
        op,
        fc.dictionary(field, fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true }),
        (op, fields) => {
          const answer = ask(op, fields as JsonObject);
          expect(answer['id']).toBe(7);
          if (answer['ok'] === undefined) expect((answer['error'] as JsonObject)['code']).toBe('bad-input');
        },
      ),
    );
  });
});

describe('a turn of the testee', () => {
  it('leaves a history that every provider takes (TOK-48), and at most one stop, as its last action', () => {
    const flat = responses.map(({ metadata, ...rest }) => ({ response: { ...rest, ...metadata } }));
    const script = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: flat },
        failures.map((error) => ({ error })),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(brokenHistories, tools, script, (history, tools, provider) => {
        const request = JSON.parse(
          JSON.stringify({ history, config: { maxTokens: 20_000 }, tools, provider }),
        ) as JsonObject;
        const played = okOf(ask('turn', request));
        const actions = played['actions'] as readonly JsonObject[];
        const stops = actions.flatMap((action, i) => (action['do'] === 'stop' ? [i] : []));
        expect(stops).toEqual(stops.length === 0 ? [] : [actions.length - 1]);
        expect(faultsOf(readMessages(played['history'], 'history'))).toEqual([]);
      }),
    );
  });

  it('keeps integers of 64 bits in the arguments of calls, and counts their digits', () => {
    const toolCalls = [
      { id: 'c', name: 'get', input: { ticket: 2512292042121000001n as unknown as number } },
    ];
    const response = { content: 'x', toolCalls, stopReason: 'tool_use' };
    const tools = [{ name: 'get', inputSchema: { type: 'object' } }];
    const handled = tokensTestee({ id: 1, op: 'tokens.handle_response', response, tools });
    expect(handled).toMatchObject({ ok: { response } });
    const messages = [{ role: 'assistant', content: '', toolCalls }];
    const rounded = [
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ ...toolCalls[0], input: { ticket: '25122920421210000' } }],
      },
    ];
    const estimates = [messages, rounded].map((one) =>
      tokensTestee({ id: 1, op: 'tokens.estimate', messages: one }),
    );
    expect(estimates[0]).toEqual(estimates[1]);
  });
});
