/** The part of the console report about requirements that did not fail, and scenarios that were not played. */
import type { Level, Report, ScenarioOutcome, Verdict } from '../base/index.ts';
import { labelled } from './console-page.ts';
import type { Page } from './console-page.ts';
import { visible } from './escape.ts';
import { failuresOf } from './verdict.ts';
import { count, groupByReason, idList, requirementGroups } from './words.ts';

/** Verdicts, as labels. */
export const verdictWords: { readonly [V in Verdict]: string } = {
  pass: 'pass',
  fail: 'FAIL',
  'not-observed': 'not observed',
  'not-applicable': 'not applicable',
  untestable: 'untestable',
  error: 'ERROR',
};

export const scenarioWords: { readonly [O in ScenarioOutcome['outcome']]: string } = {
  done: 'played to its end',
  'ended-early': 'ended early',
  skipped: 'skipped',
  'not-run': 'not run',
};

const countRows = (report: Report, level: Level, verdict: Verdict): number =>
  report.requirements.filter((row) => row.level === level && row.verdict === verdict).length;

/** The requirements that were not exercised, grouped by reason, without those that have a note; and the counts of the others. */
export const summary = (page: Page): readonly string[] => {
  const { report } = page;
  const { unlike } = failuresOf(report);
  const others = { ...report, requirements: report.requirements.filter((row) => !unlike.includes(row)) };
  const folded = foldedLine(page);
  const shown = (['not-observed', 'untestable', 'not-applicable'] as const).filter(
    (verdict) => folded.length === 0 || verdict !== 'not-applicable',
  );
  const unknown = shown.flatMap((verdict) =>
    requirementGroups(others, verdict).flatMap(({ reason, names }) =>
      labelled(page, verdictWords[verdict], `${names.length}, ${visible(reason)}: ${idList(names)}`),
    ),
  );
  const passed = (['MUST', 'SHOULD', 'MAY'] as const)
    .map((level) => [level, countRows(report, level, 'pass')] as const)
    .filter(([, n]) => n > 0)
    .map(([level, n]) => `${n} ${level}`);
  const excluded = report.excluded.map(({ id }) => id);
  return [
    ...unknown,
    ...scenarioSummary(
      page,
      folded.length === 0 ? ['ended-early', 'skipped', 'not-run'] : ['ended-early', 'not-run'],
    ),
    ...folded,
    ...(passed.length === 0 ? [] : labelled(page, 'passed', passed.join(', '), page.paint.green)),
    ...(excluded.length === 0 ? [] : labelled(page, 'excluded', `${excluded.length}: ${idList(excluded)}`)),
  ];
};

/** The most reasons of a run without failures that have a line each. */
const reasonsShown = 2;

/**
 * In a run in which all that applies passed: one line for what does not apply and what was skipped. It is about features,
 * drives and carriers that nobody asked for. Empty: there is little of it, or a reader needs the reasons.
 */
const foldedLine = (page: Page): readonly string[] => {
  const { report } = page;
  if (!['conformant', 'partial'].includes(report.verdict) || report.interrupted) return [];
  const skipped = report.scenarios.filter(({ outcome }) => outcome === 'skipped');
  const groups = [...requirementGroups(report, 'not-applicable'), ...groupByReason(skipped)];
  if (groups.length <= reasonsShown) return [];
  const rows = report.requirements.filter(({ verdict }) => verdict === 'not-applicable').length;
  const parts = [
    ...(rows === 0 ? [] : [`${count(rows, 'requirement')} not applicable`]),
    ...(skipped.length === 0 ? [] : [`${count(skipped.length, 'scenario')} skipped`]),
  ];
  const [first] = groups.toSorted((a, b) => b.names.length - a.names.length);
  const why = `${groups.length} reasons, such as: ${visible(first?.reason ?? '')}`;
  return labelled(page, 'left out', `${parts.join(', ')} (-v lists them); ${why}`);
};

const scenarioSummary = (
  page: Page,
  outcomes: readonly ('ended-early' | 'skipped' | 'not-run')[],
): readonly string[] =>
  outcomes.flatMap((outcome) =>
    groupByReason(page.report.scenarios.filter((scenario) => scenario.outcome === outcome)).flatMap(
      ({ reason, names }) => {
        const shown = `${names
          .slice(0, 5)
          .map((name) => visible(name))
          .join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
        const text = `${count(names.length, 'scenario')}, ${visible(reason)}: ${shown}`;
        return labelled(page, scenarioWords[outcome], text);
      },
    ),
  );
