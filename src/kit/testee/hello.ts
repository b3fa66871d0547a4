/** What a testee says of itself. */
import type { Json, JsonObject } from '../base/index.ts';
import type { Hello } from '../suite/index.ts';

const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Reads an `ok`; undefined when it does not name operations: then it answers something else. */
export const helloIn = (ok: JsonObject): Hello | undefined =>
  Array.isArray(ok['ops'])
    ? {
        ops: textsIn(ok['ops']),
        features: textsIn(ok['features']),
        virtual_time: ok['virtual_time'] === true,
        said: ok,
      }
    : undefined;
