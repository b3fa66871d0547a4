/** Testees that handle a response cut by the limit wrongly. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { argumentMutants, isCut, op, replaceSurvivors } from './arguments.ts';
import { editMembers, json, listAt, mutant, objectAt, textAt } from './mutant.ts';

const stopsOf = (request: JsonObject): string => textAt(objectAt(request, 'response'), 'stopReason');

/** Acts on a response as if the limit had ended it. */
const actsOn = (test: (stopReason: string) => boolean): AnswerFault =>
  editMembers(op, (ok, request) => {
    if (!test(stopsOf(request))) return undefined;
    const response = objectAt(ok, 'response');
    const calls = listAt(response, 'toolCalls').filter(
      ({ input }) => Object.keys(isObject(input) ? input : {}).length > 1,
    );
    return { response: { ...response, toolCalls: json(calls) } };
  });

/** Edits the response when the limit was hit. */
const edits = (
  edit: (response: JsonObject, ok: JsonObject, given: JsonObject) => JsonObject | undefined,
): AnswerFault =>
  editMembers(op, (ok, request) => {
    if (!isCut(objectAt(request, 'response'))) return undefined;
    const response = objectAt(ok, 'response');
    const edited = edit(response, ok, objectAt(request, 'response'));
    return edited && { response: { ...response, ...edited } };
  });

const callsOf = (response: JsonObject): readonly JsonObject[] => listAt(response, 'toolCalls');

/** Replaces the ids of dropped calls in warnings. */
const names = (edit: (ids: readonly Json[]) => readonly Json[]): AnswerFault =>
  editMembers(op, (ok) => ({
    warnings: listAt(ok, 'warnings').map(({ ids, ...rest }) =>
      isArray(ids) ? { ...rest, ids: [...edit(ids)] } : rest,
    ),
  }));

const keepsOpen: AnswerFault = editMembers(op, (ok, request) => {
  const given = objectAt(request, 'response');
  const open = objectAt(given, 'open')['id'];
  if (open === undefined || !isCut(objectAt(request, 'response'))) return undefined;
  const kept = callsOf(objectAt(ok, 'response')).map(({ id }) => id);
  return replaceSurvivors(
    ok,
    given,
    callsOf(given).filter(({ id }) => id === open || kept.includes(id ?? null)),
  );
});

const ignoresOption: AnswerFault = editMembers(op, (ok, request) => {
  if (objectAt(request, 'options')['requireAllParameters'] !== false) return undefined;
  const given = objectAt(request, 'response');
  const whole = callsOf(given).filter(({ input }) =>
    Object.values(isObject(input) ? input : {}).every((value) => value !== null && value !== ''),
  );
  return replaceSurvivors(
    ok,
    given,
    whole.filter(({ input }) => Object.keys(isObject(input) ? input : {}).length > 1),
  );
});

/** The mutants of this theme. */
/** The mutants of this theme. */
export const responseMutants: readonly Mutant[] = [
  mutant(
    1,
    'acts-on-end-turn',
    'It drops incomplete calls when the model ended its turn.',
    actsOn((r) => r === 'end_turn'),
  ),
  mutant(
    1,
    'acts-on-tool-use',
    'It drops incomplete calls on tool_use.',
    actsOn((r) => r === 'tool_use'),
  ),
  mutant(
    1,
    'acts-on-context-window',
    'It treats context_window as max_tokens.',
    actsOn((r) => r === 'context_window'),
  ),
  mutant(
    1,
    'one-spelling',
    'It does not know max_output_tokens.',
    editMembers(op, (_, request) =>
      stopsOf(request) === 'max_output_tokens' ? { response: objectAt(request, 'response') } : undefined,
    ),
  ),
  mutant(
    2,
    'trims-text',
    'It trims the text.',
    edits((response) => ({ content: textAt(response, 'content').trim() })),
  ),
  mutant(
    2,
    'rewrites-stop',
    'It replaces the stop reason by end_turn when it drops calls.',
    edits(() => ({ stopReason: 'end_turn' })),
  ),
  mutant(
    2,
    'rewrites-arguments',
    'It removes arguments that the tool does not name.',
    edits((response) => ({
      toolCalls: callsOf(response).map((call) => {
        const { mode: _, ...input } = objectAt(call, 'input');
        return isObject(call['input']) ? { ...call, input } : call;
      }),
    })),
  ),
  mutant(
    9,
    'turns-order',
    'It reverses the surviving calls.',
    edits((response) => ({ toolCalls: json(callsOf(response).toReversed()) })),
  ),
  mutant(
    9,
    'sorts-survivors',
    'It sorts the surviving calls by id.',
    edits((response) => ({
      toolCalls: json(callsOf(response).toSorted((a, b) => (textAt(a, 'id') < textAt(b, 'id') ? -1 : 1))),
    })),
  ),
  mutant(
    10,
    'drops-silently',
    'It does not warn of dropped calls.',
    names(() => []),
  ),
  mutant(
    10,
    'names-one',
    'It warns only of the first dropped call.',
    names((ids) => ids.slice(0, 1)),
  ),
  mutant(11, 'always-strict', 'It ignores requireAllParameters.', ignoresOption),
  mutant(
    13,
    'empties-text',
    'It drops the text together with the last call.',
    edits((response) => (callsOf(response).length === 0 ? { content: '' } : undefined)),
  ),
  mutant(
    13,
    'says-something',
    "It adds a sentence about dropped calls to the model's text.",
    edits((response) =>
      callsOf(response).length === 0 ? { content: 'The calls were incomplete.' } : undefined,
    ),
  ),
  mutant(47, 'keeps-open', 'It keeps a cut call that looks complete.', keepsOpen),
  ...argumentMutants,
];
