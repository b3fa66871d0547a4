/** The builders for the case tables of token managers: calls, conversations, responses and budgets. */
import { integerOf, isArray } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import {
  listArgument,
  numberArgument,
  objectArgument,
  textArgument,
  textBuilders,
} from '../../../../src/kit/spec/index.ts';
import type { Case, CaseBuilders, Vector } from '../../../../src/kit/spec/index.ts';
import { vectorOf } from '../../../../src/kit/testee/index.ts';
import { answering, calling, say, toolTurn, turn, turns } from './conversations.ts';
import type { Speaker } from './conversations.ts';

const textsIn = (value: Json | undefined): readonly string[] => listArgument(value).map(textArgument);

const call = (id: Json | undefined, name: string, input: JsonObject): JsonObject => ({
  id: textArgument(id),
  name,
  input,
});

/** A response of the provider. */
export const respond = (
  stopReason: string,
  toolCalls: readonly Json[] = [],
  more: JsonObject = {},
): JsonObject => ({ response: { content: 'Here is what I think.', toolCalls, stopReason, ...more } });

/** The provider fails. */
export const fails = (kind: string, more: JsonObject = {}): JsonObject => ({ error: { kind, ...more } });

/** A number of responses that the limit cut in the middle of `write`. */
const cutTimes = (times: number, text: string): Json =>
  Array.from({ length: times }, (_, i) =>
    respond('max_tokens', [call(`c${i}`, 'write', { path: '/a' })], { content: text }),
  );

const speakers: readonly Speaker[] = ['system', 'user', 'assistant'];

function speaker(value: Json | undefined): Speaker {
  const known = speakers.find((one) => one === value);
  if (known !== undefined) return known;
  throw new Error(`expected one of ${speakers.join(', ')}; came ${JSON.stringify(value)}`);
}

/** A conversation that compacting makes much smaller: the assistant's messages are long, the user's have `chars` units. */
const talk = (count: number, chars: number): Json => [
  ...Array.from({ length: count }, (_, i) => [
    say('user', `u${i + 1}`, chars),
    say('assistant', `a${i + 1}`, 1200),
  ]).flat(),
  say('user', `u${count + 1}`, chars),
];

/** Turns and messages. A message has a given length and begins with its mark. */
const conversations: CaseBuilders = {
  say: (role, mark, chars) => say(speaker(role), textArgument(mark), numberArgument(chars, 400)),
  turn: (n, chars) => turn(numberArgument(n), numberArgument(chars, 400)),
  turns: (from, to, chars) => turns(numberArgument(from), numberArgument(to), numberArgument(chars, 400)),
  toolTurn: (n, ids, chars) => {
    const number = numberArgument(n);
    return toolTurn(number, ids === undefined ? [`c${number}`] : textsIn(ids), numberArgument(chars, 400));
  },
  calling: (mark, ids) => calling(textArgument(mark), textsIn(ids)),
  answering: (ids, content) => answering(textsIn(ids), textArgument(content ?? 'done')),
  talk: (count, chars) => talk(numberArgument(count), numberArgument(chars, 40)),
};

const calls: CaseBuilders = {
  /** A call of `write` with all required parameters. */
  whole: (id) => call(id, 'write', { path: '/a', content: 'x' }),
  /** A call of `write` without a required text. */
  lacking: (id) => call(id, 'write', { path: '/a' }),
  /** A call of `read` with all required parameters. */
  read: (id) => call(id, 'read', { path: '/a' }),
};

const responses: CaseBuilders = {
  /** A response that the limit cut, with these calls. */
  cut: (made, more) => ({
    content: 'Writing the files now.',
    toolCalls: listArgument(made).flat(),
    stopReason: 'max_tokens',
    ...objectArgument(more),
  }),
  responds: (stopReason, made, more) =>
    respond(textArgument(stopReason), listArgument(made), objectArgument(more)),
  /** A response that calls `read`, with usage. */
  readWith: (usage, id) =>
    respond('tool_use', [call(id ?? 'c1', 'read', { path: '/a' })], { usage: objectArgument(usage) }),
  fails: (kind, more) => fails(textArgument(kind), objectArgument(more)),
  cutTimes: (times, text) => cutTimes(numberArgument(times), textArgument(text)),
  /** A list with a value repeated a number of times. */
  times: (value, count) => Array.from({ length: numberArgument(count) }, () => value ?? null),
};

const budgets: CaseBuilders = {
  budget: (more) => ({
    maxTokens: 10_000,
    reserveTokens: 500,
    warningThreshold: 0.8,
    ...objectArgument(more),
  }),
  /** The usage of one response with this number of tokens. No usage for 0. */
  used: (tokens) => (tokens === 0 ? [] : [{ inputTokens: numberArgument(tokens), outputTokens: 0 }]),
};

/** Integers of 64 bits, which a number in a table is not. */
const integers: CaseBuilders = {
  integer: (digits) => integerOf(textArgument(digits)) as Json,
};

/** The builders by name. */
export const tokensBuilders: CaseBuilders = {
  ...textBuilders,
  ...conversations,
  ...calls,
  ...responses,
  ...budgets,
  ...integers,
};

/** Members whose lists a table may write in parts. A part is a list or an item. */
const partly: readonly string[] = ['messages', 'history', 'provider'];

/** Makes the test of a vector. */
export function tokensVector(test: Case): Vector {
  const whole = Object.entries(test).map(([name, value]) =>
    partly.includes(name) && isArray(value) ? [name, value.flat(2)] : [name, value],
  );
  return vectorOf(Object.fromEntries(whole));
}
