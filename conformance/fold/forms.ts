/** The forms of Fold's scenarios: directives in a content, long texts, and fields that the schema does not know. */
import { isObject } from '../../src/kit/base/index.ts';
import type { Json } from '../../src/kit/base/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';
import { directive, encodeUnknownFields } from '../../src/fold/index.ts';

/** A text once for each number from 1 on, joined; `#` in it is the number. */
function counted(given: Json): string {
  const { times, of } = isObject(given) ? given : {};
  const text = typeof of === 'string' ? of : '';
  return Array.from({ length: Number(times) }, (_, i) => text.replaceAll('#', String(i + 1))).join('');
}

export const foldForms: Pick<Suite, 'forms' | 'encodeUnknown'> = {
  forms: { $directive: (steps) => directive(Array.isArray(steps) ? steps : [steps]), $counted: counted },
  encodeUnknown: encodeUnknownFields,
};
