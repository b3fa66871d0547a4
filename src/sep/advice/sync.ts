/** "Use Parallel Actions": sync actions in a row that wait for each other, and need not (Best Practices, 2 and 4). */
import type { Advice, AdvisedAction } from './advised-action.ts';
import { idsOf, namedOf } from './names.ts';

/** The most ids in a remark. */
const mostNamed = 8;

/**
 * Each row of sync actions that name no output of the iteration and depend on nothing. A row ends at a response, whose text
 * waits for it. An action that ends the turn when it fails is a gate for what follows, and an internal one changes the run:
 * neither is in a row.
 */
export function rowsOfSync(actions: readonly AdvisedAction[]): readonly Advice[] {
  const outputs = namedOf(actions);
  const rows: AdvisedAction[][] = [];
  let row: AdvisedAction[] = [];
  for (const one of actions) {
    const isFree = isFreeSync(one) && ![...one.names].some((name) => outputs.has(name));
    if (!isFree || one.isAfterResponse) row = [];
    if (!isFree) continue;
    row.push(one);
    if (row.length === 2) rows.push(row);
  }
  return rows.map(adviceAbout);
}

const isFreeSync = ({ action: { type, mode, depends_on, on_error } }: AdvisedAction): boolean =>
  mode === 'sync' && type !== 'internal' && depends_on.length === 0 && on_error !== 'fail';

function adviceAbout(row: readonly AdvisedAction[]): Advice {
  const ids = idsOf(row, mostNamed);
  const message = `${ids} are sync, and none names an output of another: if none has to wait for another, async lets them run at the same time`;
  return { code: 'advice-sync', message };
}
