/** Chat Completions as Azure, OpenRouter and Mistral send them: their shapes, and that the client reads them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { anyGeneration } from '../../arbitrary/answer.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import { chatProviders } from '../../messages.ts';
import type { ChatError, Decoded, Variants } from '../../messages.ts';
import { anySizes, bytesOf, contextOf, decodeIn, unitsOf } from '../shared/laws.test-helper.ts';
import {
  answerOf,
  call,
  cutCall,
  ending,
  essence,
  essenceRead,
  requestOf,
  streamOf,
  text,
  thought,
  varied,
} from '../openai/answers.test-helper.ts';
import { openaiChat } from './index.ts';

const request = requestOf('openai-chat', { includeUsage: false, obfuscation: false });
const failure = { type: 'overloaded', message: 'Overloaded' } as const;

const dataOf = (answered: Answered): readonly Json[] =>
  unitsOf(openaiChat, answered).flatMap(({ comment, data }) => (comment === true ? [] : [data]));

const decoded = (answered: Answered): Decoded => decodeIn(openaiChat, bytesOf(openaiChat, answered)).decoded;

function bodyOf(answered: Answered): { readonly status: number; readonly body: JsonObject } {
  const { status, body } = openaiChat.whole(answered.generation, contextOf(answered));
  return { status, body: body as JsonObject };
}

const readBody = (answered: Answered): Decoded => {
  const { status, body } = bodyOf(answered);
  return openaiChat.readWhole(status, {}, Buffer.from(JSON.stringify(body)));
};

const anyAnswered = anyGeneration('openai-chat', { stops: ['content_filter', 'cancelled'], custom: false });

const anyVariants: fc.Arbitrary<Variants> = fc.record({
  chat: fc.constantFrom(...chatProviders),
  interleaved: fc.boolean(),
  joined: fc.subarray(['finish', 'arguments', 'call', 'calls']),
});

/** OpenRouter and Mistral send usage unasked. */
const sendsUsage = ({ request: { includeUsage } }: Answered, { chat }: Variants): boolean =>
  includeUsage || chat === 'openrouter' || chat === 'mistral';

describe('the inverse law', () => {
  it('holds for the streams of every provider', () => {
    fc.assert(
      fc.property(anyAnswered, anyVariants, anySizes, (answered, variants, sizes) => {
        const bytes = bytesOf(openaiChat, varied(answered, variants));
        const read = decodeIn(openaiChat, bytes, sizes).decoded;
        expect(read.error).toBeUndefined();
        expect(read.response.warnings).toEqual([]);
        const usage = sendsUsage(answered, variants) ? {} : { usage: undefined };
        expect(essenceRead(read)).toEqual({ ...essence(answered.transcript), ...usage });
      }),
      { numRuns: 200 },
    );
  });

  it('holds for their whole answers', () => {
    fc.assert(
      fc.property(anyAnswered, anyVariants, (answered, variants) => {
        const read = readBody(varied(answered, variants));
        expect(read.error).toBeUndefined();
        expect(essenceRead(read)).toEqual(essence(answered.transcript));
      }),
      { numRuns: 100 },
    );
  });

  it('holds for thoughts, with the form in which OpenRouter wants them back', () => {
    fc.assert(
      fc.property(anyAnswered, fc.constantFrom('openrouter', 'mistral'), (answered, chat) => {
        const { thinking = [] } = decoded(varied(answered, { chat })).response;
        const texts = answered.transcript.thinking.map((one) => one.text).filter((one) => one !== '');
        expect(thinking.map((one) => one.text).filter((one) => one !== '')).toEqual(texts);
      }),
      { numRuns: 100 },
    );
  });
});

