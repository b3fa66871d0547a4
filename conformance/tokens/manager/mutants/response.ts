/** Testees that change what survives of a response cut by the limit. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { isCut, op } from './survivors.ts';
import { editMembers, json, listAt, mutant, objectAt, textAt } from './mutant.ts';

/** Edits the response when the limit was hit. */
export const edits = (
  edit: (response: JsonObject, ok: JsonObject, given: JsonObject) => JsonObject | undefined,
): AnswerFault =>
  editMembers(op, (ok, request) => {
    if (!isCut(objectAt(request, 'response'))) return undefined;
    const response = objectAt(ok, 'response');
    const edited = edit(response, ok, objectAt(request, 'response'));
    return edited && { response: { ...response, ...edited } };
  });

/** The calls of a response. */
export const callsOf = (response: JsonObject): readonly JsonObject[] => listAt(response, 'toolCalls');

/** The mutants of surviving text and calls. */
export const responseMutants: readonly Mutant[] = [
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
    2,
    'spells-max-tokens',
    'It replaces max_output_tokens by max_tokens.',
    edits(() => ({ stopReason: 'max_tokens' })),
  ),
  mutant(
    2,
    'forgets-members',
    'It returns only the members of a response that it knows.',
    editMembers(op, (ok, request) => {
      if (!isCut(objectAt(request, 'response'))) return undefined;
      const { content, toolCalls, stopReason, open } = objectAt(ok, 'response');
      const known = { content, toolCalls, stopReason, open };
      return {
        response: Object.fromEntries(
          Object.entries(known).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
        ),
      };
    }),
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
];
