/** Testees that read a response or its calls wrongly in a rare case. */
import { exactText, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { editMembers, json, listAt, mutant, objectAt, textAt } from './mutant.ts';
import { callsOf, edits } from './response.ts';
import { op, others } from './survivors.ts';

/** Drops the calls with few arguments of a response that the limit did not end. */
const actsOn = (test: (response: JsonObject) => boolean): AnswerFault =>
  editMembers(op, (ok, request) => {
    const response = objectAt(ok, 'response');
    const calls = listAt(response, 'toolCalls').filter(
      ({ input }) => Object.keys(isObject(input) ? input : {}).length > 1,
    );
    return test(objectAt(request, 'response'))
      ? { response: { ...response, toolCalls: json(calls) } }
      : undefined;
  });

/** Keeps an open call when its arguments are whole JSON. */
const believesWholeJson: AnswerFault = editMembers(op, (ok, request) => {
  const given = objectAt(request, 'response');
  return textAt(objectAt(given, 'open'), 'partial').endsWith('"}')
    ? { response: { ...objectAt(ok, 'response'), toolCalls: json(listAt(given, 'toolCalls')) } }
    : undefined;
});

/** The mutants of rare calls and stop reasons. */
export const callMutants: readonly Mutant[] = [
  mutant(
    1,
    'acts-without-reason',
    'It acts on a response without a stop reason.',
    actsOn((response) => response['stopReason'] === undefined),
  ),
  mutant(
    1,
    'acts-on-max',
    'It acts on every stop reason with the word max.',
    actsOn((response) => textAt(response, 'stopReason') === 'max_turns'),
  ),
  mutant(
    2,
    'completes-arguments',
    'It replaces null as arguments by {}.',
    edits((response) => ({
      toolCalls: json(callsOf(response).map((call) => ({ ...call, input: call['input'] ?? {} }))),
    })),
  ),
  mutant(
    2,
    'forgets-call-members',
    'It keeps only the members of calls that it knows.',
    edits((response) => ({
      toolCalls: json(
        callsOf(response).map(({ id = '', name = '', input }) =>
          input === undefined ? { id, name } : { id, name, input },
        ),
      ),
    })),
  ),
  mutant(
    4,
    'inherits-names',
    'It finds a required parameter on the prototype of the arguments.',
    others(
      (right, is) => right || is,
      (input, schema) => exactText([schema, input]).includes('constructor'),
    ),
  ),
  mutant(
    5,
    'drops-empty-optional',
    'It drops calls with an empty optional text.',
    others(
      (right, is) => right && !is,
      (input) => isObject(input) && input['title'] === '',
    ),
  ),
  mutant(
    9,
    'one-call-an-id',
    'It keeps one call of each id.',
    edits((response) => ({
      toolCalls: json(
        callsOf(response).filter((call, i, all) => all.findIndex(({ id }) => id === call['id']) === i),
      ),
    })),
  ),
  mutant(
    47,
    'believes-whole-json',
    'It keeps an open call whose arguments are whole JSON.',
    believesWholeJson,
  ),
];
