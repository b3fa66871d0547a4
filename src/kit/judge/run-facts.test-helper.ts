/** Facts of runs for the tests of this room: a row, a scenario, and a run of one trace. */
import type { Scenario } from '../base/index.ts';
import type { Requirement } from '../spec/index.ts';
import type { RequirementFindings } from './judge.ts';
import type { RunFacts } from './run-facts.ts';

/** A requirement of level MUST. */
export const row = (id: string, more: Partial<Requirement> = {}): Requirement => ({
  id,
  level: 'MUST',
  roles: ['agent'],
  text: `${id} does what it says`,
  source: { document: 'A document', section: '1' },
  since: '0.1.0',
  ...more,
});

/** A scenario without steps. */
export const scenario = (
  name: string,
  exercises: readonly string[],
  drive: readonly string[] = [],
): Scenario => ({
  name,
  title: name,
  suite: 'x/y',
  needs: { drive, features: [] },
  exercises,
  fresh: false,
  alone: false,
  last: false,
  reference: {},
  peers: {},
  steps: [],
});

/** A run with these findings in its one trace. */
export const run = (
  found: { readonly [id: string]: RequirementFindings },
  requirements: readonly Requirement[],
  more: Partial<RunFacts> = {},
): RunFacts => ({
  kit: '0.1.0',
  suite: 'x/y',
  revision: '1',
  target: 'a target',
  drive: 'directive',
  driveNamed: false,
  features: new Set(['known']),
  seed: '1',
  durationMs: 10,
  interrupted: false,
  strict: false,
  requirements,
  traces: [{ name: 't', events: [], found: new Map(Object.entries(found)) }],
  scenarios: [],
  skipped: [],
  outcomes: [],
  expected: [],
  unready: undefined,
  absent: false,
  today: '2026-06-01',
  untestable: {},
  problems: [],
  notes: [],
  targetOutput: [],
  replay: (id, name) => `again ${id} ${name ?? ''}`,
  ...more,
});
