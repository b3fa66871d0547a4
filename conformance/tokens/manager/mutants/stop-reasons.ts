/** Testees that mistake the stop reason of a response for the limit, or the limit for another. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { op } from './survivors.ts';
import { editMembers, json, listAt, objectAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';

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

/** The mutants of stop reasons. */
export const stopReasonFaults: ManagerFaults = {
  'acts-on-end-turn': actsOn((r) => r === 'end_turn'),
  'acts-on-tool-use': actsOn((r) => r === 'tool_use'),
  'acts-on-context-window': actsOn((r) => r === 'context_window'),
  'one-spelling': editMembers(op, (_, request) =>
    stopsOf(request) === 'max_output_tokens' ? { response: objectAt(request, 'response') } : undefined,
  ),
};
