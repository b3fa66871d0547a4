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

/** The reason why a requirement was not exercised. */
export function unexercised(
  run: JudgedRun,
  row: JudgedRow,
  { count, left, played }: RowScenarios,
): { readonly verdict: Verdict; readonly reason: string } {
  if (run.unready !== undefined) return { verdict: 'not-observed', reason: run.unready };
  const handle = entryOf(run.handles, row.id);
  if (handle !== undefined) return { verdict: 'untestable', reason: handle };
  const tool = left.find(({ because }) => because === 'tool');
  if (tool !== undefined && left.length === count) return { verdict: 'not-observed', reason: tool.reason };
  const untraced = left.find(({ because }) => because === 'process');
  if (untraced !== undefined && left.length === count)
    return { verdict: 'untestable', reason: untraced.reason };
  const carrier = left.find(({ because }) => because === 'carrier');
  // A scenario for this carrier that was left out says what the requirement needs here.
  const here = left.find(({ because }) => because !== 'carrier');
  if (carrier !== undefined && left.length === count)
    return { verdict: 'not-applicable', reason: (here ?? carrier).reason };
  const model = left.find(({ because }) => because === 'model');
  if (model !== undefined && left.length === count)
    return {
      verdict: 'not-applicable',
      reason: `the statement says nothing of the model: it ${model.reason}`,
    };
  const drive = left.find(({ because }) => because === 'drive');
  if (
    run.drive === 'passive' &&
    (row.directive === 'needed' || (drive !== undefined && left.length === count))
  ) {
    return { verdict: 'untestable', reason: 'needs the directive drive; this target was driven passively' };
  }
  const lacking = left.find(({ because }) => because === 'operation');
  if (lacking !== undefined && left.length === count)
    return { verdict: 'untestable', reason: lacking.reason };
  const lacks = played.find(({ unsupported }) => unsupported === true);
  if (lacks !== undefined) return { verdict: 'untestable', reason: lacks.reason ?? '' };
  const early = played.find(({ outcome }) => outcome === 'ended-early');
  if (early !== undefined)
    return { verdict: 'not-observed', reason: `scenario ${early.name} ended early: ${early.reason ?? ''}` };
  const notRun = played.find(({ outcome }) => outcome === 'not-run');
  if (notRun !== undefined)
    return { verdict: 'not-observed', reason: notRun.reason ?? 'its scenarios were not run' };
  const [skipped] = left;
  if (skipped !== undefined && left.length === count)
    return { verdict: 'not-observed', reason: `its scenarios were left out: ${skipped.reason}` };
  const refused = played.find(({ outcome, reason }) => outcome === 'done' && reason !== undefined);
  const cause = refused === undefined ? '' : `; in scenario ${refused.name} ${refused.reason ?? ''}`;
  // A target owes a MUST: where it did not come up, the load is worth a word.
  const isLoad = row.level === 'MUST' && run.busy === true;
  const busy = isLoad ? '; the machine was busy, which may be the cause' : '';
  return { verdict: 'not-observed', reason: `it did not come up in what was played${cause}${busy}` };
}