describe('Azure', () => {
  // Azure OpenAI, Content streaming: Sample response stream.
  const hello = answerOf(request, [text('Hel', 'lo')], { stop: 'end_turn' });

  it('begins with a chunk without choices, with the results for the prompt', () => {
    for (const chat of ['azure', 'azure-async'] as const)
      expect(dataOf(varied(hello, { chat }))[0]).toMatchObject({
        id: '',
        object: '',
        created: 0,
        model: '',
        choices: [],
        prompt_filter_results: [
          { prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } },
        ],
      });
  });

  it('has the results beside the content', () => {
    const [, , said] = dataOf(varied(hello, { chat: 'azure' }));
    expect(said).toMatchObject({
      choices: [{ delta: { content: 'Hel' }, content_filter_results: { hate: { filtered: false } } }],
    });
  });

  it('sends the results of the asynchronous filter on chunks without a delta, also behind the finish reason', () => {
    const data = dataOf(varied(hello, { chat: 'azure-async' }));
    const late = {
      id: '',
      object: '',
      created: 0,
      model: '',
      usage: null,
      choices: [
        {
          index: 0,
          finish_reason: null,
          content_filter_results: expect.anything() as unknown,
          content_filter_offsets: { check_offset: 0, start_offset: 0, end_offset: 5 },
        },
      ],
    };
    expect(data.at(-4)).toEqual(late);
    expect(data.at(-3)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(data.at(-2)).toMatchObject({ id: '', choices: [{ finish_reason: null }] });
    expect(data.at(-1)).toBe('[DONE]');
  });

  it('ends a filtered answer on a chunk without a delta', () => {
    const filtered = answerOf(request, [text('Hel')], { stop: 'content_filter' }, { chat: 'azure-async' });
    expect(dataOf(filtered).at(-2)).toMatchObject({
      model: '',
      choices: [
        {
          finish_reason: 'content_filter',
          content_filter_results: { protected_material_text: { detected: true, filtered: true } },
        },
      ],
    });
    expect(decoded(filtered).response).toMatchObject({
      content: 'Hel',
      metadata: { stopReason: 'content_filter' },
    });
  });

  it('has the results in a whole answer', () => {
    expect(bodyOf(varied(hello, { chat: 'azure' })).body).toMatchObject({
      prompt_filter_results: [{ prompt_index: 0 }],
      choices: [{ content_filter_results: { violence: { filtered: false, severity: 'safe' } } }],
    });
  });
});

describe('OpenRouter', () => {
  const thinking = answerOf(
    request,
    [
      thought('c2ln', 'I ', 'think.'),
      { kind: 'thinking', redacted: 'c2VjcmV0', pieces: [] },
      call('call_1', '{}'),
    ],
    { stop: 'tool_use' },
    { chat: 'openrouter' },
  );
  const details = [
    {
      type: 'reasoning.text',
      text: 'I think.',
      signature: 'c2ln',
      format: 'anthropic-claude-v1',
      index: 0,
    },
    { type: 'reasoning.encrypted', data: 'c2VjcmV0', id: null, format: 'anthropic-claude-v1', index: 1 },
  ];

  it('sends comments before the first chunk', () => {
    // OpenRouter API: Streaming.
    const bytes = new TextDecoder().decode(bytesOf(openaiChat, thinking));
    expect(bytes.startsWith(': OPENROUTER PROCESSING\n\n')).toBe(true);
  });

  it('sends thoughts twice, the signature and hidden thoughts as details alone', () => {
    const deltas = dataOf(thinking).flatMap((data) => {
      const { choices } = data as { readonly choices?: readonly { readonly delta: JsonObject }[] };
      return choices?.[0]?.delta['reasoning_details'] === undefined ? [] : [choices[0].delta];
    });
    expect(deltas).toMatchObject([
      { reasoning: 'I ', reasoning_details: [{ type: 'reasoning.text', text: 'I ', index: 0 }] },
      { reasoning: 'think.', reasoning_details: [{ text: 'think.' }] },
      { content: '', reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', index: 0 }] },
      { content: '', reasoning_details: [{ type: 'reasoning.encrypted', data: 'c2VjcmV0' }] },
    ]);
  });

  it('gets the thoughts of an answer back as a whole answer has them', () => {
    for (const { response } of [decoded(thinking), readBody(thinking)]) {
      const { content, toolCalls, thinking: thoughts = [] } = response;
      const { body } = openaiChat.writeRequest({
        ...request,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content, toolCalls, thinking: thoughts },
          { role: 'user', content: '', toolResults: [{ id: 'call_1', content: 'So.', isError: false }] },
        ],
      });
      expect(body['messages']).toMatchObject([{}, { reasoning: 'I think.', reasoning_details: details }, {}]);
    }
    expect(bodyOf(thinking).body).toMatchObject({ choices: [{ message: { reasoning_details: details } }] });
  });

  it('sends usage with its cost behind the finish reason, unasked', () => {
    expect(dataOf(thinking).at(-2)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, cost: expect.any(Number) as unknown },
    });
  });

  it('names the finish reason in the words of the provider', () => {
    expect(dataOf(thinking).at(-3)).toMatchObject({
      choices: [{ finish_reason: 'tool_calls', native_finish_reason: 'tool_use' }],
    });
  });
});

