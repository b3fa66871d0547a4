/** Testees that hide dropped calls, replace the text next to them, or ignore what must be dropped. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { isCut, op, replaceSurvivors } from './survivors.ts';
import { editMembers, listAt, objectAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
import { edits, callsOf } from './response.ts';

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

/** The mutants of dropped calls. */
export const droppedCallFaults: ManagerFaults = {
  'drops-silently': names(() => []),
  'names-one': names((ids) => ids.slice(0, 1)),
  'always-strict': ignoresOption,
  'empties-text': edits((response) => (callsOf(response).length === 0 ? { content: '' } : undefined)),
  'says-something': edits((response) =>
    callsOf(response).length === 0 ? { content: 'The calls were incomplete.' } : undefined,
  ),
  'keeps-open': keepsOpen,
};
