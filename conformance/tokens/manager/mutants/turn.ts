/** Testees with a fault in a turn: their reaction to a response. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { editActions, isSend, editHistory, editResponses, removeWarnings } from './turn-mutant.ts';
import { json, listAt, mutant, objectAt, textAt } from './mutant.ts';

const stops: readonly string[] = ['end_turn', 'stop_sequence', 'refusal', 'content_filter'];

const runsAnyway: AnswerFault = editResponses((response) =>
  stops.includes(textAt(response, 'stopReason')) && listAt(response, 'toolCalls').length > 0
    ? { ...response, stopReason: 'tool_use' }
    : response,
);

const hasResults = (message: JsonObject): boolean => listAt(message, 'toolResults').length > 0;
const hasCalls = (message: JsonObject): boolean => listAt(message, 'toolCalls').length > 0;

/** Whether the turn ended with calls that did not run. */
const endsPending = (request: JsonObject): boolean => {
  const last = objectAt(listAt(request, 'provider').at(-1) ?? {}, 'response');
  return listAt(last, 'toolCalls').length > 0 && stops.includes(textAt(last, 'stopReason'));
};

const leavesPending: AnswerFault = editHistory((history, request) =>
  endsPending(request) ? history.filter((message) => !hasResults(message)) : undefined,
);

const forgetsPending: AnswerFault = editHistory((history, request) => {
  if (!endsPending(request)) return undefined;
  return history
    .filter((message) => !hasResults(message))
    .map((message) => {
      const { toolCalls: _, ...rest } = message;
      return hasCalls(message) ? { ...rest, content: textAt(message, 'content') || 'I stop.' } : message;
    });
});

/** Runs an open call after repairing it. */
const runsOpen: AnswerFault = editResponses((response) => {
  const { open, ...rest } = response;
  return open === undefined || response['stopReason'] !== 'max_tokens'
    ? response
    : { ...rest, stopReason: 'tool_use' };
});

const failed = (request: JsonObject): boolean => 'error' in (listAt(request, 'provider').at(-1) ?? {});

/** After a failure, keeps the calls and drops their results. */
const losesResults: AnswerFault = editHistory((history, request) =>
  failed(request) && history.at(-1) !== undefined && hasResults(history.at(-1) ?? {})
    ? history.slice(0, -1)
    : undefined,
);

/** Adds a message to the history when the model's first text was blank. */
const remembersBeside = (content: string): AnswerFault =>
  editHistory((history, request) => {
    const [first] = listAt(request, 'provider');
    if (textAt(objectAt(first ?? {}, 'response'), 'content').trim() !== '') return undefined;
    return [...history, { role: history.at(-1)?.['role'] === 'user' ? 'assistant' : 'user', content }];
  });

const remembersNothing: AnswerFault = remembersBeside('');
const remembersSpace: AnswerFault = remembersBeside(' \n');

const wasCut = (request: JsonObject): boolean =>
  textAt(objectAt(listAt(request, 'provider')[0] ?? {}, 'response'), 'stopReason') === 'max_tokens';

/** Sends the same request again after a dropped call. */
const sendsTheSame: AnswerFault = editActions((actions, request) => {
  const first = actions.find(isSend);
  return wasCut(request) && listAt(request, 'provider').length < 4
    ? actions.map((action) => (isSend(action) && first !== undefined ? first : action))
    : undefined;
});

/** Sends again as often as the provider answers. */
const neverGivesUp: AnswerFault = editActions((actions, request) => {
  const provider = listAt(request, 'provider');
  if (!wasCut(request) || provider.length < 20) return undefined;
  const send = actions.findLast(isSend);
  const more = provider.flatMap(() => [{ do: 'retry', delay: 0, code: 'dropped' }, send ?? {}]);
  return [...actions.slice(0, -1), ...more, ...actions.slice(-1)];
});

/** Known stop reasons of providers. */
const known = [
  ...stops,
  'tool_use',
  'max_tokens',
  'max_output_tokens',
  'context_window',
  'pause_turn',
  'cancelled',
  'error',
];

const takesUnknown = (stopReason: string): AnswerFault =>
  editResponses((response) =>
    known.includes(textAt(response, 'stopReason')) ? response : { ...response, stopReason },
  );

/** Believes tool_use, and runs the open call. */
const believesToolUse: AnswerFault = editResponses((response) => {
  const { open, ...rest } = response;
  return open !== undefined && response['stopReason'] === 'tool_use' ? rest : response;
});

/** Replaces arguments that are not an object by an empty object, and runs the call. */
const runsBadInput: AnswerFault = editResponses((response) =>
  response['stopReason'] === 'tool_use'
    ? {
        ...response,
        toolCalls: json(
          listAt(response, 'toolCalls').map((call) =>
            isObject(call['input']) ? call : { ...call, input: {} },
          ),
        ),
      }
    : response,
);