describe('Mistral', () => {
  const thinking = answerOf(
    request,
    [thought('', 'I ', 'think.'), text('So', '.'), call('call_1', '{"a"', ':1}'), call('call_2', '{}')],
    { stop: 'tool_use' },
    { chat: 'mistral' },
  );

  it('sends the content of an answer with thoughts as lists of chunks', () => {
    // @mistralai/mistralai 2.7, ThinkChunk and TextChunk.
    const said = dataOf(thinking).slice(1, 4);
    expect(said).toMatchObject([
      { choices: [{ delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'I ' }] }] } }] },
      { choices: [{ delta: { content: [{ type: 'thinking' }] } }] },
      { choices: [{ delta: { content: [{ type: 'text', text: 'So' }] } }] },
    ]);
    expect(bodyOf(thinking).body).toMatchObject({
      choices: [{ message: { content: [{ type: 'thinking' }, { type: 'text', text: 'So.' }] } }],
    });
  });

  it('sends the calls whole, with the finish reason and the usage', () => {
    expect(dataOf(thinking).at(-2)).toMatchObject({
      usage: { prompt_tokens: 9, completion_tokens: 4 },
      choices: [
        {
          finish_reason: 'tool_calls',
          delta: {
            tool_calls: [
              { id: 'call_1', function: { name: 'get', arguments: '{"a":1}' }, index: 0 },
              { id: 'call_2', function: { name: 'get', arguments: '{}' }, index: 1 },
            ],
          },
        },
      ],
    });
  });

  it('sends a call that was cut as far as it was generated', () => {
    const cut = answerOf(request, [cutCall('call_1', '{"a"')], { stop: 'max_tokens' }, { chat: 'mistral' });
    expect(dataOf(cut).at(-2)).toMatchObject({
      choices: [{ finish_reason: 'length', delta: { tool_calls: [{ function: { arguments: '{"a"' } }] } }],
    });
    expect(decoded(cut).response).toMatchObject({ toolCalls: [], open: { partial: '{"a"' } });
  });

  it('sends a string where an answer has neither thoughts nor sources', () => {
    const plain = answerOf(request, [text('So.')], { stop: 'end_turn' }, { chat: 'mistral' });
    expect(dataOf(plain)[1]).toMatchObject({ choices: [{ delta: { content: 'So.' } }] });
  });

  it('has a word for a full context', () => {
    const full = answerOf(request, [text('So')], { stop: 'context_window' }, { chat: 'mistral' });
    expect(dataOf(full).at(-2)).toMatchObject({ choices: [{ finish_reason: 'model_length' }] });
    expect(decoded(full).response.metadata.stopReason).toBe('context_window');
  });

  it('may have arguments that are an object', () => {
    // @mistralai/mistralai 2.7, FunctionCall.arguments.
    const tool_calls = [{ id: 'call_1', function: { name: 'get', arguments: { a: 1 } }, index: 0 }];
    const bytes = streamOf(
      { choices: [{ index: 0, delta: { tool_calls }, finish_reason: 'tool_calls' }] },
      '[DONE]',
    );
    expect(decodeIn(openaiChat, bytes).decoded.response.toolCalls).toEqual([
      { id: 'call_1', name: 'get', input: { a: 1 } },
    ]);
  });
});

describe('an error in mid-stream', () => {
  const broken = ending(answerOf(request, [text('So')], { stop: 'error' }), { error: failure });

  it.each<[ChatError, object]>([
    ['object', { error: { message: 'Overloaded', code: 'server_is_overloaded' } }],
    // OpenRouter API: Errors and Debugging, Mid-Stream Errors.
    [
      'choice',
      { error: { message: 'Overloaded', code: 503 }, choices: [{ index: 0, finish_reason: 'error' }] },
    ],
    ['empty', { error: { message: 'Overloaded', code: 503 }, choices: [] }],
  ])('is an error in the form %s', (chatError, unit) => {
    const answered = varied(broken, { chatError });
    expect(dataOf(answered).at(-1)).toMatchObject(unit);
    expect(decoded(answered)).toMatchObject({
      response: { content: 'So', metadata: { stopReason: 'error' } },
      error: { kind: 'provider', type: 'overloaded', message: 'Overloaded', retryable: true },
    });
    expect(readBody(answered).error).toMatchObject({ kind: 'provider', message: 'Overloaded' });
  });

  it('is an error where the finish reason alone says so', () => {
    const answered = varied(broken, { chat: 'mistral' });
    expect(dataOf(answered).slice(-2)).toMatchObject([{ choices: [{ finish_reason: 'error' }] }, '[DONE]']);
    for (const { error, response } of [decoded(answered), readBody(answered)]) {
      expect(error).toMatchObject({ kind: 'provider', type: 'server' });
      expect(response).toMatchObject({ content: 'So', toolCalls: [] });
    }
  });

  it('is that of the provider', () => {
    expect(dataOf(varied(broken, { chat: 'openrouter' })).at(-1)).toMatchObject({
      error: { code: 503 },
      choices: [{ finish_reason: 'error', native_finish_reason: 'error' }],
    });
    expect(dataOf(varied(broken, { chat: 'azure' })).at(-1)).toMatchObject({ error: { param: null } });
  });
});
