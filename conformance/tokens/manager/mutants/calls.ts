/** Testees that read a response or its calls wrongly in a rare case. */
import { exactText, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { editMembers, json, listAt, objectAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';
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
export const callFaults: ManagerFaults = {
  'acts-without-reason': actsOn((response) => response['stopReason'] === undefined),
  'acts-on-max': actsOn((response) => textAt(response, 'stopReason') === 'max_turns'),
  'completes-arguments': edits((response) => ({
    toolCalls: json(callsOf(response).map((call) => ({ ...call, input: call['input'] ?? {} }))),
  })),
  'forgets-call-members': edits((response) => ({
    toolCalls: json(
      callsOf(response).map(({ id = '', name = '', input }) =>
        input === undefined ? { id, name } : { id, name, input },
      ),
    ),
  })),
  'inherits-names': others(
    (right, is) => right || is,
    (input, schema) => exactText([schema, input]).includes('constructor'),
  ),
  'drops-empty-optional': others(
    (right, is) => right && !is,
    (input) => isObject(input) && input['title'] === '',
  ),
  'one-call-an-id': edits((response) => ({
    toolCalls: json(
      callsOf(response).filter((call, i, all) => all.findIndex(({ id }) => id === call['id']) === i),
    ),
  })),
  'believes-whole-json': believesWholeJson,
};
