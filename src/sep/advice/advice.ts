/** Advice about the actions of an output, from the document's "Best Practices" (2 to 4). None of it is a fault. */
import type { Advice, AdvisedAction } from './advised-action.ts';
import { rowsOfSync } from './sync.ts';
import { undeclaredDependencies } from './undeclared-dependency.ts';
import { unusedDependencies } from './unused-dependency.ts';

/** The most remarks about an iteration. */
export const mostAdvice = 8;

/**
 * The advice about the actions of an iteration, in their order: at most {@link mostAdvice} remarks. Its work is linear in
 * the actions, their dependencies and their names.
 *
 * @example
 * const fetch = (id: string) => ({
 *   action: { id, type: 'tool', mode: 'sync', depends_on: [], on_error: 'skip' } as const,
 *   names: new Set<string>(),
 *   isAfterResponse: false,
 * });
 * adviceOf([fetch('fetch1'), fetch('fetch2')]).map(({ code }) => code); // ['advice-sync']
 */
export function adviceOf(actions: readonly AdvisedAction[]): readonly Advice[] {
  const found: Advice[] = [];
  for (const kind of [rowsOfSync, unusedDependencies, undeclaredDependencies])
    for (const one of kind(actions)) {
      if (found.length === mostAdvice) return found;
      found.push(one);
    }
  return found;
}
