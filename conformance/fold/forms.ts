/** The forms of Fold's scenarios: directives in a content, and fields that the schema does not know. */
import type { Suite } from '../../src/kit/suite/index.ts';
import { directive, encodeUnknownFields } from '../../src/fold/index.ts';

/** The forms, for every suite of Fold. */
export const foldForms: Pick<Suite, 'forms' | 'encodeUnknown'> = {
  forms: { $directive: (steps) => directive(Array.isArray(steps) ? steps : [steps]) },
  encodeUnknown: encodeUnknownFields,
};
