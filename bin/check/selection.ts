/** The part of a suite that flags select: a run of a part is never conformant, at best partial. */
import type { Scenario, SelectedPart } from '../../src/kit/base/index.ts';
import type { Requirement } from '../../src/kit/spec/index.ts';

/** The flags that select requirements or scenarios. */
export interface SelectionFlags {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly level?: 'MUST' | 'SHOULD' | 'MAY';
  readonly scenario?: readonly string[];
  readonly shard?: string | undefined;
  /** Whether `only` and `scenario` are those of the last run's failures. */
  readonly lastFailed?: boolean;
}

/** Requirements or scenarios: the selected ones, and all. */
interface Part<T> {
  readonly selected: readonly T[];
  readonly of: readonly T[];
}

/** The selection of a run; undefined when the flags leave out nothing. `--as-of` leaves out no row of its version. */
export function selectionOf(
  flags: SelectionFlags,
  requirements: Part<Requirement>,
  scenarios?: Part<Scenario>,
): SelectedPart | undefined {
  const judged = (rows: readonly Requirement[]): number =>
    rows.filter(({ excluded }) => excluded === undefined).length;
  const rows = { selected: judged(requirements.selected), of: judged(requirements.of) };
  const played = new Set(scenarios?.selected.map(({ name }) => name));
  const left = scenarios?.of.some(({ name }) => !played.has(name)) ?? false;
  if (rows.selected === rows.of && !left) return undefined;
  return {
    flags: flagsOf(flags),
    requirements: rows,
    ...(scenarios !== undefined && left
      ? { scenarios: { selected: scenarios.selected.length, of: scenarios.of.length } }
      : {}),
  };
}

const flagsOf = ({
  only,
  skip,
  level,
  scenario = [],
  shard,
  lastFailed = false,
}: SelectionFlags): readonly string[] => [
  ...(lastFailed ? ['--last-failed'] : only.map((glob) => `--only ${glob}`)),
  ...skip.map((glob) => `--skip ${glob}`),
  ...(level === undefined ? [] : [`--level ${level}`]),
  ...(lastFailed ? [] : scenario.map((name) => `--scenario ${name}`)),
  ...(shard === undefined ? [] : [`--shard ${shard}`]),
];
