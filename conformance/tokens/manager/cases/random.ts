/**
 * Random cases of what must hold of any conversation (TOK-29, TOK-48: "property, not example"): talks of all shapes,
 * pruned to any limit, and turns after which the provider answers anything. Always the same ones.
 */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { seededRandom } from '../../../../src/kit/world/index.ts';
import type { Random } from '../../../../src/kit/world/index.ts';
import { conversation, say, toolTurn, turn } from './conversations.ts';
import { call, testsOf } from './table.ts';
import type { TokensTest } from './table.ts';
import { asking, fails, responds } from './turn.ts';

const pick = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[random.below(items.length)] ?? items[0];

const many = <T>(random: Random, least: number, most: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: least + random.below(most - least + 1) }, (_, i) => make(i));

/** A talk as a provider would take it: some turns with calls, one or two at a time. */
const talk = (random: Random, least: number, most: number): readonly JsonObject[] =>
  many(random, least, most, (i) => {
    const chars = pick(random, [12, 40, 200, 800]);
    if (random.below(3) > 0) return turn(i + 1, chars);
    return toolTurn(i + 1, random.below(2) === 0 ? [`c${i}`] : [`c${i}`, `d${i}`], chars);
  }).flat();

/** The same as a careless program keeps it: messages that are lost, empty or said twice. */
const careless = (random: Random, messages: readonly JsonObject[]): readonly JsonObject[] =>
  messages.flatMap((message) => {
    const plain = !('toolCalls' in message) && !('toolResults' in message);
    const whim = plain ? random.below(8) : 7;
    if (whim === 0) return [];
    if (whim === 1) return [{ ...message, content: '' }];
    return whim === 2 ? [message, message] : [message];
  });

const system = say('system', 's', 40);

const prune = testsOf('tokens.prune');

const pruned = (n: number): readonly TokensTest[] => {
  const random = seededRandom(`tokens prune ${n}`);
  const start = random.below(2) === 0 ? [system] : [];
  const keepTurns = 1 + random.below(3);
  const limit = pick(random, [50, 300, 800, 2000]);
  // Badly kept ones are old enough to be cut, and over their limit: then order is owed, whatever else is.
  const untidy = conversation(start, careless(random, talk(random, 6, 14)));
  return [
    prune(
      `random-prune-${n}`,
      'a random talk',
      48,
      { messages: conversation(start, talk(random, 1, 14)), limit, keepTurns },
      { sound: true },
    ),
    {
      ...prune(
        `random-order-${n}`,
        'a random talk, badly kept',
        29,
        { messages: untidy, limit: 50, keepTurns },
        {
          ordered: true,
        },
      ),
      again: true,
    },
  ];
};

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
  const calls = many(random, 0, 2, (k) =>
    call(`r${i}-${k}`, 'write', pick<Json>(random, [{ path: '/a', content: 'x' }, { path: '/a' }, {}, null])),
  );
  const inputTokens = pick(random, [0, 100, 1500, 4000]);
  return responds(pick(random, reasons), calls, {
    content: pick(random, ['', ' ', 'I see.', 'A long answer. '.repeat(40)]),
    usage: { inputTokens, outputTokens: 0 },
  });
};

const turned = (n: number): TokensTest => {
  const random = seededRandom(`tokens turn ${n}`);
  const history = conversation(random.below(2) === 0 ? [system] : [], talk(random, 1, 12), [
    say('user', 'u', 60),
  ]);
  const maxTokens = pick(random, [3000, 20_000, 200_000]);
  const config = { maxTokens, reserveTokens: 200, warningThreshold: 0.8 };
  const provider = many(random, 1, 6, (i) => answer(random, i));
  return testsOf('tokens.turn')(`random-turn-${n}`, 'a random turn', 48, asking(history, provider, config), {
    sound: true,
  });
};

const numbers = Array.from({ length: 24 }, (_, n) => n + 1);

/** Random tests of `tokens.prune`. */
export const randomPruneTests: readonly TokensTest[] = numbers.slice(0, 12).flatMap(pruned);

/** Random tests of `tokens.turn`. */
export const randomTurnTests: readonly TokensTest[] = numbers.map(turned);
