/** Failed requirements that follow from another failed one: one fault counts once. */
import type { JudgedRow, RequirementOutcome, RowFindings, TraceEvent } from '../base/index.ts';

const weight = { MUST: 2, SHOULD: 1, MAY: 0 } as const;

/** The mark of the scenario that played at an event: its name, and the time when it began (ms in the trace). */
export function markAt(
  events: readonly TraceEvent[],
  seq: number,
): { readonly scenario: string; readonly at: number } | undefined {
  for (let i = seq; i >= 0; i--) {
    const { kind, data, at } = events[i] ?? {};
    if (kind === 'mark' && typeof data?.['scenario'] === 'string')
      return { scenario: data['scenario'], at: at ?? 0 };
  }
  return undefined;
}

/** The name of the scenario that played at an event. */
export const scenarioAt = (events: readonly TraceEvent[], seq: number): string | undefined =>
  markAt(events, seq)?.scenario;

/**
 * Notes on each failed row that it follows from another failed row: that row entails it, weighs as much or more, and
 * failed in all the scenarios in which this row failed.
 */
export function noteFollowing(
  outcomes: readonly RequirementOutcome[],
  requirements: readonly JudgedRow[],
  findings: ReadonlyMap<string, RowFindings>,
): readonly RequirementOutcome[] {
  const failed = outcomes.filter(({ verdict }) => verdict === 'fail');
  const places = new Map(failed.map(({ id }) => [id, placesOf(findings.get(id))]));
  const causeOf = (row: RequirementOutcome, i: number): RequirementOutcome | undefined =>
    failed.find(
      (other, k) =>
        other !== row &&
        weight[other.level] >= weight[row.level] &&
        reason(requirements, other.id, row.id) !== undefined &&
        // Of rows that entail each other, the others follow from the first.
        (k < i || reason(requirements, row.id, other.id) === undefined) &&
        [...(places.get(row.id) ?? [])].every((place) => places.get(other.id)?.has(place) === true),
    );
  const causes = new Map(failed.map((row, i) => [row.id, causeOf(row, i)?.id]));
  return outcomes.map((row) => {
    const root = rootOf(row.id, causes);
    if (root === row.id) return row;
    return { ...row, follows_from: { id: root, why: reason(requirements, root, row.id) ?? '' } };
  });
}

/** The last of a chain of causes. */
function rootOf(id: string, causes: ReadonlyMap<string, string | undefined>): string {
  let root = id;
  for (let next = causes.get(root); next !== undefined; next = causes.get(root)) root = next;
  return root;
}

/** Why one row entails another, also over further rows; undefined when it does not. */
function reason(requirements: readonly JudgedRow[], from: string, to: string): string | undefined {
  const reached = new Map([[from, '']]);
  for (const [id, why] of reached)
    for (const entailed of requirements.find((row) => row.id === id)?.entails ?? [])
      if (!reached.has(entailed.id))
        reached.set(entailed.id, why === '' ? entailed.why : `${why}; ${entailed.why}`);
  return from === to ? undefined : reached.get(to);
}

/** The traces and scenarios in which a row failed. */
const placesOf = (found: RowFindings | undefined): ReadonlySet<string> =>
  new Set((found?.places ?? []).map(({ trace, scenario }) => `${trace} ${scenario}`));
