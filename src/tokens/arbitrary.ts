/** Generators for token management: valid and broken conversations, responses, tools, failures, and the inputs of a turn. */
import fc from 'fast-check';
import { stopReasons } from '../kit/base/index.ts';
import type {
  Json,
  OpenCall,
  ProviderMessage,
  ProviderResponse,
  ToolCall,
  ToolOutcome,
  Usage,
} from '../kit/base/index.ts';
import type { TurnInput } from './machine/state.ts';
import { repair } from './manager/repair.ts';
import { failureKinds } from './manager/retry.ts';
import type { ProviderFailure } from './manager/retry.ts';
import type { ThreadEvent } from './manager/thread.ts';
import { eventsOf } from './manager/thread.ts';
import type { ToolSchema } from './manager/tool-schema.ts';

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({
  weight,
  arbitrary,
});

/** Any text, among them the texts that break implementations: blank, long, or with half a surrogate pair. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  weighted(4, fc.string({ maxLength: 30 })),
  weighted(2, fc.string({ unit: 'binary', maxLength: 30 })),
  weighted(2, fc.constantFrom('', ' ', '\n\n', '\uD83D', '\uDE00', '😀', '\uFEFF', '__proto__')),
  weighted(
    1,
    fc
      .tuple(fc.constantFrom('word ', '😀', 'line\n'), fc.integer({ min: 50, max: 400 }))
      .map(([unit, n]) => unit.repeat(n)),
  ),
);

/** A few ids, so that they repeat. */
const ids = fc.constantFrom('a', 'b', 'c', 'd', '', '__proto__');
const names = fc.constantFrom('read', 'write', 'run', 'unknown');
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;

/** The tools of {@link calls}; one name has no tool. */
export const tools: fc.Arbitrary<readonly ToolSchema[]> = fc.constant([
  {
    name: 'read',
    inputSchema: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
  },
  {
    name: 'write',
    inputSchema: {
      type: 'object',
      required: ['path', 'text'],
      properties: { path: { type: 'string' }, text: { type: ['string', 'null'] } },
    },
  },
  { name: 'run', inputSchema: { type: 'object' } },
]);

const values = fc.oneof(json, fc.constantFrom<Json>('', ' ', null, 0, false, []));
const inputs: fc.Arbitrary<Json> = fc.oneof(
  weighted(3, fc.record({ path: values, text: values }, { requiredKeys: [], noNullPrototype: true })),
  weighted(1, values),
);

/** Complete and incomplete calls. */
export const calls: fc.Arbitrary<ToolCall> = fc.record({ id: ids, name: names, input: inputs });

/** Results of calls with the same few ids. */
export const results: fc.Arbitrary<ToolOutcome> = fc.record({
  id: ids,
  content: texts,
  isError: fc.boolean(),
});

/** A broken message: any part may be missing, misplaced or empty. */
export const messages: fc.Arbitrary<ProviderMessage> = fc.record(
  {
    role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
    content: texts,
    toolCalls: fc.array(calls, { maxLength: 3 }),
    toolResults: fc.array(results, { maxLength: 3 }),
  },
  { requiredKeys: ['role', 'content'], noNullPrototype: true },
);

/** Any list of messages. */
export const brokenHistories: fc.Arbitrary<readonly ProviderMessage[]> = fc.array(messages, {
  maxLength: 12,
});

/** Text that is not blank. */
const nonBlank = texts.map((text) => `${text}.`);

