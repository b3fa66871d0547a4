/** Makes mutants of turns: faults in the provider's responses, the actions or the history. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { onRequest, editMembers, json, listAt, objectAt, textAt } from './mutant.ts';

const op = 'tokens.turn';

/** Replaces the actions. Undefined keeps them. */
export const editActions = (
  edit: (actions: readonly JsonObject[], request: JsonObject) => readonly JsonObject[] | undefined,
): AnswerFault =>
  editMembers(op, (ok, request) => {
    const actions = edit(listAt(ok, 'actions'), request);
    return actions && { actions: json(actions) };
  });

/** Replaces the history. Undefined keeps it. */
export const editHistory = (
  edit: (history: readonly JsonObject[], request: JsonObject) => readonly JsonObject[] | undefined,
): AnswerFault =>
  editMembers(op, (ok, request) => {
    const history = edit(listAt(ok, 'history'), request);
    return history && { history: json(history) };
  });

/** Replaces what the provider sends. */
const editProvider = (edit: (answer: JsonObject) => JsonObject): AnswerFault =>
  onRequest(op, (request) => ({ provider: json(listAt(request, 'provider').map(edit)) }));

/** Replaces responses of the provider. */
export const editResponses = (edit: (response: JsonObject) => JsonObject): AnswerFault =>
  editProvider((answer) =>
    'response' in answer ? { response: edit(objectAt(answer, 'response')) } : answer,
  );

/** Replaces failures of the provider. */
export const editFailures = (edit: (error: JsonObject) => JsonObject): AnswerFault =>
  editProvider((answer) => ('error' in answer ? { error: edit(objectAt(answer, 'error')) } : answer));

export const isSend = (action: JsonObject): boolean => action['do'] === 'send';

/** Removes warnings whose code contains a word. */
export const removeWarnings = (word: string): AnswerFault =>
  editActions((actions) =>
    actions.filter((action) => action['do'] !== 'warn' || !textAt(action, 'code').includes(word)),
  );
