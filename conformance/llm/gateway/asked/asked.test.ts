/** What a lawful gateway does to a request is blamed by no check: random requests, and the lawful habits of gateways. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactText, jsonOf } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { anyFullRequest } from '../../../../src/llm/arbitrary/full-request.ts';
import { readFullRequest, writeFullRequest } from '../../../../src/llm/gateway/index.ts';
import type { GatewayDialect } from '../../../../src/llm/gateway/index.ts';
import { providerRequest } from '../../../../src/llm/gateway/provider-request.ts';
import { openAbove, openBelow } from '../exchanges.ts';
import type { Above, Below } from '../exchanges.ts';
import { pairs } from '../pairs.ts';
import { Efforts } from './effort.ts';
import { askedFacts } from './index.ts';

const paths = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  ollama: '/api/chat',
} as const;

const base = { seq: 0, at: 0, wire: 'client', conn: 'c', stream: 's', from: 'a', to: 'b' } as const;

function exchange<T extends Above | Below>(opened: T | undefined, body: Json): T {
  if (opened === undefined) throw new Error('no dialect has this path');
  return { ...opened, body };
}

const event = (dialect: GatewayDialect): Parameters<typeof openBelow>[0] => ({
  ...base,
  kind: 'open',
  data: { ':path': paths[dialect], 'anthropic-version': '2023-06-01' },
});

/** The rows that a request broke, with their messages. */
function broken(
  [client, above]: readonly [GatewayDialect, Json],
  [provider, below]: readonly [GatewayDialect, Json],
  efforts = new Efforts(),
): readonly string[] {
  const facts = askedFacts(
    exchange(openAbove(event(client), { case: '', claims: {} }), above),
    exchange(openBelow(event(provider)), below),
    efforts,
  );
  return facts.flatMap(({ row, message }) => (message === undefined ? [] : [`${row}: ${message}`]));
}

/** Over the wire, as a trace has it. */
const wired = (body: Json): Json => jsonOf(exactText(body));

describe.each(pairs)('$client over $provider', ({ client, provider }) => {
  test('a request that the reference writes is blamed by no check', () => {
    fc.assert(
      fc.property(anyFullRequest(client), (request) => {
        const above = wired(writeFullRequest(client, request).body);
        const { body, wordless } = providerRequest(
          { client, provider, url: '' },
          readFullRequest(client, above),
          {},
        );
        if (wordless.length > 0) return;
        expect(broken([client, above], [provider, wired(body)])).toEqual([]);
      }),
    );
  });
});

type Bodies = readonly [GatewayDialect, JsonObject, GatewayDialect, JsonObject];

const hi = { role: 'user', content: 'Hi' };
const chat = (more: JsonObject, messages: Json = [hi]): readonly [GatewayDialect, JsonObject] => [
  'openai-chat',
  { model: 'm', messages, ...more },
];
const claude = (more: JsonObject, messages: Json = [hi]): readonly [GatewayDialect, JsonObject] => [
  'anthropic',
  { model: 'm', max_tokens: 100, messages, ...more },
];
const responses = (more: JsonObject, input: Json = [hi]): readonly [GatewayDialect, JsonObject] => [
  'openai-responses',
  { model: 'm', input, ...more },
];
const ollama = (more: JsonObject, messages: Json = [hi]): readonly [GatewayDialect, JsonObject] => [
  'ollama',
  { model: 'm', messages, stream: false, ...more },
];
const to = (
  above: readonly [GatewayDialect, JsonObject],
  below: readonly [GatewayDialect, JsonObject],
): Bodies => [...above, ...below];

const chatTool = (parameters: JsonObject, more: JsonObject = {}): JsonObject => ({
  tools: [{ type: 'function', function: { name: 'f', description: 'F.', parameters, ...more } }],
});
const claudeTool = (input_schema: JsonObject): JsonObject => ({
  tools: [{ name: 'f', description: 'F.', input_schema }],
});
const none = { type: 'object', properties: {} };
const text = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const limited = { max_completion_tokens: 100 };

const chatCall = (id: string): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
});
const claudeCall = (id: string): JsonObject => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'f', input: { a: 1 } }],
});
const claudeResult = (id: string, more: JsonObject = {}): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'No.',
  ...more,
});
const png = 'iVBORw0KGgo=';
const pngUrl = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };

