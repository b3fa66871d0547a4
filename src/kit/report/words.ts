/** Small phrases that the reports share: counts, durations, sources, lists of ids, groups by reason. */
import type { Report, RequirementOutcome, Source } from '../base/index.ts';
import { visible } from './escape.ts';

/** `1 problem`, `2 problems`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** A duration for people: `420 ms`, `2.3 s`, `3 min 12 s`. */
export const duration = (ms: number): string => {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** The source of a requirement, as one line that is not yet escaped. */
export const sourceLine = ({ document, revision, section }: Source): string =>
  `${document}${revision === undefined ? '' : `, revision ${revision}`}, ${section}`;

/** The position of a violation in the traces, as one line that is not yet escaped; empty when unknown. */
export const evidenceLine = ({ evidence = [] }: RequirementOutcome): string => {
  const shown = evidence.slice(0, 3).map(({ trace, seq }) => `${trace} event ${seq}`);
  return shown.join(', ') + (evidence.length > 3 ? ` and ${evidence.length - 3} more` : '');
};

/** The reason and issue of an expected failure, as one line that is not yet escaped. */
export const expectation = ({ expected_failure: expected }: RequirementOutcome): string =>
  `${expected?.reason ?? 'no reason given'}${expected?.issue === undefined ? '' : ` (${expected.issue})`}`;

/** The failure that a failure follows from, as one line that is not yet escaped. */
export const cause = ({ follows_from: from }: RequirementOutcome): string =>
  from === undefined ? '' : `follows from ${from.id}: ${from.why}`;

interface Run {
  readonly first: string;
  last: string;
  length: number;
}

const follows = (last: string, next: string): boolean => {
  const [, stem, digits = ''] = /^(.*?)(\d{1,9})$/su.exec(last) ?? [];
  return stem !== undefined && next === stem + String(Number(digits) + 1).padStart(digits.length, '0');
};

const shorten = ({ first, last, length }: Run): string => {
  if (length === 1) return visible(first);
  if (length === 2) return `${visible(first)}, ${visible(last)}`;
  // FOLD-A20–A29: the part after the last hyphen is enough to name the end.
  return `${visible(first)}–${visible(last.slice(last.lastIndexOf('-') + 1))}`;
};

/**
 * Ids in one line, escaped. Three or more in sequence become a range; ids beyond `most` become a count.
 *
 * @example
 * idList(['F-A1', 'F-A2', 'F-A3', 'F-A9']); // 'F-A1–A3, F-A9'
 */
export const idList = (ids: readonly string[], most: number = Infinity): string => {
  const runs: Run[] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run !== undefined && follows(run.last, id)) {
      run.last = id;
      run.length += 1;
    } else runs.push({ first: id, last: id, length: 1 });
  }
  const shown = runs.slice(0, most).map(shorten);
  const rest = runs.slice(most).reduce((sum, run) => sum + run.length, 0);
  return shown.join(', ') + (rest === 0 ? '' : ` and ${rest} more`);
};

/** Names that share a reason. */
export interface Group {
  readonly reason: string;
  readonly names: readonly string[];
}

/** Groups names by reason, in the order of the first name of each reason. */
export const groupByReason = (
  items: readonly { readonly name: string; readonly reason?: string | undefined }[],
): readonly Group[] => {
  const groups = new Map<string, string[]>();
  for (const { name, reason = 'no reason given' } of items) {
    const names = groups.get(reason);
    if (names === undefined) groups.set(reason, [name]);
    else names.push(name);
  }
  return [...groups].map(([reason, names]) => ({ reason, names }));
};

/** The requirements with one verdict, grouped by the reason for it. */
export const requirementGroups = (report: Report, verdict: RequirementOutcome['verdict']): readonly Group[] =>
  groupByReason(
    report.requirements
      .filter((row) => row.verdict === verdict)
      .map(({ id, reason }) => ({ name: id, reason })),
  );

/** Ids of rows that prove only the conformance agent, not the library under it. */
export const shimIds = (report: Report): readonly string[] =>
  report.requirements.filter((row) => row.proves === 'shim').map((row) => row.id);
