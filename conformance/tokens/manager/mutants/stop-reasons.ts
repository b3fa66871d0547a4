/** Testees that mistake the stop reason of a response for the limit, or the limit for another. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { op } from './survivors.ts';
import { editMembers, json, listAt, mutant, objectAt, textAt } from './mutant.ts';

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
export const stopReasonMutants: readonly Mutant[] = [
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
    'It treats context_window as max_tokens.',
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
];
