/** Which names mean the output of which action. */
import type { AdvisedAction } from './advised-action.ts';

/** The actions that a name may mean: by output key, and by id. Untracked ones have no output. */
export function namedOf(actions: readonly AdvisedAction[]): ReadonlyMap<string, readonly AdvisedAction[]> {
  const named = new Map<string, AdvisedAction[]>();
  for (const one of actions) {
    const { id, output_key: key, mode } = one.action;
    if (mode === 'fire_and_forget') continue;
    for (const name of new Set([id, key ?? id])) {
      const known = named.get(name);
      if (known === undefined) named.set(name, [one]);
      else known.push(one);
    }
  }
  return named;
}

/** Whether the parameters of an action name the output of another one. */
export const names = (
  { names: own }: AdvisedAction,
  { action: { id, output_key: key } }: AdvisedAction,
): boolean => own.has(id) || (key !== undefined && own.has(key));

/** The ids of actions in a sentence. */
export function idsOf(actions: readonly AdvisedAction[], most: number): string {
  const more = actions.length - most;
  const ids = actions.slice(0, most).map(({ action }) => action.id);
  return more > 0 ? `${ids.join(', ')} and ${more} more` : ids.join(', ');
}
