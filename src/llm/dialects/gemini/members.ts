/** Members of a request, which may have either of two spellings: the API reads `maxOutputTokens` and `max_output_tokens`. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';

/** A value as an object; any other value is an empty one. */
export const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** A value as a name; any other value is empty. */
export const nameIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** A member by its name in camel case, or in snake case. */
export const memberOf = (fields: JsonObject, name: string): Json | undefined =>
  fields[name] ?? fields[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

/** The parts of a content. */
export const partsOf = (content: Json | undefined): readonly JsonObject[] => {
  const { parts } = objectIn(content);
  return isArray(parts) ? parts.map(objectIn) : [];
};
