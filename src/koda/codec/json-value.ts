/** Checks JSON values from outside before they are written. */
import type { Json } from '../../kit/base/index.ts';

/**
 * Whether JSON.stringify keeps a value: finite numbers, strings without lone surrogates, arrays and plain objects (see
 * {@link isPlainArray} and {@link isPlainObject}), at most `levels` of them nested. Without recursion. A cycle is nested too deep.
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
  if (!isPlainArray(container) && !isPlainObject(container)) return false;
  const values: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
  for (const value of values) {
    if (isContainer(value)) inner.add(value);
    else if (!isWritableScalar(value)) return false;
  }
  return true;
}

/** Whether a value is an array without holes and without other members, which JSON.stringify loses. */
export const isPlainArray = (value: unknown): value is readonly Json[] =>
  Array.isArray(value) && !hasToJson(value) && Object.keys(value).length === value.length && !hasHole(value);

const hasHole = (array: readonly unknown[]): boolean => {
  for (let i = 0; i < array.length; i++) if (!Object.hasOwn(array, i)) return true;
  return false;
};

/**
 * Whether a value is an object of JSON: not one of a class, such as a Map, whose content JSON.stringify loses. An object
 * of another realm counts: its prototype has no prototype either.
 */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain =
    prototype === Object.prototype ||
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty'));
  return isPlain && !hasToJson(value) && Object.keys(value).every((name) => name.isWellFormed());
}

/** JSON.stringify would call it. */
const hasToJson = (value: object): boolean => 'toJSON' in value && typeof value.toJSON === 'function';

function isWritableScalar(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean' || value === null;
}
