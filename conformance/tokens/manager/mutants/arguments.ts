/** Testees that drop complete calls, or keep incomplete ones. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { editMembers, json, listAt, mutant, objectAt, textAt } from './mutant.ts';

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
type CallFilter = (input: Json | undefined, schema: JsonObject | undefined, call: JsonObject) => boolean;

/** Keeps or drops other calls than the reference, when the limit was hit. */
const others = (survives: (right: boolean, about: boolean) => boolean, about: CallFilter): AnswerFault =>
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

const alsoKeeps = (about: CallFilter): AnswerFault => others((right, is) => right || is, about);
const alsoDrops = (about: CallFilter): AnswerFault => others((right, is) => right && !is, about);

/** The values of the required parameters of a tool. */
const required = (input: Json | undefined, schema: JsonObject | undefined): readonly (Json | undefined)[] => {
  const names = schema?.['required'];
  return isObject(input) && Array.isArray(names) ? names.map((name) => input[String(name)]) : [];
};

/** Selects calls of known tools with a required value of some kind. */
const has =
  (test: (value: Json | undefined) => boolean): CallFilter =>
  (input, schema) =>
    required(input, schema).some((value) => test(value));

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

/** The mutants of this theme. */
export const argumentMutants: readonly Mutant[] = [
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
    alsoDrops((input, schema) => JSON.stringify([schema, input]).includes('"options":{}')),
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
