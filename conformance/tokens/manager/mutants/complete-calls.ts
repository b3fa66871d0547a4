/** Testees that drop complete calls. */
import { exactText, isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { objectAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
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
export const completeCallFaults: ManagerFaults = {
  'drops-zero': alsoDrops(has((value) => value === 0)),
  'drops-false': alsoDrops(has((value) => value === false)),
  'drops-no-items': alsoDrops(has((value) => Array.isArray(value) && value.length === 0)),
  'drops-blank': alsoDrops(has((value) => typeof value === 'string' && /^\s+$/.test(value))),
  'drops-mistyped': alsoDrops(mistyped),
  'drops-nested': alsoDrops((input, schema) => exactText([schema, input]).includes('"options":{}')),
  'drops-union': alsoDrops(has((value) => value === '')),
  'drops-cut-texts': alsoDrops(has((value) => typeof value === 'string' && /\w \w.*[^.]$/s.test(value))),
  'drops-short-texts': alsoDrops(has((value) => value === 'T')),
  'drops-unknown': alsoDrops((_, schema) => schema === undefined),
  'drops-unknown-null': alsoDrops((input, schema) => schema === undefined && input === null),
};
