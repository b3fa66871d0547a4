/** Testees that keep incomplete calls. */
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { mutant } from './mutant.ts';
import type { CallFilter } from './survivors.ts';
import { others, has } from './survivors.ts';

const alsoKeeps = (about: CallFilter): AnswerFault => others((right, is) => right || is, about);

/** The mutants of incomplete calls. */
export const incompleteCallMutants: readonly Mutant[] = [
  mutant(
    3,
    'keeps-missing',
    'It keeps calls without arguments.',
    alsoKeeps((input, schema) => schema !== undefined && input === undefined),
  ),
  mutant(
    3,
    'keeps-null',
    'It keeps calls whose arguments are null.',
    alsoKeeps((input, schema) => schema !== undefined && input === null),
  ),
  mutant(
    3,
    'keeps-arrays',
    'It treats an array as an object.',
    alsoKeeps((input) => Array.isArray(input)),
  ),
  mutant(
    3,
    'keeps-texts',
    'It keeps arguments that are an unparsed text.',
    alsoKeeps((input) => typeof input === 'string'),
  ),
  mutant(
    4,
    'keeps-lacking',
    'It does not check required parameters.',
    alsoKeeps(has((value) => value === undefined)),
  ),
  mutant(
    4,
    'keeps-null-values',
    'It accepts null as the value of a required parameter.',
    alsoKeeps(has((value) => value === null)),
  ),
  mutant(
    5,
    'keeps-empty',
    'It accepts an empty text as the value of a required parameter.',
    alsoKeeps(has((value) => value === '')),
  ),
];
