/** How mutants of turns are made: another provider is heard, other things are done, another history is left. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { editIncoming, editMembers, json, listAt, objectAt, textAt } from './mutant.ts';

const op = 'tokens.turn';

/** Does other things; undefined: the same. */
export const does = (
  edit: (actions: readonly JsonObject[], request: JsonObject) => readonly JsonObject[] | undefined,
): AnswerFault =>
  editMembers(op, (ok, request) => {
    const actions = edit(listAt(ok, 'actions'), request);
    return actions && { actions: json(actions) };
  });

/** Leaves another history; undefined: the same. */
export const remembers = (
  edit: (history: readonly JsonObject[], request: JsonObject) => readonly JsonObject[] | undefined,
): AnswerFault =>
  editMembers(op, (ok, request) => {
    const history = edit(listAt(ok, 'history'), request);
    return history && { history: json(history) };
  });

/** Hears something else from the provider. */
const hearsFrom = (edit: (answer: JsonObject) => JsonObject): AnswerFault =>
  editIncoming(op, (request) => ({ provider: json(listAt(request, 'provider').map(edit)) }));

/** Hears another response. */
export const responds = (edit: (response: JsonObject) => JsonObject): AnswerFault =>
  hearsFrom((answer) => ('response' in answer ? { response: edit(objectAt(answer, 'response')) } : answer));

/** Hears another failure. */
export const fails = (edit: (error: JsonObject) => JsonObject): AnswerFault =>
  hearsFrom((answer) => ('error' in answer ? { error: edit(objectAt(answer, 'error')) } : answer));

/** Whether something is sent. */
export const isSend = (action: JsonObject): boolean => action['do'] === 'send';

/** Does not warn with codes that contain a word. */
export const silentOn = (word: string): AnswerFault =>
  does((actions) =>
    actions.filter((action) => action['do'] !== 'warn' || !textAt(action, 'code').includes(word)),
  );
