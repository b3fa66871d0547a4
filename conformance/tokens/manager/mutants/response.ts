/** Testees that change what survives of a response cut by the limit. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { isCut, op } from './survivors.ts';
import { editMembers, json, listAt, objectAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';

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

export const callsOf = (response: JsonObject): readonly JsonObject[] => listAt(response, 'toolCalls');

/** The mutants of surviving text and calls. */
export const responseFaults: ManagerFaults = {
  'trims-text': edits((response) => ({ content: textAt(response, 'content').trim() })),
  'rewrites-stop': edits(() => ({ stopReason: 'end_turn' })),
  'rewrites-arguments': edits((response) => ({
    toolCalls: callsOf(response).map((call) => {
      const { mode: _, ...input } = objectAt(call, 'input');
      return isObject(call['input']) ? { ...call, input } : call;
    }),
  })),
  'spells-max-tokens': edits(() => ({ stopReason: 'max_tokens' })),
  'forgets-members': editMembers(op, (ok, request) => {
    if (!isCut(objectAt(request, 'response'))) return undefined;
    const { content, toolCalls, stopReason, open } = objectAt(ok, 'response');
    const known = { content, toolCalls, stopReason, open };
    return {
      response: Object.fromEntries(
        Object.entries(known).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])),
      ),
    };
  }),
  'turns-order': edits((response) => ({ toolCalls: json(callsOf(response).toReversed()) })),
  'sorts-survivors': edits((response) => ({
    toolCalls: json(callsOf(response).toSorted((a, b) => (textAt(a, 'id') < textAt(b, 'id') ? -1 : 1))),
  })),
};