/** A turn: a question, calls with their results, an answer. */
const turns = (n: number): fc.Arbitrary<readonly ProviderMessage[]> =>
  fc
    .record({
      question: nonBlank,
      answer: nonBlank,
      rounds: fc.array(fc.array(texts, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    })
    .map(({ question, answer, rounds }) => [
      { role: 'user', content: question },
      ...rounds.flatMap((contents, round): readonly ProviderMessage[] => {
        const toolCalls = contents.map((path, i) => ({
          id: `t${n}.${round}.${i}`,
          name: 'read',
          input: { path },
        }));
        const toolResults = toolCalls.map(({ id }, i) => ({
          id,
          content: `${contents[i]}.`,
          isError: i === 1,
        }));
        return [
          { role: 'assistant', content: '', toolCalls },
          { role: 'user', content: '', toolResults },
        ];
      }),
      { role: 'assistant', content: answer },
    ]);

/** Conversations that every provider accepts, with up to eight turns, some with a system message. */
export const histories: fc.Arbitrary<readonly ProviderMessage[]> = fc
  .tuple(
    fc.option(nonBlank),
    fc.tuple(...Array.from({ length: 8 }, (_, n) => turns(n))),
    fc.integer({ min: 1, max: 8 }),
  )
  .map(([system, all, count]) =>
    repair([
      ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
      ...all.slice(0, count).flat(),
    ]),
  );

/** Threads: the events of conversations, some incomplete and in any order. */
export const threads: fc.Arbitrary<readonly ThreadEvent[]> = fc.oneof(
  brokenHistories.map(eventsOf),
  brokenHistories.chain((history) => fc.shuffledSubarray([...eventsOf(history)])),
);

const usages: fc.Arbitrary<Usage> = fc.record({ inputTokens: fc.nat(5000), outputTokens: fc.nat(5000) });
const open: fc.Arbitrary<OpenCall> = fc.record({ id: ids, name: names, partial: texts });

/** Responses with every stop reason; their calls may be incomplete or open. */
export const responses: fc.Arbitrary<ProviderResponse> = fc.record(
  {
    content: texts,
    toolCalls: fc.array(calls, { maxLength: 4 }),
    metadata: fc.record(
      { stopReason: fc.constantFrom(...stopReasons), usage: usages },
      { requiredKeys: ['stopReason'], noNullPrototype: true },
    ),
    open,
  },
  { requiredKeys: ['content', 'toolCalls', 'metadata'], noNullPrototype: true },
);

/** Failures of every kind. */
export const failures: fc.Arbitrary<ProviderFailure> = fc.record(
  {
    kind: fc.constantFrom(...failureKinds),
    status: fc.constantFrom(400, 401, 404, 408, 409, 413, 429, 500, 503, 529),
    retryAfter: fc.nat(120_000),
  },
  { requiredKeys: ['kind'], noNullPrototype: true },
);

/** Answers to the action `measure`. */
const measures = fc.record(
  {
    type: fc.constant('measured' as const),
    tokens: fc.oneof(fc.nat(10_000), fc.constantFrom(0, -1, Number.NaN, Infinity)),
    budget: fc.record({
      maxTokens: fc.constantFrom(0, 800, 20_000),
      reserveTokens: fc.constantFrom(0, 100),
      warningThreshold: fc.constant(0.8),
    }),
    compacts: fc.boolean(),
    stops: fc.constantFrom(false, false, true),
  },
  { requiredKeys: ['type'], noNullPrototype: true },
);

/** The inputs of a turn, in a possible or an impossible order. */
export const turnInputs: fc.Arbitrary<readonly TurnInput[]> = fc
  .tuple(
    fc.oneof(histories, brokenHistories),
    fc.array(
      fc.oneof(
        weighted(5, fc.record({ type: fc.constant('response' as const), response: responses })),
        weighted(2, fc.record({ type: fc.constant('failed' as const), failure: failures })),
        weighted(4, fc.record({ type: fc.constant('waited' as const) })),
        weighted(
          4,
          fc.record({ type: fc.constant('ran' as const), results: fc.array(results, { maxLength: 3 }) }),
        ),
        weighted(3, measures),
        weighted(1, fc.record({ type: fc.constant('cancel' as const) })),
        weighted(
          1,
          brokenHistories.map((history) => ({ type: 'begin' as const, history })),
        ),
      ),
      { maxLength: 20 },
    ),
  )
  .map(([history, rest]) =>
    [{ type: 'begin' as const, history }, ...rest].map((input, i) => ({ ...input, now: i * 20_000 })),
  );
