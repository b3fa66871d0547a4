/** Bounds the memory of rules and views. */

/**
 * Removes the oldest entry of a map or a set that has more than `most`.
 *
 * @returns whether one was removed
 * @example
 * forgetOldest(new Set(['a', 'b', 'c']), 2); // true
 */
export function forgetOldest<K>(
  kept: { readonly size: number; keys(): Iterator<K>; delete(key: K): boolean },
  most: number,
): boolean {
  if (kept.size <= most) return false;
  const oldest = kept.keys().next();
  return oldest.done !== true && kept.delete(oldest.value);
}
