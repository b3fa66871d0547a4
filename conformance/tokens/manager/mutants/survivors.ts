/** Replaces the calls that survive the limit, for mutants that keep or drop other calls. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { editMembers, json, listAt, objectAt, textAt } from './mutant.ts';

/** The operation. */
export const op: string = 'tokens.handle_response';

/** Whether the limit ended a response. */
export const isCut = (response: JsonObject): boolean =>
  ['max_tokens', 'max_output_tokens'].includes(textAt(response, 'stopReason'));

/** Replaces the surviving calls, and adapts the warnings. */
export const replaceSurvivors = (
  ok: JsonObject,
  given: JsonObject,
  calls: readonly JsonObject[],
): JsonObject => {
  const kept = calls.map((call) => textAt(call, 'id'));
  const ids = listAt(given, 'toolCalls').flatMap((call) =>
    kept.includes(textAt(call, 'id')) ? [] : textAt(call, 'id'),
  );
  const changeSurvivors = listAt(ok, 'warnings').filter(({ code }) => code !== 'dropped');
  return {
    response: { ...objectAt(ok, 'response'), toolCalls: json(calls) },
    warnings: ids.length === 0 ? json(changeSurvivors) : [...changeSurvivors, { code: 'dropped', ids }],
  };
};

/** Whether a fault concerns a call. `schema` is the schema of its tool, undefined for an unknown tool. */
export type CallFilter = (
  input: Json | undefined,
  schema: JsonObject | undefined,
  call: JsonObject,
) => boolean;

/** Keeps or drops other calls than the reference, when the limit was hit. */
export const others = (
  survives: (right: boolean, about: boolean) => boolean,
  about: CallFilter,
): AnswerFault =>
  editMembers(op, (ok, request) => {
    const given = objectAt(request, 'response');
    if (!isCut(given)) return undefined;
    if (objectAt(request, 'options')['requireAllParameters'] === false) return undefined;
    const open = objectAt(given, 'open')['id'];
    const right = listAt(objectAt(ok, 'response'), 'toolCalls').map((call) => call['id']);
    const calls = listAt(given, 'toolCalls').filter((call) => {
      const tool = listAt(request, 'tools').find(({ name }) => name === call['name']);
      const is = call['id'] !== open && about(call['input'], tool && objectAt(tool, 'inputSchema'), call);
      return survives(right.includes(call['id'] ?? null), is);
    });
    return replaceSurvivors(ok, given, calls);
  });

/** The values of the required parameters of a tool. */
const required = (input: Json | undefined, schema: JsonObject | undefined): readonly (Json | undefined)[] => {
  const names = schema?.['required'];
  return isObject(input) && Array.isArray(names) ? names.map((name) => input[String(name)]) : [];
};

/** Selects calls of known tools with a required value of some kind. */
export const has =
  (test: (value: Json | undefined) => boolean): CallFilter =>
  (input, schema) =>
    required(input, schema).some((value) => test(value));
