/** How deep JSON is nested: engines write JSON by recursion, and what came from outside must not exhaust it. */
import type { Json } from '../../../kit/base/index.ts';

/**
 * Whether a value holds arrays and objects on more than so many levels. Goes level by level, without recursion, and
 * no further than it must.
 *
 * @example
 * nestedDeeper([[1]], 1); // true
 * nestedDeeper([[1]], 2); // false
 */
export function nestedDeeper(value: Json, levels: number): boolean {
  let level: Json[] = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    level = level.flatMap((nested) =>
      Object.values(nested as { readonly [key: string]: Json }).filter(isNested),
    );
  }
  return false;
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null;
