/** No false alarm: no answer of an honest provider violates a requirement, and no reader throws for any input. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, Scenario, TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { simulate } from '../../../src/kit/suite/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { anyGeneration } from '../../../src/llm/arbitrary/answer.ts';
import type { ScriptTurn } from '../../../src/llm/script/script.ts';
import { dialects, streamer } from '../../../src/llm/index.ts';
import type { DialectName, LlmRequest } from '../../../src/llm/index.ts';
import { llmServerSuite } from './suite.ts';
import { serverScenarios } from './scenarios.ts';
import { hosted } from './target.ts';

const scenarios = serverScenarios();

/** The scenario of a plain answer, with another request. */
function asking(dialect: DialectName, request: LlmRequest): Scenario {
  const plain = scenarios.find(({ name }) => name === `${dialect}-text`);
  if (plain === undefined) throw new Error(`no scenario ${dialect}-text`);
  const { dialect: _, model: __, ...asked } = request;
  const message = { ask: { dialect, request: JSON.parse(JSON.stringify(asked)) as Json } };
  const steps = plain.steps.map((step) =>
    'send' in step && 'ask' in step.send.message ? { send: { ...step.send, message } } : step,
  );
  return { ...plain, steps };
}

/** A model that says U+FFFD, or half of a surrogate pair, cannot be distinguished from a server that loses characters. */
const hasWholeCharacters = (turn: ScriptTurn): boolean =>
  !/\\ud[89a-f][0-9a-f]{2}|\uFFFD/i.test(JSON.stringify(turn));

/** Barriers are removed, because no step releases them. */
const unheld = (turn: ScriptTurn): ScriptTurn => ({
  ...turn,
  steps: turn.steps.filter((step) => step.do !== 'barrier'),
});

const serving = (turn: ScriptTurn): ReturnType<typeof hosted> => {
  const script = {
    model: 'wireproof-1',
    tokenizer: { units: 4 },
    turns: [{ ...turn, times: 'always' as const }],
  };
  return hosted(streamer({ script, random: (label) => seededRandom(label) }));
};

describe.each(dialects)('honest answers in %s', (dialect) => {
  it('violate no requirement, and end', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyGeneration(dialect), ({ request, turn, transcript }) => {
        // A model that ends in mid-sentence with its last token cannot be distinguished from a hidden cut.
        fc.pre(transcript.stop === 'max_tokens' || transcript.usage.outputTokens !== request.maxTokens);
        fc.pre(hasWholeCharacters(turn));
        const scenario = asking(dialect, request);
        const run = simulate({ suite: llmServerSuite, scenario, target: serving(unheld(turn)), seed: '1' });
        expect(run.played.outcome).toBe('done');
        for (const [id, { violations }] of run.found) expect([id, violations]).toEqual([id, []]);
        expect(run.found.get('LLM-S02')?.exercised).toBe(1);
      }),
      { numRuns: 150 },
    );
  });

  it('never make a reader throw when they are damaged', { timeout: 120_000 }, () => {
    const names = ['tool', 'limit-tool', 'parallel', 'text'];
    const traces = names.map((name) => {
      const scenario = scenarios.find((one) => one.name === `${dialect}-${name}`);
      if (scenario === undefined) throw new Error(`no scenario ${dialect}-${name}`);
      return simulate({ suite: llmServerSuite, scenario, target: llmServerSuite.reference(), seed: '1' })
        .events;
    });
    fc.assert(
      fc.property(fc.constantFrom(...traces), fc.array(anyDamage, { maxLength: 6 }), (events, damages) => {
        const damaged = damages.reduce<readonly TraceEvent[]>((now, damage) => damage(now), events);
        const judge = new Judge(llmServerSuite.judging);
        for (const event of damaged) judge.step(event);
        judge.end();
      }),
      { numRuns: 150 },
    );
  });
});

type Damage = (events: readonly TraceEvent[]) => readonly TraceEvent[];

const at = (share: number, events: readonly TraceEvent[]): number => Math.floor(share * (events.length - 1));

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Removes, repeats or moves an event, or changes one of its values. */
const anyDamage: fc.Arbitrary<Damage> = fc.oneof(
  share.map(
    (where): Damage =>
      (events) =>
        events.filter((_, i) => i !== at(where, events)),
  ),
  share.map(
    (where): Damage =>
      (events) =>
        events.flatMap((e, i) => (i === at(where, events) ? [e, e] : [e])),
  ),
  fc.tuple(share, share).map(([from, to]): Damage => (events) => {
    const rest = [...events];
    const [moved] = rest.splice(at(from, events), 1);
    if (moved !== undefined) rest.splice(at(to, rest), 0, moved);
    return rest;
  }),
  fc.tuple(share, share, fc.jsonValue()).map(
    ([where, which, value]): Damage =>
      (events) =>
        events.map((e, i) =>
          i === at(where, events)
            ? { ...e, data: altered(e.data, which, value as Json) as TraceEvent['data'] }
            : e,
        ),
  ),
);

/** JSON with one of its values replaced. */
function altered(json: Json, which: number, value: Json): Json {
  let places = 0;
  JSON.stringify(json, (_, inner: Json) => (places++, inner));
  let left = Math.floor(which * places) + 1;
  const copy = JSON.stringify(json, (key, inner: Json) => (--left === 0 && key !== '' ? value : inner));
  return JSON.parse(copy ?? 'null') as Json;
}
