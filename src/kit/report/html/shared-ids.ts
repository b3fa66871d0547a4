/** Finds the values by which events belong together, such as the id of a request. It knows no protocol: an id is what a key says is one. */
import type { Json, TraceEvent } from '../../base/index.ts';
import { isArray, isObject } from '../../base/index.ts';

/** Keys such as `id`, `request_id`, `toolCallId`. */
const idKey = /^id$|[_-]id$|[a-z]I[dD]$/u;
/** The bounds of the search in one event, and of the list in the page. */
const limits = { depth: 5, values: 300, perEvent: 6, length: 80, inPage: 200 } as const;

function collect(value: Json, depth: number, budget: { left: number }, found: Set<string>): void {
  if (depth > limits.depth || budget.left <= 0 || found.size >= limits.perEvent) return;
  if (isArray(value)) {
    for (const item of value.slice(0, 20)) collect(item, depth + 1, budget, found);
    return;
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    if (budget.left-- <= 0 || found.size >= limits.perEvent) return;
    const item = value[key] ?? null;
    const isId = idKey.test(key) && (typeof item === 'string' || typeof item === 'number');
    if (isId && item !== '' && String(item).length <= limits.length) found.add(`${key} ${item}`);
    else collect(item, depth + 1, budget, found);
  }
}

/** Ids that several events of a trace share, the most frequent first, and those of each event. */
export interface SharedIds {
  readonly ids: readonly string[];
  of(event: TraceEvent): readonly number[];
}

/** Finds the ids that at least two events share. */
export function sharedIds(events: readonly TraceEvent[]): SharedIds {
  const uses = new Map<string, number>();
  const byEvent = new Map<TraceEvent, readonly string[]>();
  for (const event of events) {
    if (event.kind === 'mark') continue;
    const found = new Set<string>();
    collect(event.data, 0, { left: limits.values }, found);
    byEvent.set(event, [...found]);
    for (const id of found) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  const shared = [...uses].filter(([, count]) => count > 1).toSorted(([, a], [, b]) => b - a);
  const ids = shared.slice(0, limits.inPage).map(([id]) => id);
  const place = new Map(ids.map((id, i) => [id, i]));
  return {
    ids,
    of: (event) => (byEvent.get(event) ?? []).flatMap((id) => place.get(id) ?? []),
  };
}
