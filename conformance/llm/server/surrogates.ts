/** Halves of surrogate pairs in JSON texts: LLM-S01. They cannot be written in UTF-8, and SDKs refuse or lose them. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import { shown } from './words.ts';

/** With the flag `u`, a pair is one character: only halves match. */
const half = /\p{Surrogate}/u;

/** The fault of the first text with half of a pair. Undefined when there is none. @param path - the path of the value */
export function surrogateFault(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string')
    return half.test(value)
      ? `expected ${path === '' ? 'data' : path} to be Unicode text; came half of a surrogate pair: ${shown(value)}`
      : undefined;
  const entries: readonly (readonly [string, unknown])[] = isArray(value)
    ? value.map((item, i) => [`${path}[${i}]`, item])
    : Object.entries(isObject(value) ? value : {}).map(([name, item]) => [
        path === '' ? name : `${path}.${name}`,
        item,
      ]);
  for (const [inner, item] of entries) {
    const fault = surrogateFault(item, inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