/** The lawful habits are those of the gateways in use: BerriAI/litellm, maximhq/bifrost, envoyproxy/ai-gateway, agentgateway, Portkey-AI/gateway. */
const lawful: readonly (readonly [habit: string, bodies: Bodies])[] = [
  [
    'system messages become blocks, developer becomes system',
    to(
      chat(limited, [
        { role: 'system', content: 'Be kind.' },
        { role: 'developer', content: 'Be brief.' },
        hi,
      ]),
      claude({
        system: [
          { type: 'text', text: 'Be kind.' },
          { type: 'text', text: 'Be brief.' },
        ],
      }),
    ),
  ],
  [
    'system messages are joined with an empty line',
    to(
      chat({}, [{ role: 'system', content: 'Be kind.' }, { role: 'system', content: 'Be brief.' }, hi]),
      responses({ instructions: 'Be kind.\n\nBe brief.' }),
    ),
  ],
  [
    'later system text becomes text of the user in its place',
    to(
      chat(limited, [
        hi,
        { role: 'assistant', content: 'Yes?' },
        { role: 'system', content: 'Be brief.' },
        hi,
      ]),
      claude({}, [
        hi,
        { role: 'assistant', content: 'Yes?' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Be brief.' },
            { type: 'text', text: 'Hi' },
          ],
        },
      ]),
    ),
  ],
  [
    'a note says that such text is not from the user',
    to(
      chat(limited, [
        hi,
        { role: 'assistant', content: 'Yes?' },
        { role: 'system', content: 'Be brief.' },
        hi,
      ]),
      claude({}, [
        hi,
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Operator note (not from the user): Be brief.\nHi' },
      ]),
    ),
  ],
  [
    'neighbours of one role are joined',
    to(chat(limited, [hi, hi]), claude({}, [{ role: 'user', content: 'Hi\nHi' }])),
  ],
  [
    'results stand before text, the failure before the result, and ids are other ones',
    to(
      claude({}, [
        hi,
        claudeCall('toolu_1'),
        {
          role: 'user',
          content: [claudeResult('toolu_1', { is_error: true }), { type: 'text', text: 'Again.' }],
        },
      ]),
      chat(limited, [
        hi,
        chatCall('call_9'),
        { role: 'tool', tool_call_id: 'call_9', content: 'Error: No.' },
        { role: 'user', content: 'Again.' },
      ]),
    ),
  ],
  ['a limit is added where Anthropic needs one', to(chat({}), claude({ max_tokens: 4096 }))],
  [
    'no limit is added, and the provider refuses',
    to(chat({}), ['anthropic', { model: 'm', messages: [hi] }]),
  ],
  [
    'the limit rises by the budget',
    to(
      chat({ ...limited, reasoning_effort: 'high' }),
      claude({ max_tokens: 2148, thinking: { type: 'enabled', budget_tokens: 2048 } }),
    ),
  ],
  [
    'thinking takes the place of the temperature',
    to(
      chat({ ...limited, reasoning_effort: 'high', temperature: 0.5 }),
      claude({ max_tokens: 2148, temperature: 1, thinking: { type: 'enabled', budget_tokens: 2048 } }),
    ),
  ],
  ['a temperature is clamped', to(chat({ ...limited, temperature: 1.7 }), claude({ temperature: 1 }))],
  [
    'a temperature is passed on, and refused',
    to(chat({ ...limited, temperature: 1.7 }), claude({ temperature: 1.7 })),
  ],
  [
    'store, include and parallel calls are added',
    to(
      claude(claudeTool(none)),
      responses({
        max_output_tokens: 100,
        store: false,
        include: ['reasoning.encrypted_content'],
        parallel_tool_calls: true,
        tools: [{ type: 'function', name: 'f', description: 'F.', parameters: none, strict: false }],
      }),
    ),
  ],
  [
    'a strict schema is closed',
    to(
      claude(claudeTool(text)),
      chat({
        ...limited,
        ...chatTool({ ...text, additionalProperties: false, $defs: {} }, { strict: true }),
      }),
    ),
  ],
  [
    'what a reference names stands in its place',
    to(
      chat({
        ...limited,
        ...chatTool({
          type: 'object',
          properties: { a: { $ref: '#/$defs/t' } },
          $defs: { t: { type: 'string' } },
        }),
      }),
      claude(claudeTool({ type: 'object', properties: { a: { type: 'string' } }, required: [] })),
    ),
  ],
  [
    'cache marks are lost, and the seed and top_k too',
    to(
      claude({ top_k: 5 }, [
        { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] },
      ]),
      chat(limited),
    ),
  ],
  [
    'an image is fetched',
    to(
      chat({}, [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, pngUrl] }]),
      ollama({}, [{ role: 'user', content: 'Hi', images: [png] }]),
    ),
  ],
  [
    'a note says that an image was there',
    to(
      chat({}, [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, pngUrl] }]),
      ollama({}, [{ role: 'user', content: 'Hi\n[image omitted]' }]),
    ),
  ],
  [
    'the first four stop sequences',
    to(
      claude({ stop_sequences: ['a', 'b', 'c', 'd', 'e'] }),
      chat({ ...limited, stop: ['a', 'b', 'c', 'd'] }),
    ),
  ],
  [
    'a format becomes a call that the model must make',
    to(
      chat({
        ...limited,
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: text } },
      }),
      claude({
        tools: [{ name: 'answer', input_schema: text }],
        tool_choice: { type: 'tool', name: 'answer' },
      }),
    ),
  ],
  ['without a call, no tools', to(chat({ ...chatTool(none), tool_choice: 'none' }), ollama({}))],
];

