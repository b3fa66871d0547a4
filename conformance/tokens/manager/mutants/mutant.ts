/** How a mutant token manager is made: the reference testee with one fault in what it is asked or what it answers. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, AnswerFaults, Mutant } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { tokensTestee } from '../../../../src/tokens/index.ts';
import { objectsIn } from '../facts/values.ts';

const faults = answerFaults(tokensTestee);

/** See {@link AnswerFaults}. */
export const editIncoming: AnswerFaults['editIncoming'] = faults.editIncoming;

/** A mutant: the reference with a fault; `breaks` is the requirement's number. */
export const mutant = (breaks: number, id: string, title: string, fault: AnswerFault): Mutant => ({
  id,
  breaks: `TOK-${String(breaks).padStart(2, '0')}`,
  title,
  make: () => testeeOf(faults.faulty(fault)),
});

/** A fault in the answers of an operation: members of `ok` that differ; undefined: none. */
export const editMembers = (
  op: string,
  edit: (ok: JsonObject, request: JsonObject) => JsonObject | undefined,
): AnswerFault =>
  faults.editOutgoing(op, (ok, request) => {
    const edited = edit(ok, request);
    return edited && { ...ok, ...edited };
  });

/** An object under a name; none: an empty one. */
export const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isObject(value) ? value : {};
};

/** The objects of an array under a name. */
export const listAt = (object: JsonObject, name: string): readonly JsonObject[] => objectsIn(object[name]);

/** A number under a name; none: 0. */
export const numberAt = (object: JsonObject, name: string): number => {
  const value = object[name];
  return typeof value === 'number' ? value : 0;
};

/** A text under a name; none: ''. */
export const textAt = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

/** A copy of an array, as JSON has it. */
export const json = (values: readonly JsonObject[]): Json => [...values];
