/** Readers of the token manager; see readers.test-helper.ts. */
import { describe } from 'vitest';
import type { JsonObject } from '../../src/kit/base/index.ts';
import { tokensTestee } from '../../src/tokens/index.ts';
import { filled, holds, values } from './readers.test-helper.ts';

const tokensMessages: { readonly [kind: string]: JsonObject[] } = {
  'one long text': [{ role: 'user', content: filled('x') }],
  'one text of blanks': [{ role: 'user', content: filled(' ') }],
  'one text of lines': [{ role: 'user', content: filled('a\n') }],
  'many messages': Array.from({ length: 25_000 }, () => ({ role: 'user', content: 'a' })),
  'many calls': [
    {
      role: 'assistant',
      content: '',
      toolCalls: Array.from({ length: 20_000 }, (_, n) => ({ id: `c${n}`, name: 'n', input: {} })),
    },
  ],
  'many results': Array.from({ length: 10_000 }, (_, n) => [
    { role: 'assistant', content: '', toolCalls: [{ id: `c${n}`, name: 'n', input: {} }] },
    { role: 'user', content: '', toolResults: [{ id: `c${n}`, content: 'a', isError: false }] },
  ]).flat(),
  'calls of one id': Array.from({ length: 15_000 }, () => ({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c', name: 'n', input: {} }],
  })),
};

/** A response of the scripted provider of a turn. */
const turnResponse = (given: JsonObject): JsonObject => ({
  response: { content: '', toolCalls: [], stopReason: 'end_turn', ...given },
});

const turnCall = (n: number): JsonObject => ({ id: `c${n}`, name: 'n', input: {} });

const many = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));

/** What the provider of a turn answers, with the tools. */
const turns: { readonly [kind: string]: JsonObject } = {
  'many calls in one response': {
    provider: [turnResponse({ toolCalls: many(15_000, turnCall), stopReason: 'tool_use' })],
  },
  'calls of one id': {
    provider: [turnResponse({ toolCalls: many(15_000, () => turnCall(1)), stopReason: 'tool_use' })],
  },
  'many failures': { provider: many(20_000, () => ({ error: { kind: 'network' } })) },
  'many overflows': { provider: many(20_000, () => ({ error: { kind: 'overflow' } })) },
  'many cut responses': {
    provider: many(8000, () => turnResponse({ content: 'a', stopReason: 'max_tokens' })),
  },
  'one long response': { provider: [turnResponse({ content: filled('x') })] },
  'one long open call': {
    provider: [
      turnResponse({ stopReason: 'max_tokens', open: { id: 'a', name: 'n', partial: filled('{"a":[') } }),
    ],
  },
  'many tools': {
    provider: [turnResponse({ toolCalls: many(5000, turnCall), stopReason: 'tool_use' })],
    tools: many(10_000, (n) => ({ name: `t${n}`, inputSchema: { type: 'object' } })),
  },
};

describe('tokens', () => {
  holds<JsonObject[]>(
    {
      estimate: (messages) => tokensTestee({ id: 1, op: 'tokens.estimate', messages }),
      prune: (messages) => tokensTestee({ id: 1, op: 'tokens.prune', messages, limit: 1000 }),
      'a turn': (history) =>
        tokensTestee({ id: 1, op: 'tokens.turn', history, provider: [turnResponse({ content: 'a' })] }),
      'a turn after an overflow': (history) =>
        tokensTestee({
          id: 1,
          op: 'tokens.turn',
          history,
          provider: [{ error: { kind: 'overflow' } }, turnResponse({ content: 'a' })],
        }),
      summarize: (messages) => tokensTestee({ id: 1, op: 'tokens.summarize', messages }),
    },
    tokensMessages,
  );
  holds<string>(
    {
      'a response': (text) =>
        tokensTestee({
          id: 1,
          op: 'tokens.handle_response',
          response: {
            content: 'a',
            stopReason: 'tool_use',
            toolCalls: [{ id: 'a', name: 'n', input: { a: JSON.parse(text) } }],
            metadata: {},
          },
          tools: [{ name: 'n', parameters: { type: 'object' } }],
        }),
    },
    values,
  );
  holds<JsonObject>(
    { 'a turn': (turn) => tokensTestee({ id: 1, op: 'tokens.turn', history: [], ...turn }) },
    turns,
  );
  // Each iteration of a turn shows the whole conversation in its action: the sum is quadratic in the number of
  // iterations, so these are as many as a long session of an agent has.
  holds<JsonObject>(
    { 'a turn': (turn) => tokensTestee({ id: 1, op: 'tokens.turn', history: [], ...turn }) },
    {
      'many iterations': {
        provider: many(300, (n) => turnResponse({ toolCalls: [turnCall(n)], stopReason: 'tool_use' })),
      },
    },
  );
  holds<JsonObject[]>(
    {
      'a budget': (usages) =>
        tokensTestee({ id: 1, op: 'tokens.budget', config: { maxTokens: 100 }, usages }),
    },
    {
      'many usages': many(30_000, () => ({ inputTokens: 1, outputTokens: 1 })),
      'large usages': many(30_000, () => ({ inputTokens: 1e300, totalTokens: 1e308 })),
      'empty usages': many(300_000, () => ({})),
    },
  );
});
