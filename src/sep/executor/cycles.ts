/** Finds the cycles among the actions that wait for each other (SEP-33): Tarjan's algorithm, without recursion. */
import type { Entry } from './state.ts';

/** An action whose walk is not over, and the position of its next dependent. */
interface Walk {
  readonly entry: Entry;
  readonly index: number;
  low: number;
  next: number;
}

/**
 * The cycles among actions: each is the actions that wait for each other, in the order in which they were declared. An
 * action that only waits for a cycle is in none. Linear in the actions and their dependencies.
 */
export function cyclesOf(entries: Iterable<Entry>): readonly (readonly Entry[])[] {
  const found: Entry[][] = [];
  const walks = new Map<Entry, Walk>();
  const open: Entry[] = [];
  const isOpen = new Set<Entry>();
  const order = [...entries];
  const begin = (entry: Entry): Walk => {
    const walk = { entry, index: walks.size, low: walks.size, next: 0 };
    walks.set(entry, walk);
    open.push(entry);
    isOpen.add(entry);
    return walk;
  };
  for (const root of order) {
    if (root.stage !== 'waiting' || walks.has(root)) continue;
    const path = [begin(root)];
    for (let walk = path.at(-1); walk !== undefined; walk = path.at(-1)) {
      const dependent = walk.entry.dependents[walk.next++];
      if (dependent !== undefined) {
        const known = walks.get(dependent);
        if (known === undefined && dependent.stage === 'waiting') path.push(begin(dependent));
        else if (known !== undefined && isOpen.has(dependent)) walk.low = Math.min(walk.low, known.index);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) parent.low = Math.min(parent.low, walk.low);
      if (walk.low !== walk.index) continue;
      // The members are the last ones: a search from the begin would be quadratic in a long chain.
      let from = open.length - 1;
      while (open[from] !== walk.entry) from--;
      const members = open.splice(from);
      for (const one of members) isOpen.delete(one);
      if (members.length > 1 || walk.entry.dependents.includes(walk.entry)) found.push(members);
    }
  }
  const position = new Map(order.map((entry, i) => [entry, i]));
  const at = (entry: Entry | undefined): number => (entry === undefined ? 0 : (position.get(entry) ?? 0));
  return found
    .map((members) => members.toSorted((a, b) => at(a) - at(b)))
    .toSorted(([a], [b]) => at(a) - at(b));
}
