/** Random answers of a provider, in the words of a script: content of all kinds, each end, and each way to fail. */
import fc from 'fast-check';
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { anyArguments, anyWords } from '../../../../src/llm/arbitrary/index.ts';
import { signals, transportEnds } from '../../../../src/llm/index.ts';

/** A turn of a script, without the requests that it answers. */
export type AnyAnswer = JsonObject & { readonly steps: readonly JsonObject[] };

/** The names of tools that answers call, whether a request offers them or not. */
export const calledTools = ['write', 'read', 'get_weather'] as const;

/** The barrier at which answers wait. */
export const stormBarrier = 'storm';

const citations = fc.constantFrom<JsonObject[]>(
  { url: 'https://example.com/wires', title: 'Wires', text: 'Wires' },
  { url: 'https://example.com/words', title: 'Words' },
);

/** Arguments of a call: JSON, also with integers beyond 2^53, or what a model writes instead. */
const argumentTexts = fc.oneof(
  { weight: 6, arbitrary: anyArguments.map((input) => JSON.stringify(input)) },
  { weight: 1, arbitrary: fc.constant('{"big":9007199254740993,"n":1.0}') },
  { weight: 1, arbitrary: fc.constantFrom('', '{"title": "never closed', '[1]', 'no JSON') },
);

const call = fc
  .record({ name: fc.constantFrom(...calledTools), arguments: argumentTexts })
  .map((tool_call): JsonObject => ({ tool_call }));

const content: fc.Arbitrary<JsonObject> = fc.oneof(
  { withCrossShrink: true },
  { weight: 6, arbitrary: anyWords.map((text) => ({ text })) },
  { weight: 4, arbitrary: call },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyWords, fc.array(citations, { minLength: 1, maxLength: 2 }))
      .map(([text, cited]) => ({ text: { text, citations: cited } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ text: anyWords, signature: fc.base64String({ minLength: 4 }) }, { requiredKeys: ['text'] })
      .map((thinking) => ({ thinking })),
  },
  { weight: 1, arbitrary: fc.base64String({ minLength: 4 }).map((data) => ({ redacted_thinking: data })) },
);

/** What stands before all other content, and after it. */
interface Around {
  readonly before: readonly JsonObject[];
  readonly after: readonly JsonObject[];
}

/** A refusal has its place at an end: of a part between others, an answer in no dialect's words does not know the place. */
const refusal: fc.Arbitrary<Around> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: fc.constant<Around>({ before: [], after: [] }) },
  { weight: 1, arbitrary: anyWords.map((words): Around => ({ before: [], after: [{ refusal: words }] })) },
  { weight: 1, arbitrary: anyWords.map((words): Around => ({ before: [{ refusal: words }], after: [] })) },
);

const aside: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({ ping: true }),
  fc.constantFrom('', 'keep-alive', 'data: no').map((comment) => ({ comment })),
  fc.constantFrom('10ms', '300ms').map((wait) => ({ wait })),
  fc.constant({ barrier: stormBarrier }),
);

const counts = fc.record(
  {
    input: fc.nat(5000),
    output: fc.nat(5000),
    cache_read: fc.nat(5000),
    cache_write: fc.nat(5000),
    thinking: fc.nat(50),
  },
  { requiredKeys: [] },
);

/** The types of errors in scripts, and a status of each. */
const failures = fc.constantFrom(
  { type: 'invalid_request', status: 400 },
  { type: 'authentication', status: 401 },
  { type: 'permission', status: 403 },
  { type: 'not_found', status: 404 },
  { type: 'too_large', status: 413 },
  { type: 'rate_limit', status: 429 },
  { type: 'server', status: 500 },
  { type: 'timeout', status: 504 },
  { type: 'overloaded', status: 529 },
);

const messages = fc.constantFrom('Too many kittens', 'Half “quoted” \\ words');

const stop = fc.oneof(
  fc
    .constantFrom('end_turn', 'max_tokens', 'content_filter', 'context_window', 'refusal', 'pause_turn')
    .map((reason): JsonObject => ({ stop: reason })),
  anyWords.map((sequence): JsonObject => ({ stop: { reason: 'stop_sequence', sequence } })),
);