test.each(lawful)('lawful: %s', (_, [client, above, provider, below]) => {
  expect(broken([client, above], [provider, below])).toEqual([]);
});

/** The faults are those of gateways in use; the row has the sentence that each breaks. */
const unlawful: readonly (readonly [row: string, fault: string, bodies: Bodies])[] = [
  [
    'LLM-G52',
    'the second system message is lost',
    to(
      chat({}, [{ role: 'system', content: 'Be kind.' }, { role: 'system', content: 'Be brief.' }, hi]),
      responses({ instructions: 'Be kind.' }),
    ),
  ],
  [
    'LLM-G52',
    'later system text becomes text of the user, where the dialect has a place for it',
    to(
      chat({}, [hi, { role: 'system', content: 'Be brief.' }]),
      ollama({}, [hi, { role: 'user', content: 'Be brief.' }]),
    ),
  ],
  ['LLM-G53', 'a message is doubled', to(chat(limited), claude({}, [hi, hi]))],
  ['LLM-G53', 'white space is trimmed', to(chat(limited, [{ role: 'user', content: ' Hi' }]), claude({}))],
  [
    'LLM-G55',
    'a result changes',
    to(
      chat(limited, [hi, chatCall('c1'), { role: 'tool', tool_call_id: 'c1', content: 'No.' }]),
      claude({}, [
        hi,
        claudeCall('c1'),
        { role: 'user', content: [claudeResult('c1', { content: 'Yes.' })] },
      ]),
    ),
  ],
  [
    'LLM-G54',
    'text stands before results',
    to(
      chat(limited, [hi, chatCall('c1'), { role: 'tool', tool_call_id: 'c1', content: 'No.' }, hi]),
      claude({}, [
        hi,
        claudeCall('c1'),
        { role: 'user', content: [{ type: 'text', text: 'Hi' }, claudeResult('c1')] },
      ]),
    ),
  ],
  [
    'LLM-G56',
    'other bytes',
    to(
      ollama({}, [{ role: 'user', content: 'Hi', images: [png] }]),
      ollama({}, [{ role: 'user', content: 'Hi', images: ['iVBORw0KGgoB'] }]),
    ),
  ],
  [
    'LLM-G57',
    'a keyword is dropped',
    to(claude(claudeTool({ ...text, additionalProperties: false })), chat({ ...limited, ...chatTool(text) })),
  ],
  [
    'LLM-G58',
    'a description is dropped',
    to(chat({ ...limited, ...chatTool(none) }), claude({ tools: [{ name: 'f', input_schema: none }] })),
  ],
  [
    'LLM-G59',
    'empty properties are dropped',
    to(claude(claudeTool(none)), chat({ ...limited, ...chatTool({ type: 'object' }) })),
  ],
  [
    'LLM-G60',
    'another choice',
    to(
      chat({ ...limited, ...chatTool(none), tool_choice: 'required' }),
      claude({ ...claudeTool(none), tool_choice: { type: 'auto' } }),
    ),
  ],
  [
    'LLM-G61',
    'the wish is lost',
    to(chat({ ...limited, ...chatTool(none), parallel_tool_calls: false }), claude(claudeTool(none))),
  ],
  ['LLM-G62', 'a higher limit', to(chat(limited), claude({ max_tokens: 4096 }))],
  ['LLM-G63', 'a temperature of 0 is lost', to(chat({ ...limited, temperature: 0 }), claude({}))],
  ['LLM-G64', 'stop is lost', to(chat({ ...limited, stop: 'END' }), claude({}))],
  [
    'LLM-G65',
    'the format loses its schema',
    to(
      chat({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema: text } } }),
      ollama({ format: 'json' }),
    ),
  ],
  ['LLM-G66', 'off becomes high', to(chat({ reasoning_effort: 'none' }), ollama({ think: 'high' }))],
  [
    'LLM-G67',
    'a limit is added where none is needed',
    to(chat({}), ollama({ options: { num_predict: 128 } })),
  ],
  ['LLM-G67', 'a seed is added', to(claude({}), chat({ ...limited, seed: 1 }))],
  ['LLM-G70', 'previous_response_id is ignored', to(responses({ previous_response_id: 'resp_1' }), chat({}))],
];

test.each(unlawful)('%s: %s', (row, _, [client, above, provider, below]) => {
  const rows = broken([client, above], [provider, below]).map((fault) => fault.split(':')[0]);
  expect([...new Set(rows)]).toEqual([row]);
});

test('LLM-G66: more above is never less below', () => {
  const efforts = new Efforts();
  const asks = (above: string, below: string): readonly string[] =>
    broken(chat({ reasoning_effort: above }), responses({ reasoning: { effort: below } }), efforts);
  expect(asks('low', 'medium')).toEqual([]);
  expect(asks('high', 'medium')).toEqual([]);
  expect(asks('max', 'low')).toHaveLength(1);
});
