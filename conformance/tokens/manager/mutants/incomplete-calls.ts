/** Testees that keep incomplete calls. */
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import type { CallFilter } from './survivors.ts';
import { others, has } from './survivors.ts';
import type { ManagerFaults } from './mutant.ts';

const alsoKeeps = (about: CallFilter): AnswerFault => others((right, is) => right || is, about);

/** The mutants of incomplete calls. */
export const incompleteCallFaults: ManagerFaults = {
  'keeps-missing': alsoKeeps((input, schema) => schema !== undefined && input === undefined),
  'keeps-null': alsoKeeps((input, schema) => schema !== undefined && input === null),
  'keeps-arrays': alsoKeeps((input) => Array.isArray(input)),
  'keeps-texts': alsoKeeps((input) => typeof input === 'string'),
  'keeps-lacking': alsoKeeps(has((value) => value === undefined)),
  'keeps-null-values': alsoKeeps(has((value) => value === null)),
  'keeps-empty': alsoKeeps(has((value) => value === '')),
};
