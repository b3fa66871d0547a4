/** The note about a model that never makes two calls in one answer. */
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { simulate } from '../../../src/kit/suite/index.ts';
import { dialects, script, streamer } from '../../../src/llm/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { seededRandom } from '../../../src/kit/world/index.ts';
import { parallelNote } from './parallel.ts';
import { serverScenarios } from './scenarios.ts';
import { llmServerSuite } from './suite.ts';
import { hosted, referenceServer } from './target.ts';

/** A model that calls one tool, whatever it is asked. */
const oneCall = script({ title: 'One call' })
  .times('always')
  .toolCall('get_weather', { city: 'Oslo' })
  .build();

const played = (dialect: DialectName, target = referenceServer(), name = 'parallel') => {
  const scenario = serverScenarios().find((one) => one.name === `${dialect}-${name}`);
  if (scenario === undefined) throw new Error(`no scenario ${dialect}-${name}`);
  return simulate({ suite: llmServerSuite, scenario, target, seed: '1' });
};

const single = () => hosted(streamer({ script: oneCall, random: (label) => seededRandom(label) }));

it.each(dialects)('names a model that calls one tool where two are wanted, in %s', (dialect) => {
  const { events, found } = played(dialect, single());
  expect(parallelNote([events])).toContain('no answer with two calls was seen (1 answer to');
  expect(found.get('LLM-S20')?.exercised ?? 0).toBe(0);
  expect(found.get('LLM-S06')?.exercised ?? 0).toBe(0);
});

it.each(dialects)('is silent when an answer has two calls, or none was wanted, in %s', (dialect) => {
  const events: readonly (readonly TraceEvent[])[] = [
    played(dialect, single()).events,
    played(dialect).events,
  ];
  expect(parallelNote(events)).toBeUndefined();
  expect(parallelNote([played(dialect, referenceServer(), 'text').events])).toBeUndefined();
});