/** Sends a history as it was given. */
const sendsAsGiven = (test: (history: readonly JsonObject[]) => boolean): AnswerFault =>
  editActions((actions, request) => {
    const history = listAt(request, 'history');
    if (!test(history)) return undefined;
    return actions.map((action) => (isSend(action) ? { ...action, messages: json(history) } : action));
  });

const hasOpenCalls = (history: readonly JsonObject[]): boolean =>
  history.some((message, i) => hasCalls(message) && !hasResults(history[i + 1] ?? {}));

const hasEmptyMessage = (history: readonly JsonObject[]): boolean =>
  history.some((message) => message['content'] === '' && !hasCalls(message) && !hasResults(message));

/** Keeps the empty response that was cancelled. */
const keepsCancelled: AnswerFault = editHistory((history, request) => {
  const last = objectAt(listAt(request, 'provider').at(-1) ?? {}, 'response');
  const isEmpty = last['stopReason'] === 'cancelled' && last['content'] === '' && !hasCalls(last);
  return isEmpty ? [...history, { role: 'assistant', content: '' }] : undefined;
});

/** Replaces the results of two or more calls. */
const editSeveralResults = (edit: (results: readonly JsonObject[]) => readonly JsonObject[]): AnswerFault =>
  editHistory((history) =>
    history.map((message) => {
      const results = listAt(message, 'toolResults');
      return results.length > 1 ? { ...message, toolResults: json(edit(results)) } : message;
    }),
  );

/** The mutants of reactions to a response. */
export const turnMutants: readonly Mutant[] = [
  mutant(14, 'runs-anyway', 'It runs calls with any stop reason.', runsAnyway),
  mutant(14, 'leaves-pending', 'It leaves calls without results when a turn ends.', leavesPending),
  mutant(14, 'forgets-pending', 'It drops calls that did not run from the history.', forgetsPending),
  mutant(40, 'unknown-in-silence', 'It does not warn of an unknown stop reason.', removeWarnings('unknown')),
  mutant(
    40,
    'unknown-is-end-turn',
    'It treats an unknown stop reason as the end of the turn.',
    takesUnknown('end_turn'),
  ),
  mutant(
    40,
    'unknown-is-tool-use',
    'It treats an unknown stop reason as tool_use.',
    takesUnknown('tool_use'),
  ),
  mutant(
    40,
    'one-spelling-of-window',
    'It does not know context_window_exceeded.',
    editResponses((response) =>
      response['stopReason'] === 'context_window_exceeded'
        ? { ...response, stopReason: 'window_exceeded' }
        : response,
    ),
  ),
  mutant(47, 'runs-open', 'It repairs a cut call and runs it.', runsOpen),
  mutant(51, 'believes-tool-use', 'It runs an open call when the stop reason is tool_use.', believesToolUse),
  mutant(50, 'runs-bad-input', 'It runs calls whose arguments are not an object.', runsBadInput),
  mutant(
    40,
    'makes-up-stops',
    'It stops with a word of its own after a refusal.',
    editActions((actions) =>
      actions.map((action) =>
        action['do'] === 'stop' && action['code'] === 'refusal' ? { ...action, code: 'finished' } : action,
      ),
    ),
  ),
  mutant(48, 'sends-open-calls', 'It sends a history with open calls as it is.', sendsAsGiven(hasOpenCalls)),
  mutant(
    48,
    'sends-empty-messages',
    'It sends a history with an empty message as it is.',
    sendsAsGiven(hasEmptyMessage),
  ),
  mutant(48, 'keeps-cancelled', 'It keeps an empty response that was cancelled.', keepsCancelled),
  mutant(
    52,
    'reverses-results',
    'It reverses the results of calls.',
    editSeveralResults((results) => results.toReversed()),
  ),
  mutant(
    48,
    'swaps-results',
    'It gives each call the result of another call.',
    editSeveralResults((results) =>
      results.some(({ isError }) => isError === true)
        ? results
        : results.map((result, i) => ({ ...result, id: results.at(-1 - i)?.['id'] ?? '' })).toReversed(),
    ),
  ),
  mutant(48, 'remembers-nothing', 'It keeps an empty message of the model.', remembersNothing),
  mutant(48, 'remembers-space', 'It keeps a message with only white space.', remembersSpace),
  mutant(48, 'fails-pending', 'It drops the results of calls when a turn fails.', losesResults),
  mutant(49, 'sends-the-same', 'After a dropped call it sends the same again.', sendsTheSame),
  mutant(49, 'never-gives-up', 'It retries as often as calls are dropped.', neverGivesUp),
];
