/** LM Studio's messages for a generation, one by one: llm.md, "LM Studio", and the types of its SDK 2.0. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type {
  GenerationStep,
  Block,
  GeneratedBlock,
  GenerationEnd,
  LlmRequest,
  RenderContext,
  Variants,
} from '../../messages.ts';
import { unitsOfStep } from '../shared/render.ts';
import { lmstudio } from './index.ts';
import { userStopped } from './render.ts';

const request: LlmRequest = {
  dialect: 'lmstudio',
  model: 'qwen3',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  stream: true,
  includeUsage: true,
};
const end: GenerationEnd = {
  stop: 'end_turn',
  signal: 'honest',
  transport: 'clean',
  usage: { inputTokens: 7, outputTokens: 3 },
  cutCall: false,
};
const contextOf = (over: Partial<GenerationEnd> = {}, variants: Variants = {}): RenderContext => ({
  request,
  end: { ...end, ...over },
  variants,
  now: 0,
  id: (prefix) => prefix,
});

/** The messages of a generation, without the progress of the prompt. */
function messages(
  steps: readonly GenerationStep[],
  over: Partial<GenerationEnd> = {},
  variants: Variants = {},
) {
  const renderer = lmstudio.renderer(contextOf(over, variants));
  renderer.begin();
  const units = [...steps.flatMap((step) => unitsOfStep(step, renderer)), ...renderer.end()];
  return units.map(({ data }) => data) as { readonly [key: string]: Json }[];
}

/** A block of one piece, whole or cut. */
const block = (of: Block, text: string, complete = true): GenerationStep[] => {
  const made: GeneratedBlock = { ...of, index: 0, text, complete };
  return [
    { do: 'open', block: made },
    { do: 'piece', block: made, text },
    { do: 'close', block: made },
  ];
};
const call = (text: string, complete = true): GenerationStep[] =>
  block({ kind: 'tool_call', id: 'c1', name: 'write' }, text, complete);

const typesOf = (sent: readonly { readonly [key: string]: Json }[]): Json[] =>
  sent.map(({ type }) => type ?? null);

const fragment = (content: string, reasoningType: string, tokensCount: number): Json => ({
  type: 'fragment',
  fragment: {
    content,
    tokensCount,
    containsDrafted: false,
    reasoningType,
    isStructural: reasoningType.endsWith('Tag'),
  },
});

describe('a prediction', () => {
  it('begins with the progress of the prompt, whose counts add up to the whole prompt', () => {
    const usage = { inputTokens: 7, outputTokens: 3, cacheReadTokens: 4 };
    const units = lmstudio.renderer(contextOf({ usage })).begin();
    const details = (processed: number, unprocessed: number): Json => ({
      cachedTokenCount: 4,
      totalPromptTokenCount: 11,
      processedPromptTokenCount: processed,
      unprocessedPromptTokenCount: unprocessed,
    });
    expect(units.map(({ data }) => data)).toEqual([
      { type: 'promptProcessingProgress', progress: 0, details: details(0, 7) },
      { type: 'promptProcessingProgress', progress: 1, details: details(7, 0) },
    ]);
  });

  it('of text is fragments and success, with all fields that the SDK requires', () => {
    expect(messages(block({ kind: 'text' }, 'Hello'))).toEqual([
      fragment('Hello', 'none', 2),
      {
        type: 'success',
        stats: {
          stopReason: 'eosFound',
          tokensPerSecond: 50,
          timeToFirstTokenSec: 0.1,
          promptTokensCount: 7,
          predictedTokensCount: 3,
          totalTokensCount: 10,
        },
        modelInfo: expect.objectContaining({ type: 'llm', identifier: 'qwen3', modelKey: 'qwen3' }),
        loadModelConfig: { fields: [] },
        predictionConfig: { fields: [{ key: 'llm.prediction.tools', value: { type: 'none' } }] },
      },
    ]);
  });

  it('of thoughts has structural tags around them; cut thoughts have no end tag', () => {
    const thought = block({ kind: 'thinking', signature: 's' }, 'hm');
    expect(messages(thought).slice(0, -1)).toEqual([
      fragment('<think>', 'reasoningStartTag', 0),
      fragment('hm', 'reasoning', 1),
      fragment('</think>', 'reasoningEndTag', 0),
    ]);
    expect(messages(block({ kind: 'thinking' }, 'hm', false)).slice(0, -1)).toEqual([
      fragment('<think>', 'reasoningStartTag', 0),
      fragment('hm', 'reasoning', 1),
    ]);
  });

  it('of a call is its start, its name, its fragments and its end with the arguments as an object', () => {
    expect(messages(call('{"a":1}'), { stop: 'tool_use' }).slice(0, -1)).toEqual([
      { type: 'toolCallGenerationStart', toolCallId: 'c1' },
      { type: 'toolCallGenerationNameReceived', name: 'write' },
      { type: 'toolCallGenerationArgumentFragmentGenerated', content: '{"a":1}' },
      {
        type: 'toolCallGenerationEnd',
        toolCallRequest: { id: 'c1', type: 'function', name: 'write', arguments: { a: 1 } },
        rawContent: '{"a":1}',
      },
    ]);
  });

  it.each(['{"a":', '[1]', '"a"', '7', 'null', ''])(
    'of a call with the arguments %j fails, because they are not an object',
    (text) => {
      const sent = messages(text === '' ? call(text).filter((step) => step.do !== 'piece') : call(text));
      expect(sent.at(-2)).toMatchObject({ type: 'toolCallGenerationFailed', rawContent: text });
      expect(typesOf(sent)).not.toContain('toolCallGenerationEnd');
    },
  );
});

