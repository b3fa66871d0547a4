/** Why a requirement was not exercised: its scenarios were left out, ended early, or did not show it. */
import { entryOf } from '../base/index.ts';
import type { JudgedRow, Verdict } from '../base/index.ts';
import type { JudgedRun } from './findings.ts';
import type { RowScenarios } from './run-index.ts';

/**
 * A scenario that is there to show the requirement, and that ended early although the target could have played on. The
 * requirement cannot pass without it, because only that scenario may have met the condition of its sentence.
 */
export function lostWith(run: JudgedRun, { played }: RowScenarios): string | undefined {
  if (run.interrupted) return undefined;
  const early = played.find(({ outcome, unsupported }) => outcome === 'ended-early' && unsupported !== true);
  return early === undefined ? undefined : `scenario ${early.name} ended early: ${early.reason ?? ''}`;
}

/** Why a requirement was not exercised. */
interface Unexercised {
  readonly verdict: Verdict;
  readonly reason: string;
}

export function unexercised(run: JudgedRun, row: JudgedRow, scenarios: RowScenarios): Unexercised {
  if (run.unready !== undefined) return { verdict: 'not-observed', reason: run.unready };
  const untestable = entryOf(run.handles, row.id);
  if (untestable !== undefined) return { verdict: 'untestable', reason: untestable };
  return (
    allLeftOut(run, row, scenarios) ??
    lostInPlay(scenarios) ??
    allSkipped(scenarios) ?? { verdict: 'not-observed', reason: unseen(run, row, scenarios) }
  );
}

/** The reason when every scenario that shows the requirement was left out for what the target or the kit lacks. */
function allLeftOut(run: JudgedRun, row: JudgedRow, { count, left }: RowScenarios): Unexercised | undefined {
  const all = left.length === count ? left : [];
  const reasonOf = (because: string): string | undefined =>
    all.find((one) => one.because === because)?.reason;
  const tool = reasonOf('tool');
  if (tool !== undefined) return { verdict: 'not-observed', reason: tool };
  const process = reasonOf('process');
  if (process !== undefined) return { verdict: 'untestable', reason: process };
  const carrier = reasonOf('carrier');
  // A scenario for this carrier that was left out says what the requirement needs here.
  const here = all.find(({ because }) => because !== 'carrier')?.reason;
  if (carrier !== undefined) return { verdict: 'not-applicable', reason: here ?? carrier };
  const model = reasonOf('model');
  if (model !== undefined)
    return { verdict: 'not-applicable', reason: `the statement says nothing of the model: it ${model}` };
  const needsDirectives = row.directive === 'needed' || reasonOf('drive') !== undefined;
  if (run.drive === 'passive' && needsDirectives)
    return { verdict: 'untestable', reason: 'needs the directive drive; this target was driven passively' };
  const operation = reasonOf('operation');
  return operation === undefined ? undefined : { verdict: 'untestable', reason: operation };
}

/** The reason when a scenario that shows the requirement was not played to its end. */
function lostInPlay({ played }: RowScenarios): Unexercised | undefined {
  const lacks = played.find(({ unsupported }) => unsupported === true);
  if (lacks !== undefined) return { verdict: 'untestable', reason: lacks.reason ?? '' };
  const early = played.find(({ outcome }) => outcome === 'ended-early');
  if (early !== undefined)
    return { verdict: 'not-observed', reason: `scenario ${early.name} ended early: ${early.reason ?? ''}` };
  const notRun = played.find(({ outcome }) => outcome === 'not-run');
  return notRun && { verdict: 'not-observed', reason: notRun.reason ?? 'its scenarios were not run' };
}

function allSkipped({ count, left }: RowScenarios): Unexercised | undefined {
  const [skipped] = left;
  if (skipped === undefined || left.length < count) return undefined;
  return { verdict: 'not-observed', reason: `its scenarios were left out: ${skipped.reason}` };
}

/** What a report says of a requirement that scenarios should have shown, and its usual cause. */
function unseen(run: JudgedRun, row: JudgedRow, { played }: RowScenarios): string {
  const refused = played.find(({ outcome, reason }) => outcome === 'done' && reason !== undefined);
  const cause = refused === undefined ? '' : `; in scenario ${refused.name} ${refused.reason ?? ''}`;
  // A target owes a MUST: where it did not come up, the load is worth a word.
  const isLoad = row.level === 'MUST' && run.busy === true;
  const load = isLoad ? '; the machine was busy, which may be the cause' : '';
  return `it did not come up in what was played${cause}${load}`;
}
