/** The failure that came first in a run, when several requirements failed: its cause is often that of the others. */
import type { FirstFailure, RequirementOutcome } from '../base/index.ts';
import { markAt } from './follows.ts';
import type { RunFacts } from './run-facts.ts';

/** The first failure needs no paragraph of its own when it is the only one. */
const fewest = 2;

/** The first failure by time, of those that make the run not conformant where there are some; undefined: fewer than two requirements failed, or the times are unknown. */
export function firstFailure(
  run: Pick<RunFacts, 'traces' | 'requirements' | 'scenarioStarts' | 'strict'>,
  rows: readonly RequirementOutcome[],
): FirstFailure | undefined {
  const failed = rows.filter((row) => row.verdict === 'fail' && row.expected_failure === undefined);
  const own = failed.filter((row) => row.follows_from === undefined);
  if (own.length < fewest) return undefined;
  const fatal = own.filter(({ level }) => level === 'MUST' || (level === 'SHOULD' && run.strict));
  const [first] = (fatal.length > 0 ? fatal : own)
    .flatMap(({ id }) => momentsOf(run, id).map((moment) => ({ id, ...moment })))
    .toSorted((a, b) => a.at - b.at);
  if (first === undefined) return undefined;
  const { id, scenario, at, message } = first;
  const trap = run.requirements.find((row) => row.id === id)?.trap;
  const failures = failed.length;
  return { id, scenario, at_ms: Math.round(at), message, failures, ...(trap === undefined ? {} : { trap }) };
}

/** When and where a row failed: the time in the run (ms), and the scenario. */
function momentsOf(
  { traces, scenarioStarts = new Map() }: Pick<RunFacts, 'traces' | 'scenarioStarts'>,
  id: string,
): readonly { readonly scenario: string; readonly at: number; readonly message: string }[] {
  return traces.flatMap(({ events, found }) =>
    (found.get(id)?.violations ?? []).flatMap(({ seq, message }) => {
      const mark = markAt(events, seq);
      const begun = scenarioStarts.get(mark?.scenario ?? '');
      if (mark === undefined || begun === undefined) return [];
      return [{ scenario: mark.scenario, message, at: begun + (events[seq]?.at ?? 0) - mark.at }];
    }),
  );
}
