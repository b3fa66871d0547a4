/** The input of a call in a whole answer, where the dialect has an object for it. */
import type { JsonObject } from '../../../kit/base/index.ts';
import { isJsonObject, parseJson } from './arguments.ts';
import { parameterBoundary } from './json-scan.ts';

/**
 * The object of a call's arguments, also where the call was cut: the parameters that were whole.
 *
 * @example
 * wholeParameters('{"a":1,"b":"un'); // { a: 1 }
 */
export function wholeParameters(text: string): JsonObject {
  for (const candidate of [text, `${text.slice(0, parameterBoundary(text, text.length))}}`]) {
    const value = parseJson(candidate);
    if (isJsonObject(value)) return value;
  }
  return {};
}
