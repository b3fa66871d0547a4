/** The rows that one agent can judge: an honest gateway breaks none of them in any agent's eyes, and each can fail. */
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { scenariosOf, simulate } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { agentSideSuite } from './agent-side.ts';
import { foldGatewaySuite } from './suite.ts';
import { kindOf } from './view.ts';

const { judging, timeouts } = agentSideSuite;
const scenarios = scenariosOf(foldGatewaySuite);
const rows = [...new Set(judging.rules.map(({ requirement }) => requirement))];

/** What each agent of a trace sees. */
function viewsOf(events: readonly TraceEvent[]): readonly (readonly TraceEvent[])[] {
  const opened = events.filter((event) => event.kind === 'open' && kindOf(event) === 'agent');
  return [...new Set(opened.map(({ from }) => from))].map((agent) => {
    const streams = new Set(opened.flatMap(({ from, stream }) => (from === agent ? [stream] : [])));
    return events.filter(({ stream }) => streams.has(stream));
  });
}

/** The requirements that a gateway breaks in the eyes of any agent of a scenario. */
function broken(scenario: (typeof scenarios)[number], target: MakePeer): readonly string[] {
  const { events } = simulate({ suite: foldGatewaySuite, scenario, target, seed: '1' });
  return viewsOf(events).flatMap((seen) => {
    const judge = new Judge(judging);
    const run = { drive: 'passive', timeouts: { ...timeouts } };
    for (const first of seen.slice(0, 1))
      judge.step({ ...first, stream: '', from: 'kit', to: 'kit', kind: 'mark', data: { run } });
    for (const event of seen) judge.step(event);
    return [...judge.end()].flatMap(([id, { violations }]) => (violations.length > 0 ? [id] : []));
  });
}

it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  'an honest gateway breaks nothing in %s',
  (_, scenario) => {
    expect(broken(scenario, foldGatewaySuite.reference(scenario.reference))).toEqual([]);
  },
);

describe.each(rows)('%s', (row) => {
  it('is broken by a mutant in the eyes of an agent', () => {
    const found = foldGatewaySuite
      .mutants()
      .filter(({ breaks }) => breaks === row)
      .some((mutant) =>
        scenarios
          .filter(({ exercises }) => exercises.includes(row))
          .some((scenario) => broken(scenario, mutant.make(scenario.reference)).includes(row)),
      );
    expect(found).toBe(true);
  });
});
