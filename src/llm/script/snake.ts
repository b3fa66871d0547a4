/** Words of code as words of a document: keys in snake case. */
import type { Json, JsonObject } from '../../kit/base/index.ts';

/** The same object as JSON. */
export const toJson = (value: object): JsonObject => Object.fromEntries<Json>(Object.entries(value));

/** The same object with its keys in snake case. */
export const snake = (value: object): JsonObject =>
  Object.fromEntries(
    Object.entries(toJson(value)).map(([key, at]) => [
      key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      at,
    ]),
  );
