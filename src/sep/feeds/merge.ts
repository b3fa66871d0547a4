/** The changes of update_context_feed, put into a feed (SEP-73). */
import { isObject } from '../../kit/base/index.ts';
import type { JsonObject } from '../../kit/base/index.ts';

/** The members that are merged: the source in a feed, and the params in a source. Any other value is replaced as a whole. */
const levels = ['source', 'params'] as const;

/**
 * A feed with changes: of its members, of those of its source, and of those of the source's params. null removes a member.
 *
 * @example
 * merged({ id: 'a', interval: 30, source: { name: 'x', params: { n: 1 } } }, { interval: null, source: { params: { m: 2 } } });
 * // { id: 'a', source: { name: 'x', params: { n: 1, m: 2 } } }
 */
export const merged = (feed: JsonObject, changes: JsonObject): JsonObject => mergedAt(feed, changes, 0);

function mergedAt(before: JsonObject, changes: JsonObject, level: number): JsonObject {
  const inner = levels[level];
  const members = new Map(Object.entries(before));
  for (const [key, change] of Object.entries(changes)) {
    const old = members.get(key);
    if (change === null) members.delete(key);
    else if (key === inner && isObject(old) && isObject(change))
      members.set(key, mergedAt(old, change, level + 1));
    else members.set(key, change);
  }
  return Object.fromEntries(members);
}
