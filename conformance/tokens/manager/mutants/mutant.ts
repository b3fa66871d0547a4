/**
 * How a mutant is made: the reference testee, with something between it and its wire that changes one thing it is
 * asked or one thing it answers. What is not changed passes as it is, so nothing else is wrong with it.
 */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { tokensTestee } from '../../../../src/tokens/index.ts';
import { objectsIn } from '../facts/values.ts';

/** What is answered to a request, where the fault shows; undefined where it does not. */
export type AnswerFault = (request: JsonObject) => JsonObject | undefined;

/** A mutant: the reference, but for a fault; `breaks` is the requirement's number. */
export const wrong = (breaks: number, id: string, title: string, fault: AnswerFault): Mutant => ({
  id,
  breaks: `TOK-${String(breaks).padStart(2, '0')}`,
  title,
  make: () => testeeOf((request) => fault(request) ?? tokensTestee(request)),
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

/** Hears something else than what was asked of an operation; undefined: the same. */
export const hears =
  (op: string, edit: (request: JsonObject) => JsonObject | undefined): AnswerFault =>
  (request) => {
    const heard = request['op'] === op ? edit(request) : undefined;
    return heard && tokensTestee({ ...request, ...heard });
  };

/** Answers something else than it found: members of `ok` that differ; undefined: the same. */
export const answers =
  (op: string, edit: (ok: JsonObject, request: JsonObject) => JsonObject | undefined): AnswerFault =>
  (request) => {
    if (request['op'] !== op) return undefined;
    const { ok } = tokensTestee(request);
    if (!isObject(ok)) return undefined;
    const edited = edit(ok, request);
    return edited && { id: request['id'] ?? null, ok: { ...ok, ...edited } };
  };

/** A copy of an array, as JSON has it. */
export const json = (values: readonly JsonObject[]): Json => [...values];
