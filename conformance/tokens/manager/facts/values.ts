/** Reads values of answers for facts, and formats them for messages. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { shown } from '../../../../src/kit/testee/index.ts';

/** A text. Other values count as empty. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The objects of an array. Empty for other values. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one): one is JsonObject => isObject(one)) : [];

/** The texts of an array. Empty for other values. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Ids as a list for messages. */
export const idList = (ids: readonly string[]): string =>
  ids.length === 0 ? 'none' : shown(ids.slice(0, 12).join(', '));
