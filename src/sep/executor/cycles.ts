/** Finds what waits for itself: actions (SEP-33), and feeds (SEP-88). Tarjan's algorithm, without recursion. */

/** A node whose walk is not over, and the position of its next neighbour. */
interface Walk<T> {
  readonly node: T;
  readonly neighbours: readonly T[];
  readonly index: number;
  low: number;
  next: number;
}

/**
 * The cycles of a graph: each is the nodes that lead to each other, in the order of `nodes`. A node that only leads to a
 * cycle is in none. Linear in the nodes and their neighbours, which are nodes, too.
 *
 * @example
 * const waits: { [id: string]: string[] } = { a: ['b'], b: ['a'], c: ['a'] };
 * cyclesOf(['a', 'b', 'c'], (id) => waits[id] ?? []); // [['a', 'b']]
 */
export function cyclesOf<T>(
  nodes: Iterable<T>,
  neighboursOf: (node: T) => readonly T[],
): readonly (readonly T[])[] {
  const found: T[][] = [];
  const walks = new Map<T, Walk<T>>();
  const open: T[] = [];
  const isOpen = new Set<T>();
  const order = [...nodes];
  const begin = (node: T): Walk<T> => {
    const walk = { node, neighbours: neighboursOf(node), index: walks.size, low: walks.size, next: 0 };
    walks.set(node, walk);
    open.push(node);
    isOpen.add(node);
    return walk;
  };
  for (const root of order) {
    if (walks.has(root)) continue;
    const path = [begin(root)];
    for (let walk = path.at(-1); walk !== undefined; walk = path.at(-1)) {
      const neighbour = walk.neighbours[walk.next++];
      if (neighbour !== undefined) {
        const known = walks.get(neighbour);
        if (known === undefined) path.push(begin(neighbour));
        else if (isOpen.has(neighbour)) walk.low = Math.min(walk.low, known.index);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) parent.low = Math.min(parent.low, walk.low);
      if (walk.low !== walk.index) continue;
      // The members are the last ones: a search from the begin would be quadratic in a long chain.
      let from = open.length - 1;
      while (open[from] !== walk.node) from--;
      const members = open.splice(from);
      for (const one of members) isOpen.delete(one);
      if (members.length > 1 || walk.neighbours.includes(walk.node)) found.push(members);
    }
  }
  const position = new Map(order.map((node, i) => [node, i]));
  const at = (node: T | undefined): number => (node === undefined ? 0 : (position.get(node) ?? 0));
  return found
    .map((members) => members.toSorted((a, b) => at(a) - at(b)))
    .toSorted(([a], [b]) => at(a) - at(b));
}
