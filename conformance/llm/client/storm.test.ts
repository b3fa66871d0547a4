/** Random scripts against the reference client: it violates no rule, and every turn ends. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { peerOf, simulate } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { anyTurn } from '../../../src/llm/arbitrary/answer.ts';
import { askedCodec, dialects, sentCodec, signals, streamer, transportEnds } from '../../../src/llm/index.ts';
import type { DialectName, Script } from '../../../src/llm/index.ts';
import { llmClientSuite } from './suite.ts';
import { scenarioFor } from './scenarios.ts';

type Turn = Script['turns'][number];

type Step = Turn['steps'][number];

/**
 * Ids are removed, so that the provider draws unique ones. No client can continue a conversation with an id that is
 * used twice.
 */
function withoutId(step: Step): Step {
  if (step.do !== 'tool_call') return step;
  const { id: _, ...rest } = step;
  return rest;
}

/** A turn that ends well or badly, in any pieces. It has no barriers, because no step releases them. */
const anyPlayable = (dialect: DialectName): fc.Arbitrary<Turn> =>
  fc
    .record({
      turn: anyTurn,
      signal: fc.constantFrom('honest' as const, 'honest' as const, ...signals),
      transport: fc.constantFrom('clean' as const, 'clean' as const, ...transportEnds),
      // A WebSocket message is never split.
      split: fc.constantFrom(
        ...(dialect === 'lmstudio' ? [undefined] : [undefined, 'utf8' as const, { size: 5 }]),
      ),
      lines: fc.constantFrom(
        'lf' as const,
        ...(dialect === 'ollama' ? [] : ['crlf' as const, 'cr' as const]),
      ),
      limit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 2 }),
    })
    .map(({ turn, signal, transport, split, lines, limit }) => ({
      ...turn,
      steps: turn.steps.filter((step) => step.do !== 'barrier').map(withoutId),
      signal,
      transport,
      lines,
      ...(split === undefined ? {} : { split }),
      ...(limit === undefined ? {} : { limit }),
    }));

/** Answers all requests after the random turns. */
const last: Turn = {
  times: 'always',
  steps: [{ do: 'text', text: 'That is all.' }],
  chunk: 'token',
  delay: 0,
  jitter: 0,
  signal: 'honest',
  transport: 'clean',
  lines: 'lf',
  pings: 0,
  variants: {},
};

it.each(dialects)('in %s', { timeout: 120_000 }, (dialect) => {
  const scenario = scenarioFor(
    { name: 'storm', title: 'a storm', turns: [{ answer: { steps: [] }, asks: { timeout_ms: 500 } }] },
    dialect,
  );
  fc.assert(
    fc.property(fc.array(anyPlayable(dialect), { minLength: 1, maxLength: 3 }), fc.nat(), (turns, seed) => {
      const script: Script = { model: 'wireproof-1', tokenizer: { units: 4 }, turns: [...turns, last] };
      const role = streamer({ script, random: (label) => seededRandom(`${seed} ${label}`) });
      const suite = {
        ...llmClientSuite,
        peers: { ...llmClientSuite.peers, 'llm/provider': () => peerOf(role, askedCodec, sentCodec) },
      };
      const target = llmClientSuite.reference();
      const { found, played } = simulate({ suite, scenario, target, seed: String(seed), steps: 500_000 });
      expect(played.outcome).toBe('done');
      const broken = [...found].flatMap(([id, { violations }]) =>
        violations.map(({ message }) => `${id}: ${message}`),
      );
      expect(broken).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
