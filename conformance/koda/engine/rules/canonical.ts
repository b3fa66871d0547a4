/** JSON values as texts that are equal where the values are: the order of members does not matter. */
import { isObject } from '../../../../src/kit/base/index.ts';

export const canonical = (value: unknown): string => JSON.stringify(value, sorted);

const sorted = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .toSorted()
          .map((name) => [name, value[name]]),
      )
    : value;
