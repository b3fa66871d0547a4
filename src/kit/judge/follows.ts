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
  const reasons = new Reasons(requirements);
  const causes = causesOf(failed, reasons, findings);
  return outcomes.map((row) => {
    const root = rootOf(row.id, causes);
    if (root === row.id) return row;
    return { ...row, follows_from: { id: root, why: reasons.of(root).get(row.id) ?? '' } };
  });
}

/** The first failed row from which each failed row follows, without the causes of that one. */
function causesOf(
  failed: readonly RequirementOutcome[],
  reasons: Reasons,
  findings: ReadonlyMap<string, RowFindings>,
): ReadonlyMap<string, string> {
  const places = new Map(failed.map(({ id }) => [id, placesOf(findings.get(id))]));
  const order = new Map(failed.map((row, i) => [row.id, { row, i }]));
  const causes = new Map<string, string>();
  for (const [k, other] of failed.entries())
    for (const id of reasons.of(other.id).keys()) {
      const { row, i } = order.get(id) ?? {};
      if (row === undefined || i === undefined || causes.has(id)) continue;
      if (weight[other.level] < weight[row.level]) continue;
      // Of rows that entail each other, the others follow from the first.
      if (k > i && reasons.of(id).has(other.id)) continue;
      if ([...(places.get(id) ?? [])].every((place) => places.get(other.id)?.has(place) === true))
        causes.set(id, other.id);
    }
  return causes;
}

/** The last of a chain of causes. A circle that {@link mostEntailed} hides ends where it began. */
function rootOf(id: string, causes: ReadonlyMap<string, string>): string {
  const seen = new Set([id]);
  let root = id;
  for (let next = causes.get(root); next !== undefined && !seen.has(next); next = causes.get(root)) {
    root = next;
    seen.add(root);
  }
  return root;
}

/** The most rows that a row entails, also over further rows: a report may come from anywhere. */
const mostEntailed = 100;

/** The rows that a row entails, also over further rows, and why. */
class Reasons {
  readonly #rows: ReadonlyMap<string, JudgedRow>;
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  constructor(requirements: readonly JudgedRow[]) {
    this.#rows = new Map(requirements.toReversed().map((row) => [row.id, row]));
  }

  of(from: string): ReadonlyMap<string, string> {
    const known = this.#known.get(from) ?? this.#reached(from);
    this.#known.set(from, known);
    return known;
  }

  #reached(from: string): ReadonlyMap<string, string> {
    const reached = new Map([[from, '']]);
    for (const [id, why] of reached)
      for (const entailed of this.#rows.get(id)?.entails ?? []) {
        if (reached.size > mostEntailed) break;
        if (!reached.has(entailed.id))
          reached.set(entailed.id, why === '' ? entailed.why : `${why}; ${entailed.why}`);
      }
    reached.delete(from);
    return reached;
  }
}

/** The traces and scenarios in which a row failed. */
const placesOf = (found: RowFindings | undefined): ReadonlySet<string> =>
  new Set((found?.places ?? []).map(({ trace, scenario }) => `${trace} ${scenario}`));
