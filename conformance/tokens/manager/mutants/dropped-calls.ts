/** Testees that hide dropped calls, replace the text beside them, or ignore what must be dropped. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { isCut, op, replaceSurvivors } from './survivors.ts';
import { editMembers, listAt, mutant, objectAt } from './mutant.ts';
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
export const droppedCallMutants: readonly Mutant[] = [
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
];
