/** Reads the self-description of a testee. */
import type { Json, JsonObject } from '../base/index.ts';
import type { Hello } from '../suite/index.ts';

const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The self-description in an `ok`; undefined when it has no operations, because it then answers another request. */
export const helloIn = (ok: JsonObject): Hello | undefined =>
  Array.isArray(ok['ops'])
    ? {
        ops: textsIn(ok['ops']),
        features: textsIn(ok['features']),
        virtual_time: ok['virtual_time'] === true,
        ...(Number.isSafeInteger(ok['concurrent']) ? { concurrent: Number(ok['concurrent']) } : {}),
        answer: ok,
      }
    : undefined;