describe('a call that was cut', () => {
  const over = { stop: 'max_tokens', cutCall: true } as const;

  it('is followed by success, or by a failed call in the variant', () => {
    const begun = [
      'toolCallGenerationStart',
      'toolCallGenerationNameReceived',
      'toolCallGenerationArgumentFragmentGenerated',
    ];
    const nothing = messages(call('{"a":"x', false), over);
    expect(typesOf(nothing)).toEqual([...begun, 'success']);
    const failed = messages(call('{"a":"x', false), over, { lmstudio: 'failed' });
    expect(typesOf(failed)).toEqual([...begun, 'toolCallGenerationFailed', 'success']);
    for (const sent of [nothing, failed])
      expect(sent.at(-1)).toMatchObject({ stats: { stopReason: 'maxPredictedTokensReached' } });
  });
});

describe('the end', () => {
  it.each([
    ['end_turn', 'eosFound'],
    ['tool_use', 'toolCalls'],
    ['max_tokens', 'maxPredictedTokensReached'],
    ['stop_sequence', 'stopStringFound'],
    ['context_window', 'contextLengthReached'],
    ['cancelled', 'userStopped'],
    ['error', 'failed'],
  ] as const)('of %s is %s', (stop, stopReason) => {
    expect(messages([], { stop })).toMatchObject([{ type: 'success', stats: { stopReason } }]);
  });

  it('of a stop string names it', () => {
    const [success] = messages([], { stop: 'stop_sequence', stopSequence: 'END' });
    expect(success).toMatchObject({ stats: { stopReason: 'stopStringFound', stopString: 'END' } });
  });

  it('has the reason toolCalls when the signal lies, and no success when it is missing', () => {
    const over = { stop: 'max_tokens' } as const;
    expect(messages([], { ...over, signal: 'lying' })).toMatchObject([
      { stats: { stopReason: 'toolCalls' } },
    ]);
    expect(messages([], { ...over, signal: 'missing' })).toEqual([]);
  });

  it('contradicts the failed call with one success, because the SDK accepts no second success', () => {
    const sent = messages(call('{"a', false), { stop: 'max_tokens', signal: 'contradictory' });
    expect(typesOf(sent.slice(-2))).toEqual(['toolCallGenerationFailed', 'success']);
    expect(sent.at(-1)).toMatchObject({ stats: { stopReason: 'toolCalls' } });
  });

  it('of an error is a channelError, and no success', () => {
    const error = { type: 'overloaded', message: 'busy', status: 529 };
    expect(messages([], { error })).toEqual([
      {
        type: 'channelError',
        error: {
          title: 'busy',
          rootTitle: 'busy',
          cause: 'overloaded',
          stack: 'Error: busy',
          errorData: { type: 'overloaded', status: 529 },
        },
      },
    ]);
  });

  it('after a cancel is success with userStopped, and the tokens until then', () => {
    expect(userStopped(contextOf(), 2).data).toMatchObject({
      type: 'success',
      stats: { stopReason: 'userStopped', predictedTokensCount: 2, totalTokensCount: 9 },
    });
  });
});

describe('an error before the first message', () => {
  it('is the same channelError', () => {
    const { status, body } = lmstudio.errorBody({ type: 'overloaded', message: 'busy', status: 529 }, 'r1');
    expect(status).toBe(529);
    expect(body).toMatchObject({ type: 'channelError', error: { title: 'busy' } });
    const decoded = lmstudio.readWhole(status, {}, new TextEncoder().encode(JSON.stringify(body)));
    expect(decoded.error).toMatchObject({
      kind: 'provider',
      type: 'overloaded',
      status: 529,
      retryable: true,
    });
  });
});
