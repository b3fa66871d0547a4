/** The first failure of a run: "the row whose scenario failed first, by time in the run", and its trap. */
import { describe, expect, it } from 'vitest';
import type { RequirementOutcome, TraceEvent } from '../base/index.ts';
import { firstFailure } from './first-failure.ts';

const events = (scenario: string): readonly TraceEvent[] =>
  [{ scenario }, { text: 'late' }].map((data, seq) => ({
    ...{ seq, at: 100 + seq * 50, wire: 'w', conn: '', stream: '', from: 'target', to: 'peer', data },
    kind: seq === 0 ? 'mark' : 'message',
  }));

const trace = (scenario: string, id: string): Parameters<typeof firstFailure>[0]['traces'][number] => ({
  name: scenario,
  events: events(scenario),
  found: new Map([
    [
      id,
      {
        exercised: 1,
        unknowable: undefined,
        first: undefined,
        violations: [{ type: 'violated', seq: 1, message: `${id} is violated` }],
      },
    ],
  ]),
});

const source = { document: 'D', section: '1' };
const failed = (id: string, given: Partial<RequirementOutcome> = {}): RequirementOutcome => ({
  ...{ id, level: 'MUST', text: `The text of ${id}.`, source, verdict: 'fail', exercised: 1 },
  ...given,
});

const run = {
  traces: [trace('slow', 'F-A1'), trace('quick', 'F-A2')],
  requirements: [
    {
      id: 'F-A2',
      level: 'MUST',
      roles: ['agent'],
      text: 'T',
      source,
      since: '0.1.0',
      trap: 'no check after a wait.',
    },
  ],
  scenarioStarts: new Map([
    ['slow', 900],
    ['quick', 250],
  ]),
  strict: false,
} as const;

describe('the first failure', () => {
  it('is that of the scenario that failed first, whatever the order of traces', () => {
    expect(firstFailure(run, [failed('F-A1'), failed('F-A2')])).toEqual({
      ...{ id: 'F-A2', scenario: 'quick', at_ms: 300, message: 'F-A2 is violated', failures: 2 },
      trap: 'no check after a wait.',
    });
  });

  it('is the first one that makes the run not conformant, where there is one', () => {
    const should = failed('F-A2', { level: 'SHOULD' });
    expect(firstFailure(run, [failed('F-A1'), should])?.id).toBe('F-A1');
    expect(firstFailure({ ...run, strict: true }, [failed('F-A1'), should])?.id).toBe('F-A2');
    expect(firstFailure(run, [failed('F-A1', { level: 'SHOULD' }), should])?.id).toBe('F-A2');
  });

  it('is not said of a single failure, and not of one that follows or was expected', () => {
    const follows = failed('F-A1', { follows_from: { id: 'F-A2', why: 'it does' } });
    const expected = failed('F-A1', { expected_failure: { reason: 'known' } });
    expect(firstFailure(run, [failed('F-A2')])).toBeUndefined();
    expect(firstFailure(run, [follows, failed('F-A2')])).toBeUndefined();
    expect(firstFailure(run, [expected, failed('F-A2')])).toBeUndefined();
  });

  it('is unknown without the times of scenarios, as in a merged run', () => {
    const { traces, requirements, strict } = run;
    expect(firstFailure({ traces, requirements, strict }, [failed('F-A1'), failed('F-A2')])).toBeUndefined();
  });
});
