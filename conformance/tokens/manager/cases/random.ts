/**
 * Random cases of properties of any conversation (TOK-29, TOK-48: "property, not example"): conversations of all
 * shapes, pruned to any limit, and turns with any answer of the provider.
 */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { seededRandom } from '../../../../src/kit/world/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import { vectorOf } from '../../../../src/kit/testee/index.ts';
import type { RandomTests } from '../../../../src/kit/testee/index.ts';
import type { Vector } from '../../../../src/kit/spec/index.ts';
import { fails, respond } from './builders.ts';
import { say, toolTurn, turn } from './conversations.ts';

const pick = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[random.below(items.length)] ?? items[0];

const many = <T>(random: Random, least: number, most: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: least + random.below(most - least + 1) }, (_, i) => make(i));

/** A conversation that a provider accepts: some turns have one or two calls. */
const talk = (random: Random, least: number, most: number): readonly JsonObject[] =>
  many(random, least, most, (i) => {
    const chars = pick(random, [12, 40, 200, 800]);
    if (random.below(3) > 0) return turn(i + 1, chars);
    return toolTurn(i + 1, random.below(2) === 0 ? [`c${i}`] : [`c${i}`, `d${i}`], chars);
  }).flat();

/** The same conversation with faults: lost, empty and repeated messages. */
const withFaults = (random: Random, messages: readonly JsonObject[]): readonly JsonObject[] =>
  messages.flatMap((message) => {
    const plain = !('toolCalls' in message) && !('toolResults' in message);
    const whim = plain ? random.below(8) : 7;
    if (whim === 0) return [];
    if (whim === 1) return [{ ...message, content: '' }];
    return whim === 2 ? [message, message] : [message];
  });

const system = say('system', 's', 40);

/** Seed 1 keeps the names that these tests had before the seed existed. */
const named = (seed: string): { readonly label: string; readonly infix: string } =>
  seed === '1' ? { label: '', infix: '' } : { label: `${seed} `, infix: `${seed}-` };

const test = (id: string, comment: string, row: string, input: JsonObject, expect: JsonObject): Vector =>
  vectorOf({ id, comment, requirements: [row], ...input, expect });

function randomPrune(seed: string, n: number): readonly Vector[] {
  const { label, infix } = named(seed);
  const random = seededRandom(`${label}tokens prune ${n}`);
  const start = random.below(2) === 0 ? [system] : [];
  const keepTurns = 1 + random.below(3);
  const limit = pick(random, [50, 300, 800, 2000]);
  // Conversations with faults are over their limit and old enough to be cut, so their order is judged.
  const untidy = [...start, ...withFaults(random, talk(random, 6, 14))];
  const tidy = { messages: [...start, ...talk(random, 1, 14)], limit, keepTurns };
  const order = test(
    `random-order-${infix}${n}`,
    'a random talk, badly kept',
    'TOK-29',
    { messages: untidy, limit: 50, keepTurns },
    { ordered: true },
  );
  return [
    test(`random-prune-${infix}${n}`, 'a random talk', 'TOK-48', tidy, { sound: true }),
    { ...order, flags: ['again'] },
  ];
}

const text: JsonObject = { type: 'string' };

const tool = (name: string, output: string, ...required: readonly string[]): JsonObject => ({
  name,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(required.map((one) => [one, text])),
    required,
  },
  output,
});

/** The tools of turns, as in the case tables. */
const tools: readonly JsonObject[] = [
  tool('write', 'written', 'path', 'content'),
  tool('read', 'what it says', 'path'),
];

const reasons = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'max_tokens',
  'refusal',
  'context_window',
  'pause_turn',
] as const;

const answer = (random: Random, i: number): JsonObject => {
  if (random.below(4) === 0)
    return pick(random, [
      fails('network'),
      fails('overflow'),
      fails('http', { status: 503 }),
      fails('http', { status: 400 }),
    ]);
  const calls = many(random, 0, 2, (k) => ({
    id: `r${i}-${k}`,
    name: 'write',
    input: pick<Json>(random, [{ path: '/a', content: 'x' }, { path: '/a' }, {}, null]),
  }));
  const inputTokens = pick(random, [0, 100, 1500, 4000]);
  return respond(pick(random, reasons), calls, {
    content: pick(random, ['', ' ', 'I see.', 'A long answer. '.repeat(40)]),
    usage: { inputTokens, outputTokens: 0 },
  });
};

function randomTurn(seed: string, n: number): Vector {
  const { label, infix } = named(seed);
  const random = seededRandom(`${label}tokens turn ${n}`);
  const start = random.below(2) === 0 ? [system] : [];
  const history = [...start, ...talk(random, 1, 12), say('user', 'u', 60)];
  const maxTokens = pick(random, [3000, 20_000, 200_000]);
  const config = { maxTokens, reserveTokens: 200, warningThreshold: 0.8 };
  const provider = many(random, 1, 6, (i) => answer(random, i));
  const input = { history, config, tools, provider };
  return test(`random-turn-${infix}${n}`, 'a random turn', 'TOK-48', input, { sound: true });
}

const numbers = Array.from({ length: 24 }, (_, n) => n + 1);

/** Random tests of `tokens.prune`. */
export const randomPrunes: RandomTests = (seed) => ({
  'tokens.prune': numbers.slice(0, 12).flatMap((n) => randomPrune(seed, n)),
});

/** Random tests of `tokens.turn`. */
export const randomTurns: RandomTests = (seed) => ({
  'tokens.turn': numbers.map((n) => randomTurn(seed, n)),
});
