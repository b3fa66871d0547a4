/** Faults outside extensions: a request that switches one on is answered as by the reference, for its rows are others. */
import { mapFaults } from '../../../src/kit/suite/index.ts';
import type { AnswerFault } from '../../../src/kit/suite/index.ts';

export const withoutExtensions = (faults: {
  readonly [id: string]: AnswerFault;
}): { readonly [id: string]: AnswerFault } =>
  mapFaults(
    faults,
    (fault) => (request) => (request['extensions'] === undefined ? fault(request) : undefined),
  );
