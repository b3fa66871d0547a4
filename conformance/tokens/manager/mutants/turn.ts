/** Testees with a fault in a turn: their reaction to a response. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { editActions, isSend, editHistory, editResponses, removeWarnings } from './turn-mutant.ts';
import { json, listAt, objectAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';

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
export const turnFaults: ManagerFaults = {
  'runs-anyway': runsAnyway,
  'leaves-pending': leavesPending,
  'forgets-pending': forgetsPending,
  'unknown-in-silence': removeWarnings('unknown'),
  'unknown-is-end-turn': takesUnknown('end_turn'),
  'unknown-is-tool-use': takesUnknown('tool_use'),
  'one-spelling-of-window': editResponses((response) =>
    response['stopReason'] === 'context_window_exceeded'
      ? { ...response, stopReason: 'window_exceeded' }
      : response,
  ),
  'runs-open': runsOpen,
  'believes-tool-use': believesToolUse,
  'runs-bad-input': runsBadInput,
  'makes-up-stops': editActions((actions) =>
    actions.map((action) =>
      action['do'] === 'stop' && action['code'] === 'refusal' ? { ...action, code: 'finished' } : action,
    ),
  ),
  'sends-open-calls': sendsAsGiven(hasOpenCalls),
  'sends-empty-messages': sendsAsGiven(hasEmptyMessage),
  'keeps-cancelled': keepsCancelled,
  'reverses-results': editSeveralResults((results) => results.toReversed()),
  'swaps-results': editSeveralResults((results) =>
    results.some(({ isError }) => isError === true)
      ? results
      : results.map((result, i) => ({ ...result, id: results.at(-1 - i)?.['id'] ?? '' })).toReversed(),
  ),
  'remembers-nothing': remembersNothing,
  'remembers-space': remembersSpace,
  'fails-pending': losesResults,
  'sends-the-same': sendsTheSame,
  'never-gives-up': neverGivesUp,
};
