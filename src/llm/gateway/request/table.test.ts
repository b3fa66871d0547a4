/** The table "Requests: who has a word" of the gateway's protocol page, row by row: what each dialect is written. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../kit/base/index.ts';
import { readFullRequest, writeFullRequest } from './index.ts';
import type { FullRequest, GatewayDialect, Message, Part } from './request.ts';

const text = (words: string): Part => ({ kind: 'text', text: words });
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts });
const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts });
const system = (...parts: readonly Part[]): Message => ({ role: 'system', parts });
const call = (id: string, name = 'run', args = '{"a":1}'): Part => ({
  kind: 'call',
  id,
  name,
  arguments: args,
});
const result = (id: string, ...parts: readonly Part[]): Part => ({ kind: 'result', id, parts });
const tool = { name: 'run', description: 'Runs.', schema: { type: 'object', properties: {} } };
const plain: FullRequest = {
  model: 'm',
  messages: [user(text('Hi'))],
  tools: [],
  stream: false,
  unknown: {},
};

interface Said {
  readonly body: JsonObject;
  readonly lost: readonly string[];
}

const said = (dialect: GatewayDialect, members: Partial<FullRequest>): Said => {
  const { body, lost } = writeFullRequest(dialect, { ...plain, ...members });
  return { body, lost };
};

type Row = readonly [
  what: string,
  members: Partial<FullRequest>,
  dialect: GatewayDialect,
  body: JsonObject,
  lost?: readonly string[],
];

const hi = { role: 'user', content: 'Hi' };
const item = { type: 'message', ...hi };
const picture: Part = { kind: 'image', mime: 'image/png', data: 'iVBORw0KGgo=' };
const linked: Part = { kind: 'image', url: 'https://a.test/b.png' };
const pdf: Part = { kind: 'file', mime: 'application/pdf', data: 'JVBERg==', name: 'a.pdf' };
const schema = { type: 'object', properties: { a: { type: 'string' } } };
const offered = { tools: [tool] };
const spoken = (...messages: readonly Message[]): Partial<FullRequest> => ({ messages });

const systemRows: readonly Row[] = [
  ['system', spoken(system(text('S')), user(text('Hi'))), 'anthropic', { system: 'S', messages: [hi] }],
  [
    'system',
    spoken(system(text('S')), user(text('Hi'))),
    'openai-chat',
    { messages: [{ role: 'system', content: 'S' }, hi] },
  ],
  [
    'system',
    spoken(system(text('S')), user(text('Hi'))),
    'openai-responses',
    { instructions: 'S', input: [item] },
  ],
  [
    'system',
    spoken(system(text('S')), user(text('Hi'))),
    'ollama',
    { messages: [{ role: 'system', content: 'S' }, hi] },
  ],
  [
    'two texts of the system',
    spoken(system(text('S')), system(text('T')), user(text('Hi'))),
    'anthropic',
    {
      system: [
        { type: 'text', text: 'S' },
        { type: 'text', text: 'T' },
      ],
      messages: [hi],
    },
  ],
  // "in place; else as user text in place".
  [
    'later system',
    spoken(user(text('Hi')), system(text('S'))),
    'anthropic',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'text', text: 'S' },
          ],
        },
      ],
    },
  ],
  [
    'later system',
    spoken(user(text('Hi')), system(text('S'))),
    'openai-chat',
    { messages: [hi, { role: 'system', content: 'S' }] },
  ],
  [
    'later system',
    spoken(user(text('Hi')), system(text('S'))),
    'openai-responses',
    { input: [item, { type: 'message', role: 'system', content: 'S' }] },
  ],
  [
    'later system',
    spoken(user(text('Hi')), system(text('S'))),
    'ollama',
    { messages: [hi, { role: 'system', content: 'S' }] },
  ],
];

const asked = [user(text('Hi')), assistant(call('c1')), user(text('Now'), result('c1', text('ok')))];
const failed: Part = { kind: 'result', id: 'c1', parts: [text('no')], failed: true };

const resultRows: readonly Row[] = [
  [
    'a result stands behind its call',
    spoken(...asked),
    'anthropic',
    {
      messages: [
        hi,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'run', input: { a: 1 } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'ok' },
            { type: 'text', text: 'Now' },
          ],
        },
      ],
    },
  ],
  [
    'a result stands behind its call',
    spoken(...asked),
    'openai-chat',
    {
      messages: [
        hi,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
        { role: 'user', content: 'Now' },
      ],
    },
  ],
  [
    'a result stands behind its call',
    spoken(...asked),
    'openai-responses',
    {
      input: [
        item,
        { type: 'function_call', call_id: 'c1', name: 'run', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c1', output: 'ok' },
        { type: 'message', role: 'user', content: 'Now' },
      ],
    },
  ],
  [
    'a result stands behind its call',
    spoken(...asked),
    'ollama',
    {
      messages: [
        hi,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', function: { name: 'run', arguments: { a: 1 } } }],
        },
        { role: 'tool', content: 'ok', tool_name: 'run', tool_call_id: 'c1' },
        { role: 'user', content: 'Now' },
      ],
    },
  ],
  [
    'the mark of a failure',
    spoken(assistant(call('c1')), user(failed)),
    'anthropic',
    {
      messages: [
        expect.anything(),
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'no', is_error: true }],
        },
      ],
    },
  ],
  ...(['openai-chat', 'openai-responses', 'ollama'] as const).map((dialect): Row => [
    'the mark of a failure',
    spoken(assistant(call('c1')), user(failed)),
    dialect,
    {},
    ['messages[1].parts[0].failed'],
  ]),
  // "image in a result into oc: array, or a user message behind it".
  [
    'an image in a result',
    spoken(
      assistant(call('c1'), call('c2')),
      user(result('c1', text('see'), picture), result('c2', text('ok'))),
    ),
    'openai-chat',
    {
      messages: [
        expect.anything(),
        { role: 'tool', tool_call_id: 'c1', content: 'see' },
        { role: 'tool', tool_call_id: 'c2', content: 'ok' },
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
        },
      ],
    },
    ['messages[1].parts[0].parts[1]: in a message of the user'],
  ],
  [
    'an image in a result',
    spoken(assistant(call('c1')), user(result('c1', picture))),
    'openai-responses',
    {
      input: [
        expect.anything(),
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: [{ type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgo=' }],
        },
      ],
    },
  ],
];

const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const file = 'data:application/pdf;base64,JVBERg==';

const mediaRows: readonly Row[] = [
  [
    'an image',
    spoken(user(picture)),
    'anthropic',
    { messages: [{ role: 'user', content: [{ type: 'image', source }] }] },
  ],
  [
    'an image at a URL',
    spoken(user(linked)),
    'anthropic',
    {
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } }] },
      ],
    },
  ],
  [
    'an image',
    spoken(user(picture)),
    'openai-chat',
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
        },
      ],
    },
  ],
  [
    'an image at a URL',
    spoken(user(linked)),
    'openai-responses',
    {
      input: [
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_image', detail: 'auto', image_url: 'https://a.test/b.png' }],
        },
      ],
    },
  ],
  [
    'an image',
    spoken(user(text('Hi'), picture)),
    'ollama',
    { messages: [{ ...hi, images: ['iVBORw0KGgo='] }] },
  ],
  [
    'an image at a URL',
    spoken(user(text('Hi'), linked)),
    'ollama',
    { messages: [hi] },
    ['messages[0].parts[1]'],
  ],
  [
    'a file',
    spoken(user(pdf)),
    'anthropic',
    {
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
              title: 'a.pdf',
            },
          ],
        },
      ],
    },
  ],
  [
    'a file',
    spoken(user(pdf)),
    'openai-chat',
    {
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_data: file, filename: 'a.pdf' } }] }],
    },
  ],
  [
    'a file',
    spoken(user(pdf)),
    'openai-responses',
    {
      input: [
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_file', file_data: file, filename: 'a.pdf' }],
        },
      ],
    },
  ],
  ['a file', spoken(user(text('Hi'), pdf)), 'ollama', { messages: [hi] }, ['messages[0].parts[1]']],
  // Anthropic's image types: jpeg, png, gif, webp (Base64ImageSource).
  [
    'an image of another type',
    spoken(user(text('Hi'), { kind: 'image', mime: 'image/tiff', data: 'SUkq' })),
    'anthropic',
    { messages: [hi] },
    ['messages[0].parts[1]'],
  ],
];

const wrapped = {
  type: 'function',
  function: { name: 'run', description: 'Runs.', parameters: tool.schema },
};

const toolRows: readonly Row[] = [
  [
    'tools',
    offered,
    'anthropic',
    { tools: [{ name: 'run', description: 'Runs.', input_schema: tool.schema }] },
  ],
  ['tools', offered, 'openai-chat', { tools: [wrapped] }],
  [
    'tools',
    offered,
    'openai-responses',
    {
      tools: [
        { type: 'function', name: 'run', description: 'Runs.', parameters: tool.schema, strict: false },
      ],
    },
  ],
  ['tools', offered, 'ollama', { tools: [wrapped] }],
  ...(
    [
      ['auto', { type: 'auto' }, 'auto', 'auto'],
      ['must', { type: 'any' }, 'required', 'required'],
      ['none', { type: 'none' }, 'none', 'none'],
      [
        { name: 'run' },
        { type: 'tool', name: 'run' },
        { type: 'function', function: { name: 'run' } },
        { type: 'function', name: 'run' },
      ],
    ] as const
  ).flatMap(([choice, an, oc, or]): readonly Row[] => [
    ['choice', { ...offered, choice }, 'anthropic', { tool_choice: an }],
    ['choice', { ...offered, choice }, 'openai-chat', { tool_choice: oc }],
    ['choice', { ...offered, choice }, 'openai-responses', { tool_choice: or }],
  ]),
  ['choice must', { ...offered, choice: 'must' }, 'ollama', { tools: [wrapped] }, ['choice']],
  ['choice auto', { ...offered, choice: 'auto' }, 'ollama', { tools: [wrapped] }],
  [
    'parallel off',
    { ...offered, parallel: false },
    'anthropic',
    { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  ],
  [
    'parallel off',
    { ...offered, choice: 'must', parallel: false },
    'anthropic',
    { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
  ],
  ['parallel off', { ...offered, parallel: false }, 'openai-chat', { parallel_tool_calls: false }],
  ['parallel off', { ...offered, parallel: false }, 'openai-responses', { parallel_tool_calls: false }],
  ['parallel off', { ...offered, parallel: false }, 'ollama', {}, ['parallel']],
];

const stops = ['a', 'b', 'c', 'd', 'e'];

const numberRows: readonly Row[] = [
  ['limit', { limit: 9 }, 'anthropic', { max_tokens: 9 }],
  ['no limit', {}, 'anthropic', { max_tokens: 4096 }],
  ['limit', { limit: 9 }, 'openai-chat', { max_completion_tokens: 9 }],
  ['limit', { limit: 9 }, 'openai-responses', { max_output_tokens: 9 }],
  ['limit', { limit: 9 }, 'ollama', { options: { num_predict: 9 } }],
  ['temperature', { temperature: 0 }, 'anthropic', { temperature: 0 }],
  ['temperature', { temperature: 1.5 }, 'anthropic', { temperature: 1 }, ['temperature: 1']],
  ['temperature', { temperature: 1.5 }, 'openai-chat', { temperature: 1.5 }],
  ['temperature', { temperature: 3 }, 'openai-responses', { temperature: 2 }, ['temperature: 2']],
  ['temperature', { temperature: 3 }, 'ollama', { options: { temperature: 3 } }],
  ['top_p', { topP: 0.5 }, 'anthropic', { top_p: 0.5 }],
  ['top_p', { topP: 0.5 }, 'openai-chat', { top_p: 0.5 }],
  ['top_p', { topP: 0.5 }, 'openai-responses', { top_p: 0.5 }],
  ['top_p and top_k', { topP: 0.5, topK: 4 }, 'ollama', { options: { top_p: 0.5, top_k: 4 } }],
  ['top_k', { topK: 4 }, 'anthropic', { top_k: 4 }],
  ['top_k', { topK: 4 }, 'openai-chat', {}, ['topK']],
  ['top_k', { topK: 4 }, 'openai-responses', {}, ['topK']],
  ['stop', { stop: stops }, 'anthropic', { stop_sequences: stops }],
  ['stop', { stop: stops }, 'openai-chat', { stop: ['a', 'b', 'c', 'd'] }, ['stop: the first 4']],
  ['stop', { stop: stops }, 'openai-responses', {}, ['stop']],
  ['stop', { stop: stops }, 'ollama', { options: { stop: stops } }],
];

const form = { kind: 'schema', name: 'f', schema, strict: true } as const;

const formatRows: readonly Row[] = [
  [
    'a schema',
    { format: form },
    'anthropic',
    { output_config: { format: { type: 'json_schema', schema } } },
    ['format.name', 'format.strict'],
  ],
  [
    'a schema',
    { format: form },
    'openai-chat',
    { response_format: { type: 'json_schema', json_schema: { name: 'f', schema, strict: true } } },
  ],
  [
    'a schema',
    { format: form },
    'openai-responses',
    { text: { format: { type: 'json_schema', name: 'f', schema, strict: true } } },
  ],
  ['a schema', { format: { kind: 'schema', schema } }, 'ollama', { format: schema }],
  ['any JSON', { format: { kind: 'json' } }, 'anthropic', {}, ['format']],
  ['any JSON', { format: { kind: 'json' } }, 'openai-chat', { response_format: { type: 'json_object' } }],
  [
    'any JSON',
    { format: { kind: 'json' } },
    'openai-responses',
    { text: { format: { type: 'json_object' } } },
  ],
  ['any JSON', { format: { kind: 'json' } }, 'ollama', { format: 'json' }],
];

const adaptive = { type: 'adaptive' };

const effortRows: readonly Row[] = [
  ['off', { effort: 'off' }, 'anthropic', { thinking: { type: 'disabled' } }],
  [
    'minimal',
    { effort: 'minimal' },
    'anthropic',
    { thinking: adaptive, output_config: { effort: 'low' } },
    ['effort: low'],
  ],
  ['max', { effort: 'max' }, 'anthropic', { thinking: adaptive, output_config: { effort: 'max' } }],
  ['adaptive', { effort: 'adaptive' }, 'anthropic', { thinking: adaptive }],
  [
    'a budget',
    { effort: { budget: 2000 }, limit: 9000 },
    'anthropic',
    { thinking: { type: 'enabled', budget_tokens: 2000 }, max_tokens: 9000 },
  ],
  // "budget ≥1024 and <limit".
  [
    'a budget below the least one',
    { effort: { budget: 1 } },
    'anthropic',
    { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 1024 + 4096 },
    ['effort: 1024'],
  ],
  [
    'a budget above the limit',
    { effort: { budget: 9000 }, limit: 2000 },
    'anthropic',
    { thinking: { type: 'enabled', budget_tokens: 1999 }, max_tokens: 2000 },
    ['effort: 1999'],
  ],
  [
    'no room for a budget',
    { effort: { budget: 9000 }, limit: 1000 },
    'anthropic',
    { thinking: adaptive, output_config: { effort: 'medium' }, max_tokens: 1000 },
    ['effort: medium'],
  ],
  // "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode"; snow-app#42.
  [
    'effort and a temperature',
    { effort: 'high', temperature: 0.5 },
    'anthropic',
    { output_config: { effort: 'high' }, temperature: 0.5 },
  ],
  // "Thinking may not be enabled when tool_choice forces tool use."; oh-my-pi#341.
  [
    'effort and a forced call',
    { ...offered, effort: 'high', choice: 'must' },
    'anthropic',
    { output_config: { effort: 'high' }, tool_choice: { type: 'any' } },
  ],
  ['off', { effort: 'off' }, 'openai-chat', { reasoning_effort: 'none' }],
  ['minimal', { effort: 'minimal' }, 'openai-chat', { reasoning_effort: 'minimal' }],
  ['max', { effort: 'max' }, 'openai-responses', { reasoning: { effort: 'max' } }],
  ['off', { effort: 'off' }, 'ollama', { think: false }],
  ['adaptive', { effort: 'adaptive' }, 'ollama', { think: true }],
  ['high', { effort: 'high' }, 'ollama', { think: 'high' }],
  ['max', { effort: 'max' }, 'ollama', { think: 'high' }, ['effort: high']],
];

const stateRows: readonly Row[] = [
  ['user', { user: 'u' }, 'anthropic', { metadata: { user_id: 'u' } }],
  ['user', { user: 'u' }, 'openai-chat', { user: 'u' }],
  ['user', { user: 'u' }, 'openai-responses', { user: 'u' }],
  ['user', { user: 'u' }, 'ollama', {}, ['user']],
  [
    'state',
    { previous: 'resp_1', store: true },
    'openai-responses',
    { previous_response_id: 'resp_1', store: true },
  ],
  ...(['anthropic', 'openai-chat', 'ollama'] as const).map((dialect): Row => [
    'state',
    { previous: 'resp_1', store: true },
    dialect,
    {},
    ['previous', 'store'],
  ]),
  [
    'usage in a stream',
    { stream: true, includeUsage: true },
    'openai-chat',
    { stream: true, stream_options: { include_usage: true } },
  ],
];

const rows: readonly Row[] = [
  ...systemRows,
  ...resultRows,
  ...mediaRows,
  ...toolRows,
  ...numberRows,
  ...formatRows,
  ...effortRows,
  ...stateRows,
];

test.each(rows.map(([what, members, dialect, body, lost = []]) => ({ what, members, dialect, body, lost })))(
  '$what, written to $dialect',
  ({ members, dialect, body, lost }) => {
    const written = said(dialect, members);
    expect(written.body).toMatchObject(body);
    expect(written.lost).toEqual(lost);
  },
);

describe('what is not said is not invented (LLM-G67)', () => {
  test.each([
    ['anthropic', { model: 'm', max_tokens: 4096, messages: [hi], stream: false }],
    ['openai-chat', { model: 'm', messages: [hi], stream: false }],
    ['openai-responses', { model: 'm', input: [item], stream: false }],
    ['ollama', { model: 'm', messages: [hi], stream: false }],
  ] as const)('%s', (dialect, body) => {
    expect(said(dialect, {}).body).toEqual(body);
  });

  test('a temperature does not bring thinking, and effort beside it no more than its level', () => {
    expect(said('anthropic', { temperature: 0.5, effort: 'high' }).body).not.toHaveProperty('thinking');
  });

  test('no tools: a choice has no place', () => {
    expect(said('openai-chat', { choice: 'must', parallel: false })).toEqual({
      body: { model: 'm', messages: [hi], stream: false },
      lost: ['choice', 'parallel'],
    });
  });

  test('none without a word: tools are left out', () => {
    const { body, lost } = said('ollama', { ...offered, choice: 'none' });
    expect(body).not.toHaveProperty('tools');
    expect(lost).toEqual(['choice', 'tools']);
  });
});

const order = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

describe('effort is monotone (LLM-G66)', () => {
  const rank = (dialect: GatewayDialect, effort: FullRequest['effort']): number => {
    const { effort: read = 'off' } = readFullRequest(
      dialect,
      said(dialect, effort === undefined ? {} : { effort }).body,
    );
    return order.findIndex((level) => level === read);
  };

  test.each(['anthropic', 'openai-chat', 'openai-responses', 'ollama'] as const)(
    'levels to %s',
    (dialect) => {
      const ranks = order.map((effort) => rank(dialect, effort));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      expect(ranks[0]).toBe(0);
    },
  );

  test.each(['openai-chat', 'openai-responses', 'ollama'] as const)('budgets to %s', (dialect) => {
    const ranks = [1024, 2000, 4000, 9000, 20_000, 40_000, 80_000].map((budget) => rank(dialect, { budget }));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(ranks[0]).toBeGreaterThan(0);
  });
});

describe('thoughts go where their provider is (LLM-G04)', () => {
  const thoughts = spoken(
    assistant(
      { kind: 'thought', text: 'T', signature: 's' },
      { kind: 'redacted', data: 'r' },
      { kind: 'thought', text: 'U' },
      text('A'),
    ),
    user(text('Hi')),
  );

  test('signed and redacted ones to Anthropic, no others', () => {
    const { body, lost } = said('anthropic', thoughts);
    expect(body['messages']).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'T', signature: 's' },
          { type: 'redacted_thinking', data: 'r' },
          { type: 'text', text: 'A' },
        ],
      },
      hi,
    ]);
    expect(lost).toEqual(['messages[0].parts[2]']);
  });

  test.each(['openai-chat', 'openai-responses', 'ollama'] as const)('none to %s', (dialect) => {
    const { body, lost } = said(dialect, thoughts);
    expect(JSON.stringify(body)).not.toMatch(/"[TUrs]"/);
    expect(lost.toSorted()).toEqual([0, 1, 2].map((i) => `messages[0].parts[${i}]`));
  });
});

describe('ids and names that a dialect cannot carry', () => {
  const long = `call_${'x'.repeat(80)}`;
  const idsOf = (dialect: GatewayDialect, ids: readonly string[]): readonly string[] => {
    const { body } = said(
      dialect,
      spoken(assistant(...ids.map((id) => call(id))), user(...ids.map((id) => result(id)))),
    );
    const { messages } = readFullRequest(dialect, body);
    const [asks = [], answers = []] = messages.map(({ parts }) =>
      parts.flatMap((part) => ('id' in part ? [part.id] : [])),
    );
    expect(answers).toEqual(asks);
    return asks;
  };
  const odd = [
    '',
    'a',
    'a.b',
    'a_b',
    'functions.f:0',
    'a_002eb',
    'escaped_a_002eb',
    'hashed_a',
    'é',
    long,
    `${long}x`,
  ];

  // "^[a-zA-Z0-9_-]+$": spec/llm/refusals.yaml; 40 characters: the same; 64: 9router#393.
  test.each([
    ['anthropic', /^[a-zA-Z0-9_-]+$/],
    ['openai-chat', /^.{0,40}$/],
    ['openai-responses', /^.{0,64}$/],
  ] as const)('%s', (dialect, form) => {
    const ids = idsOf(dialect, odd);
    expect(new Set(ids).size).toBe(odd.length);
    for (const id of ids) expect(id).toMatch(form);
    expect(ids[1]).toBe('a');
    // The same in another turn: it depends on the id alone.
    expect(idsOf(dialect, odd.slice(4))).toEqual(ids.slice(4));
  });

  test('a name is changed everywhere, and can be restored (LLM-G58)', () => {
    const name = 'mcp.server/run';
    const { body, names } = writeFullRequest('openai-chat', {
      ...plain,
      messages: [assistant(call('c1', name)), user(result('c1', text('ok')))],
      tools: [{ ...tool, name }],
      choice: { name },
    });
    const read = readFullRequest('openai-chat', body);
    const [written] = read.tools.map((one) => one.name);
    expect(written).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(read.choice).toEqual({ name: written });
    expect(read.messages[0]?.parts[0]).toMatchObject({ name: written });
    expect([...names]).toEqual([[written, name]]);
  });
});
