/** Patterns of paths, in a time that is bounded by the product of the lengths: a model may write them. */

/** The most characters of a pattern. */
export const mostPattern = 1000;

/** A name of a path, or of a pattern. */
interface PathName {
  readonly text: string;
  readonly characters: readonly string[];
}

/** A path, or a pattern of paths, that is split once and compared often. */
export type SplitPath = readonly PathName[];

/** The names of a path with `/` between. */
export const splitPath = (path: string): SplitPath =>
  path.split('/').map((text) => ({ text, characters: Array.from(text) }));

/** The names of a pattern. One that ends in `/` fits all that is in the folder. */
export const splitPattern = (pattern: string): SplitPath =>
  splitPath((pattern.endsWith('/') ? `${pattern}**` : pattern).replace(/^\.\//, ''));

/**
 * Whether a path fits a pattern: `*` stands for any characters of a name, `?` for one, and `**` as a name for any names.
 *
 * @example
 * fits(splitPath('docs/a/b.md'), splitPattern('docs/**' + '/*.md')); // true
 * fits(splitPath('docs/b.md'), splitPattern('*.md')); // false
 */
export const fits = (path: SplitPath, pattern: SplitPath): boolean =>
  hasMatch(path, pattern, ({ text }) => text === '**', nameFits);

/** Whether a name fits a pattern without `/`. */
const nameFits = (name: PathName, pattern: PathName): boolean =>
  hasMatch(
    name.characters,
    pattern.characters,
    (wanted) => wanted === '*',
    (one, wanted) => wanted === '?' || one === wanted,
  );

/**
 * Whether items fit a pattern in which some items stand for any number of items. On a mismatch, the last of these takes one
 * more item: earlier ones need not be tried again.
 */
function hasMatch<Item>(
  items: readonly Item[],
  pattern: readonly Item[],
  isAny: (wanted: Item) => boolean,
  fitsOne: (item: Item, wanted: Item) => boolean,
): boolean {
  let [at, next, anyAt, taken] = [0, 0, -1, 0];
  for (let item = items[at]; item !== undefined; item = items[at]) {
    const wanted = pattern[next];
    if (wanted !== undefined && isAny(wanted)) [anyAt, taken, next] = [next, at, next + 1];
    else if (wanted !== undefined && fitsOne(item, wanted)) [at, next] = [at + 1, next + 1];
    else if (anyAt < 0) return false;
    else [taken, at, next] = [taken + 1, taken + 1, anyAt + 1];
  }
  return pattern.slice(next).every(isAny);
}
