/** Patterns of paths, in a time that is bounded by the product of the lengths: a model may write them. */

/** The most characters of a pattern. */
export const mostPattern = 1000;

/** The comparisons that are left. A pattern that needs more is an error. */
export interface MatchBudget {
  steps: number;
}

/**
 * Whether a path of names with `/` between fits a pattern: `*` stands for any characters of a name, `?` for one, and `**` as
 * a name for any names. A pattern that ends in `/` fits all that is in the folder.
 *
 * @throws Error when the budget is used up
 * @example
 * fits('docs/a/b.md', 'docs/**' + '/*.md'); // true
 * fits('docs/b.md', '*.md'); // false
 */
export function fits(path: string, pattern: string, budget: MatchBudget = { steps: Infinity }): boolean {
  const wanted = (pattern.endsWith('/') ? `${pattern}**` : pattern).replace(/^\.\//, '').split('/');
  return hasMatch(path.split('/'), wanted, '**', budget, (name, one) => nameFits(name, one, budget));
}

/** Whether a name fits a pattern without `/`. */
const nameFits = (name: string, pattern: string, budget: MatchBudget): boolean =>
  hasMatch(
    Array.from(name),
    Array.from(pattern),
    '*',
    budget,
    (one, other) => other === '?' || one === other,
  );

/**
 * Whether items fit a pattern in which `any` stands for any number of items. On a mismatch, the last `any` takes one more
 * item: earlier ones need not be tried again.
 */
function hasMatch(
  items: readonly string[],
  pattern: readonly string[],
  any: string,
  budget: MatchBudget,
  one: (item: string, pattern: string) => boolean,
): boolean {
  let [at, next, anyAt, taken] = [0, 0, -1, 0];
  while (at < items.length) {
    if (--budget.steps < 0) throw new Error('expected patterns that need fewer comparisons');
    const wanted = pattern[next];
    if (wanted === any) [anyAt, taken, next] = [next, at, next + 1];
    else if (wanted !== undefined && one(items[at] ?? '', wanted)) [at, next] = [at + 1, next + 1];
    else if (anyAt < 0) return false;
    else [taken, at, next] = [taken + 1, taken + 1, anyAt + 1];
  }
  return pattern.slice(next).every((rest) => rest === any);
}
