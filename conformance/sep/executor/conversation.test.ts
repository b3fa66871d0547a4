/** Random conversations of the reference executor: what they show, and that their traces can be found wrong. */
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { executorConversation } from './conversation.ts';
import { sepExecutorSuite } from './suite.ts';

const seeds = Array.from({ length: 12 }, (_, n) => n + 1);

/** The rows that a trace exercises, and those that it violates. */
function judged(events: readonly TraceEvent[]): {
  readonly exercised: string[];
  readonly violated: string[];
} {
  const judge = new Judge(sepExecutorSuite.judging);
  for (const event of events) judge.step(event);
  const found = [...judge.end()];
  return {
    exercised: found.flatMap(([row, of]) => (of.exercised > 0 ? [row] : [])),
    violated: found.flatMap(([row, of]) => (of.violations.length > 0 ? [row] : [])),
  };
}

const typeOf = ({ data }: TraceEvent): string => String(data['type']);

it('have a hello, the pieces of outputs, and one end, which is last', () => {
  for (const seed of seeds) {
    const { events, failures } = executorConversation(seed);
    expect([seed, failures]).toEqual([seed, []]);
    expect(events[0]?.data['id']).toBe('hello');
    expect(events.some((event) => event.from === 'tester' && typeOf(event) === 'output')).toBe(true);
    expect(events.findIndex((event) => typeOf(event) === 'finished')).toBe(events.length - 1);
  }
});

it('exercise order, failures, responses and iterations; some have feeds, and some take time', () => {
  const traces = seeds.map((seed) => executorConversation(seed).events);
  const rows = new Set(traces.flatMap((events) => judged(events).exercised));
  // Sync actions, dispatch, on_error skip, final responses, further iterations, and the events of states.
  for (const row of ['SEP-28', 'SEP-31', 'SEP-40', 'SEP-51', 'SEP-52', 'SEP-78']) expect(rows).toContain(row);
  expect(traces.filter((events) => events.some((event) => typeOf(event) === 'context_feed'))).not.toEqual([]);
  expect(traces.filter((events) => (events.at(-1)?.at ?? 0) > 100)).not.toEqual([]);
});

it('are found wrong without the outcomes of their actions', () => {
  const isOutcome = (event: TraceEvent): boolean =>
    ['completed', 'failed', 'skipped'].includes(typeOf(event));
  const wrong = seeds.filter((seed) => {
    const { events } = executorConversation(seed);
    return judged(events.filter((event) => !isOutcome(event))).violated.length > 0;
  });
  expect(wrong.length).toBeGreaterThan(seeds.length / 2);
});
