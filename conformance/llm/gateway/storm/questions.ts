/** The random questions of a storm: a pair of dialects, a request in full, and the provider's answers to it. */
import fc from 'fast-check';
import { exactText } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { anyFullRequest } from '../../../../src/llm/arbitrary/index.ts';
import { writeFullRequest } from '../../../../src/llm/gateway/index.ts';
import type { FullRequest } from '../../../../src/llm/gateway/index.ts';
import { modelOf, nameOfPair, pairs } from '../pairs.ts';
import type { Pair } from '../pairs.ts';
import { anyAnswer, calledTools } from './answers.ts';
import type { AnyAnswer } from './answers.ts';

/** A question that clients may ask several times. */
export interface Question {
  readonly pair: Pair;
  readonly request: FullRequest;
  /** The last one is also the answer to all later requests. */
  readonly answers: readonly AnyAnswer[];
  /** The answer of the second provider. */
  readonly second: AnyAnswer;
}

/** A request with a text and tools. */
const plain = (pair: Pair): FullRequest => ({
  from: pair.client,
  model: modelOf(pair),
  messages: [],
  tools: calledTools.map((name) => ({
    name,
    description: `The tool ${name}.`,
    schema: { type: 'object', properties: {} },
  })),
  limit: 1000,
  stream: true,
  unknown: {},
});

const anyRequest = (pair: Pair): fc.Arbitrary<FullRequest> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant(plain(pair)) },
    { weight: 1, arbitrary: anyFullRequest(pair.client).map((full) => ({ ...full, model: modelOf(pair) })) },
  );

export const anyQuestion: fc.Arbitrary<Question> = fc.constantFrom(...pairs).chain((pair) =>
  fc.record({
    pair: fc.constant(pair),
    request: anyRequest(pair),
    answers: fc
      .array(anyAnswer, { minLength: 1, maxLength: 2 })
      .map((answers) => answers.map((one) => forProvider(one, pair))),
    second: anyAnswer.map((one) => forProvider(one, pair)),
  }),
);

/** Lines of JSON end with a line feed. */
function forProvider(answer: AnyAnswer, { provider }: Pair): AnyAnswer {
  if (provider !== 'ollama') return answer;
  const { lines: _, ...more } = answer;
  return more;
}

/** The words by which a script knows a question. */
const wordsOf = (question: number): string => `Question ${question}.`;

/** The script of the first provider, or of the second one. `noise`: units stay whole, since noise is added to whole ones. */
export const scriptOf = (questions: readonly Question[], isSecond: boolean, noise: boolean): JsonObject => ({
  conversations: 'one',
  turns: questions.flatMap(({ answers, second }, n) => {
    const all = isSecond ? [second] : answers;
    return all.map((answer, i) => ({
      ...(noise ? whole(answer) : answer),
      match: { contains: wordsOf(n) },
      times: i === all.length - 1 ? 'always' : 1,
    }));
  }),
});

function whole(answer: AnyAnswer): JsonObject {
  const { chunk } = answer;
  const cutting = chunk === 'byte' ? ['split', 'chunk'] : ['split'];
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !cutting.includes(name)));
}

/** The name of a question's case: its stream and its body have the same script. */
export const caseOf = ({ pair }: Question, n: number): string => `${nameOfPair(pair)}-storm-${n}`;

/** A request of a client for a question, with a word of its own: by it, the judge joins both sides. */
export function askOf(
  { pair: { client }, request }: Question,
  n: number,
  ask: number,
  stream: boolean,
): JsonObject {
  const word = `[case storm-${n}-${ask}]`;
  const { includeUsage = true, ...members } = request;
  const asked: FullRequest = {
    ...members,
    messages: withWord(request, `${word} ${wordsOf(n)}`),
    stream,
    ...(stream && client === 'openai-chat' ? { includeUsage } : {}),
  };
  const { path, body } = writeFullRequest(client, asked);
  // A trace has doubles.
  const traced = JSON.parse(exactText(body)) as JsonObject;
  return { ask: { dialect: client, path, body: traced } };
}

/** The messages with these words at their end, from the user. */
function withWord({ messages }: FullRequest, text: string): FullRequest['messages'] {
  const last = messages.at(-1);
  const parts = [{ kind: 'text', text }] as const;
  if (last?.role !== 'user') return [...messages, { role: 'user', parts }];
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts, ...parts] }];
}
