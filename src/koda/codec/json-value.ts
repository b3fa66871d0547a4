/** Checks JSON values from outside before they are written. */

/**
 * Whether JSON.stringify keeps a value: finite numbers, strings without lone surrogates, arrays and plain objects, at most
 * `levels` of them nested. Without recursion. A cycle is nested too deep.
 */
export function isWritableJson(value: unknown, levels: number): boolean {
  if (!isContainer(value)) return isWritableScalar(value);
  let level = new Set<object>([value]);
  for (let depth = 1; level.size > 0; depth++) {
    if (depth > levels) return false;
    const inner = new Set<object>();
    for (const container of level) if (!checkMembers(container, inner)) return false;
    level = inner;
  }
  return true;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Checks the members of a container. Those that are containers go to `inner`. */
function checkMembers(container: object, inner: Set<object>): boolean {
  // JSON.stringify would call it.
  if ('toJSON' in container && typeof container.toJSON === 'function') return false;
  if (!Array.isArray(container) && !Object.keys(container).every((name) => name.isWellFormed())) return false;
  const values: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
  for (const value of values) {
    if (isContainer(value)) inner.add(value);
    else if (!isWritableScalar(value)) return false;
  }
  return true;
}

function isWritableScalar(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean' || value === null;
}
