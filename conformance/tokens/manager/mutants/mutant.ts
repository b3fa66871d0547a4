/** Makes mutant token managers: the reference testee with one fault in its requests or its answers. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults, faultyTestee } from '../../../../src/kit/suite/index.ts';
import type {
  AnswerFault,
  AnswerFaults,
  Faults,
  MakeFaulty,
  TesteeFault,
} from '../../../../src/kit/suite/index.ts';
import { exactTesteeOf } from '../../../../src/kit/testee/index.ts';
import { tokensTestee } from '../../../../src/tokens/index.ts';
import { objectsIn } from '../facts/values.ts';

const faults = answerFaults(tokensTestee);

/** See {@link AnswerFaults}. */
export const onRequest: AnswerFaults['onRequest'] = faults.onRequest;

/** Faults by the ids of their mutants. */
export type ManagerFaults = Faults<TesteeFault>;

/** Makes the reference manager with a fault. */
export const managerWith: MakeFaulty<TesteeFault> = faultyTestee(faults.faulty, exactTesteeOf);

/** A fault in the answers of an operation: replaces members of `ok`. Undefined changes nothing. */
export const editMembers = (
  op: string,
  edit: (ok: JsonObject, request: JsonObject) => JsonObject | undefined,
): AnswerFault =>
  faults.onAnswer(op, (ok, request) => {
    const edited = edit(ok, request);
    return edited && { ...ok, ...edited };
  });

/** The object under a name, or an empty object. */
export const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isObject(value) ? value : {};
};

/** The objects of an array under a name. */
export const listAt = (object: JsonObject, name: string): readonly JsonObject[] => objectsIn(object[name]);

/** The number under a name, or 0. */
export const numberAt = (object: JsonObject, name: string): number => {
  const value = object[name];
  return typeof value === 'number' ? value : 0;
};

/** The text under a name, or ''. */
export const textAt = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

/** A copy of an array as JSON. */
export const json = (values: readonly JsonObject[]): Json => [...values];
