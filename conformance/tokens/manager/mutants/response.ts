/** Testees that make the wrong thing of a response that the limit cut. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { argumentMutants, isCut, op, survive } from './arguments.ts';
import { editMembers, json, listAt, mutant, objectAt, textAt } from './mutant.ts';

const stopsOf = (request: JsonObject): string => textAt(objectAt(request, 'response'), 'stopReason');

/** Acts on a response whose stop reason it takes for the limit's. */
const actsOn = (test: (stopReason: string) => boolean): AnswerFault =>
  editMembers(op, (ok, request) => {
    if (!test(stopsOf(request))) return undefined;
    const response = objectAt(ok, 'response');
    const calls = listAt(response, 'toolCalls').filter(
      ({ input }) => Object.keys(isObject(input) ? input : {}).length > 1,
    );
    return { response: { ...response, toolCalls: json(calls) } };
  });

/** Edits the response, where the limit was hit. */
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

/** Answers other ids of those that were dropped. */
const names = (edit: (ids: readonly Json[]) => readonly Json[]): AnswerFault =>
  editMembers(op, (ok) => ({
    warnings: listAt(ok, 'warnings').map(({ ids, ...rest }) =>
      Array.isArray(ids) ? { ...rest, ids: [...edit(ids as readonly Json[])] } : rest,
    ),
  }));

const keepsOpen: AnswerFault = editMembers(op, (ok, request) => {
  const given = objectAt(request, 'response');
  const open = objectAt(given, 'open')['id'];
  if (open === undefined || !isCut(objectAt(request, 'response'))) return undefined;
  const kept = callsOf(objectAt(ok, 'response')).map(({ id }) => id);
  return survive(
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
  return survive(
    ok,
    given,
    whole.filter(({ input }) => Object.keys(isObject(input) ? input : {}).length > 1),
  );
});

/** These mutants. */
/** These mutants. */
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
    'It takes context_window for max_tokens.',
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
    'It says end_turn where it acted.',
    edits(() => ({ stopReason: 'end_turn' })),
  ),
  mutant(
    2,
    'rewrites-arguments',
    'It leaves out of the calls what their tools do not name.',
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
    'It answers the survivors last first.',
    edits((response) => ({ toolCalls: json(callsOf(response).toReversed()) })),
  ),
  mutant(
    9,
    'sorts-survivors',
    'It sorts the survivors by id.',
    edits((response) => ({
      toolCalls: json(callsOf(response).toSorted((a, b) => (textAt(a, 'id') < textAt(b, 'id') ? -1 : 1))),
    })),
  ),
  mutant(
    10,
    'drops-silently',
    'It does not say what it dropped.',
    names(() => []),
  ),
  mutant(
    10,
    'names-one',
    'It names the first call that it dropped.',
    names((ids) => ids.slice(0, 1)),
  ),
  mutant(11, 'always-strict', 'It does not heed requireAllParameters.', ignoresOption),
  mutant(
    13,
    'empties-text',
    'It drops the text along with the last call.',
    edits((response) => (callsOf(response).length === 0 ? { content: '' } : undefined)),
  ),
  mutant(
    13,
    'says-something',
    'It has the model say that its calls were dropped.',
    edits((response) =>
      callsOf(response).length === 0 ? { content: 'The calls were incomplete.' } : undefined,
    ),
  ),
  mutant(47, 'keeps-open', 'It keeps the call that was cut, for it looks whole.', keepsOpen),
  ...argumentMutants,
];
