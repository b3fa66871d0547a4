/** Testees that drop complete calls. */
import { exactText, isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { mutant, objectAt } from './mutant.ts';
import type { CallFilter } from './survivors.ts';
import { others, has } from './survivors.ts';

const alsoDrops = (about: CallFilter): AnswerFault => others((right, is) => right && !is, about);

const isOfType = (value: Json | undefined, type: unknown): boolean =>
  value === undefined ||
  (type === 'array' ? Array.isArray(value) : typeof value === type) ||
  !['string', 'number', 'boolean', 'array'].includes(String(type));

/** Whether a value has another type than its property, when the property has a single type. */
const mistyped: CallFilter = (input, schema) =>
  isObject(input) &&
  Object.entries(objectAt(schema ?? {}, 'properties')).some(
    ([name, property]) => isObject(property) && !isOfType(input[name], property['type']),
  );

/** The mutants of complete calls. */
export const completeCallMutants: readonly Mutant[] = [
  mutant(6, 'drops-zero', 'It treats 0 as missing.', alsoDrops(has((value) => value === 0))),
  mutant(6, 'drops-false', 'It treats false as missing.', alsoDrops(has((value) => value === false))),
  mutant(
    6,
    'drops-no-items',
    'It treats [] as missing.',
    alsoDrops(has((value) => Array.isArray(value) && value.length === 0)),
  ),
  mutant(
    6,
    'drops-blank',
    'It treats white space as missing.',
    alsoDrops(has((value) => typeof value === 'string' && /^\s+$/.test(value))),
  ),
  mutant(6, 'drops-mistyped', 'It validates types.', alsoDrops(mistyped)),
  mutant(
    6,
    'drops-nested',
    'It checks required parameters of nested objects.',
    alsoDrops((input, schema) => exactText([schema, input]).includes('"options":{}')),
  ),
  mutant(
    6,
    'drops-union',
    'It treats "" as missing for every type.',
    alsoDrops(has((value) => value === '')),
  ),
  mutant(
    7,
    'drops-cut-texts',
    'It drops calls with a text that does not end with a full stop.',
    alsoDrops(has((value) => typeof value === 'string' && /\w \w.*[^.]$/s.test(value))),
  ),
  mutant(
    7,
    'drops-short-texts',
    'It drops calls with a short text.',
    alsoDrops(has((value) => value === 'T')),
  ),
  mutant(
    8,
    'drops-unknown',
    'It drops calls of unknown tools.',
    alsoDrops((_, schema) => schema === undefined),
  ),
  mutant(
    8,
    'drops-unknown-null',
    'It drops calls of unknown tools when their arguments are null.',
    alsoDrops((input, schema) => schema === undefined && input === null),
  ),
];
