/** Generators of requests that every provider accepts and that a dialect can express in full. */
import fc from 'fast-check';
import type { JsonObject, ToolCall, ToolOutcome } from '../../kit/base/index.ts';
import { anyArguments, anyText, anyWords } from './text.ts';
import { dialectOf } from '../dialects/index.ts';
import { wellFormedJson } from '../dialects/shared/lone-surrogate.ts';
import type { RequestFeatures } from '../dialects/shared/dialect.ts';
import type { DialectName, LlmMessage, LlmRequest, Thinking, ToolSpec } from '../messages.ts';

/** Names of tools that all providers accept. */
export const anyToolName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('get_weather', 'write_file', 'search-web'),
  fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,30}$/),
);

const toolOf = (of: RequestFeatures): fc.Arbitrary<ToolSpec> =>
  of.customTools
    ? fc.oneof({ weight: 3, arbitrary: functionOf(of) }, { weight: 1, arbitrary: customTool })
    : functionOf(of);

const customTool: fc.Arbitrary<ToolSpec> = fc.record(
  {
    name: anyToolName,
    description: anyWords,
    inputSchema: fc.constant({}),
    custom: fc.constant(true as const),
    format: fc.constantFrom<JsonObject>(
      { type: 'text' },
      { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
    ),
  },
  { requiredKeys: ['name', 'inputSchema', 'custom'] },
);

const functionOf = ({ eagerTools }: RequestFeatures): fc.Arbitrary<ToolSpec> =>
  fc.record(
    {
      name: anyToolName,
      description: anyWords,
      inputSchema: fc.constantFrom(
        { type: 'object', properties: {} },
        { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      ),
      ...(eagerTools === true && { eager: fc.constant(true) }),
    },
    { requiredKeys: ['name', 'inputSchema'] },
  );

const thoughtsOf = ({ thoughts }: RequestFeatures): fc.Arbitrary<readonly Thinking[]> => {
  if (thoughts === 'none') return fc.constant([]);
  const signature = fc.base64String({ minLength: 4, maxLength: 40 });
  return thoughts === 'text'
    ? fc.array(fc.record({ text: anyWords }), { maxLength: 1 })
    : fc.array(fc.record({ text: anyWords, signature }), { maxLength: 2 });
};

/** The assistant's part of one round: text, calls with their results, or both. */
interface Round {
  readonly content: string;
  readonly thinking: readonly Thinking[];
  readonly calls: readonly {
    readonly name: string;
    readonly input: ToolCall['input'];
    readonly output: string;
    readonly isError: boolean;
    /** The text of a call of a custom tool. */
    readonly text: string | undefined;
    readonly signature: string | undefined;
  }[];
  /** The user's next message, where the round has no calls. */
  readonly next: string;
}

const roundOf = (of: RequestFeatures): fc.Arbitrary<Round> =>
  fc.record({
    content: fc.oneof(anyWords, fc.constant('')),
    thinking: thoughtsOf(of),
    calls: fc.array(
      fc.record({
        name: anyToolName,
        // Half a surrogate pair does not go back: providers refuse it.
        input: anyArguments.map((input) => JSON.parse(wellFormedJson(input)) as JsonObject),
        output: anyText,
        isError: of.toolErrors ? fc.boolean() : fc.constant(false),
        text: of.customTools ? fc.option(anyText, { nil: undefined, freq: 3 }) : fc.constant(undefined),
        signature: of.signedCalls
          ? fc.option(fc.base64String({ minLength: 4 }), { nil: undefined, freq: 2 })
          : fc.constant(undefined),
      }),
      { maxLength: 2 },
    ),
    next: anyWords,
  });

/** The messages of a conversation: it begins with the user, roles alternate, every call has its result, nothing is empty. */
function conversation(first: string, rounds: readonly Round[]): LlmMessage[] {
  const messages: LlmMessage[] = [{ role: 'user', content: first }];
  let ids = 0;
  for (const { content, thinking, calls, next } of rounds) {
    const toolCalls = calls.map(({ name, input, text, signature }, i): ToolCall => {
      const call = { id: `call_${ids + i}`, name, ...(signature !== undefined && { signature }) };
      return text === undefined ? { ...call, input } : { ...call, input: text, custom: true };
    });
    const toolResults: ToolOutcome[] = calls.map(({ output, isError, text }, i) => ({
      id: `call_${ids + i}`,
      ...(text === undefined ? {} : { custom: true as const }),
      content: isError && output.trim() === '' ? 'failed' : output,
      isError,
    }));
    ids += calls.length;
    const called = calls.length > 0;
    messages.push({
      role: 'assistant',
      content: content === '' && !called ? 'yes' : content,
      ...(called && { toolCalls }),
      ...(thinking.length > 0 && { thinking }),
    });
    messages.push(called ? { role: 'user', content: '', toolResults } : { role: 'user', content: next });
  }
  return messages;
}

/** The tools of a request, which a conversation with calls must have in some dialects. */
const named = (
  { namesTools }: RequestFeatures,
  tools: readonly ToolSpec[],
  rounds: readonly Round[],
): readonly ToolSpec[] =>
  namesTools === true && tools.length === 0 && rounds.some(({ calls }) => calls.length > 0)
    ? [{ name: 'get_weather', inputSchema: { type: 'object', properties: {} } }]
    : tools;

/**
 * Requests of a dialect, with only what it can express, as its `features` say: thoughts go back to Anthropic and Gemini (signed)
 * and Ollama (one text), results are marked as errors for Anthropic, `includeUsage` varies in streamed OpenAI chat.
 */
export function anyRequest(dialect: DialectName): fc.Arbitrary<LlmRequest> {
  const of = dialectOf[dialect].features;
  const limit = fc.integer({ min: 1, max: 100_000 });
  return fc
    .record(
      {
        model: fc.constantFrom('wireproof-1', 'claude-sonnet-4-5', 'qwen3:8b'),
        first: anyWords,
        rounds: fc.array(roundOf(of), { maxLength: 3 }),
        tools: fc.uniqueArray(toolOf(of), { maxLength: 3, selector: (tool) => tool.name }),
        stream: of.whole ? fc.boolean() : fc.constant(true),
        usage: fc.boolean(),
        eager: of.eagerTools === 'all' ? fc.boolean() : fc.constant(false),
        system: anyWords,
        maxTokens: limit,
        ...(of.stopSequences && { stopSequences: fc.uniqueArray(anyWords, { minLength: 1, maxLength: 4 }) }),
      },
      {
        requiredKeys: [
          'model',
          'first',
          'rounds',
          'tools',
          'stream',
          'usage',
          'eager',
          ...(of.needsLimit ? (['maxTokens'] as const) : []),
        ],
      },
    )
    .map(({ first, rounds, usage, eager, ...rest }) => ({
      ...rest,
      tools: eager ? rest.tools.map((tool) => ({ ...tool, eager })) : named(of, rest.tools, rounds),
      dialect,
      messages: conversation(first, rounds),
      includeUsage: of.optionalUsage && rest.stream ? usage : true,
    }));
}