/** The provider refuses at once. */
const refused: fc.Arbitrary<AnyAnswer> = fc
  .tuple(failures, messages, fc.constantFrom({}, {}, { retry_after: '1s' }, { retry_after: '3s' }))
  .map(([failure, message, hint]) => ({ steps: [{ error: { ...failure, message, ...hint } }] }));

const isContent = (step: JsonObject): boolean =>
  !['ping', 'comment', 'wait', 'barrier'].some((name) => name in step);

/** What ends the steps of an answer. */
const lastSteps: fc.Arbitrary<readonly JsonObject[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 6, arbitrary: fc.constant<JsonObject[]>([]) },
  { weight: 3, arbitrary: stop.map((one): JsonObject[] => [one]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(failures, messages)
      .map(([failure, message]): JsonObject[] => [{ error: { ...failure, message } }]),
  },
  { weight: 3, arbitrary: counts.map((usage): JsonObject[] => [{ usage: { ...usage } }]) },
);

/** The steps of an answer: content with asides between, and its end. */
const steps: fc.Arbitrary<readonly JsonObject[]> = fc
  .tuple(
    fc.array(content, { minLength: 1, maxLength: 4 }),
    refusal,
    fc.array(fc.tuple(fc.nat(4), aside), { maxLength: 2 }),
    lastSteps,
  )
  .map(([said, { before, after }, asides, last]) => {
    const all = [...before, ...said, ...after];
    for (const [at, step] of asides) all.splice(Math.min(at, all.length), 0, step);
    return [...all, ...last];
  });

/** The bytes of an answer: their pieces, their lines, and what is between them. */
const wire: fc.Arbitrary<JsonObject> = fc.record(
  {
    chunk: fc.oneof(
      fc.constantFrom('token', 'char', 'byte'),
      fc.integer({ min: 1, max: 40 }).map((size) => ({ size })),
    ),
    split: fc.oneof(
      fc.constantFrom('byte', 'utf8'),
      fc.integer({ min: 1, max: 20 }).map((size) => ({ size })),
    ),
    lines: fc.constantFrom('crlf', 'cr'),
    delay: fc.constantFrom('1ms', '20ms'),
    pings: fc.integer({ min: 1, max: 3 }),
    limit: fc.integer({ min: 1, max: 40 }),
    signal: fc.constantFrom(...signals),
    transport: fc.constantFrom(...transportEnds),
  },
  { requiredKeys: [] },
);

/** A cut inside one of the steps with content. */
const cutOf = (of: readonly JsonObject[]): fc.Arbitrary<JsonObject> => {
  const said = of.filter(isContent).filter((step) => !('usage' in step || 'stop' in step || 'error' in step));
  return fc
    .tuple(fc.nat(Math.max(0, said.length - 1)), fc.nat(20))
    .map(([step, byte]) => ({ cut: { step, at: { byte: Math.min(byte, sizeOf(said[step])) } } }));
};

/** The bytes of a step that a script can be cut in. */
function sizeOf(step: JsonObject | undefined): number {
  const [value] = Object.values(step ?? {});
  const said = typeof value === 'object' && value !== null ? Object.values(value) : [value];
  const [text] = said.slice('tool_call' in (step ?? {}) ? 1 : 0);
  return typeof text === 'string' && !('redacted_thinking' in (step ?? {})) ? Buffer.byteLength(text) : 0;
}

const told: fc.Arbitrary<AnyAnswer> = fc.tuple(steps, wire).chain(([said, { limit, ...bytes }]) => {
  const isCuttable = !said.some((step) => 'stop' in step || 'error' in step || isCited(step));
  const cut = isCuttable ? fc.option(cutOf(said), { nil: {}, freq: 3 }) : fc.constant({});
  return cut.map((one) => ({
    steps: said,
    ...bytes,
    ...(limit === undefined || said.some(isCited) ? {} : { limit }),
    ...one,
  }));
});

/** A provider cites a text behind it: of a text that is cut, nobody knows what is cited. */
const isCited = ({ text }: JsonObject): boolean => isObject(text);

/** An answer of a provider. */
export const anyAnswer: fc.Arbitrary<AnyAnswer> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: told },
  { weight: 1, arbitrary: refused },
);
