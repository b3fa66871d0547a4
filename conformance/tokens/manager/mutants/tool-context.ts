/** Testees that change calls or results of a conversation that they must keep. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { tokensTestee } from '../../../../src/tokens/index.ts';
import { editPruned, isResults } from './messages.ts';
import { editMembers, json, listAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';

/** Edits each message before the last turns of a pruned conversation. */
const editOld = (edit: (message: JsonObject) => JsonObject): AnswerFault =>
  editPruned(({ left }) => left.map((message, i) => (i < left.length - 4 ? edit(message) : message)));

const editResults =
  (edit: (result: JsonObject, i: number) => JsonObject) =>
  (message: JsonObject): JsonObject =>
    isResults(message)
      ? { ...message, toolResults: json(listAt(message, 'toolResults').map(edit)) }
      : message;

const cancelled = { content: 'The tool did not run.', isError: true };

/** The results of calls whose id came before are cancelled. */
const cancelsRepeatedIds: AnswerFault = editPruned(({ left, given }) => {
  const ids = given.flatMap((message) => listAt(message, 'toolCalls').map(({ id }) => id));
  if (new Set(ids).size === ids.length) return undefined;
  const last = left.findLastIndex(isResults);
  return left.map((message, i) =>
    i === last ? editResults((result) => ({ ...result, ...cancelled }))(message) : message,
  );
});

/** Loses the text of messages with results. */
const losesText: AnswerFault = editPruned(({ left }) =>
  left.map((message) => (isResults(message) ? { ...message, content: '' } : message)),
);

const firstLines = (text: string): string => text.split('\n').slice(0, 3).join('\n');

/** Edits every conversation of a turn: what is sent, and the history. */
const editConversations = (
  edit: (messages: readonly JsonObject[], request: JsonObject) => readonly JsonObject[],
): AnswerFault =>
  editMembers('tokens.turn', (ok, request) => ({
    actions: listAt(ok, 'actions').map((action) =>
      'messages' in action
        ? { ...action, messages: json(edit(listAt(action, 'messages'), request)) }
        : action,
    ),
    history: json(edit(listAt(ok, 'history'), request)),
  }));

/** Of the results that came in two messages, the second ones are lost. */
const losesJoined: AnswerFault = editConversations((messages, request) => {
  const given = listAt(request, 'history');
  const apart = given.some((message, i) => isResults(message) && isResults(given[i + 1] ?? {}));
  return apart
    ? messages.map(editResults((result, i) => (i > 0 ? { ...result, ...cancelled } : result)))
    : messages;
});

/** Whether the given history ends with calls. */
const endsCalling = (request: JsonObject): boolean =>
  listAt(listAt(request, 'history').at(-1) ?? {}, 'toolCalls').length > 0;

/** Of several calls without a result, only the first one gets one. */
const pairsTheFirst: AnswerFault = editConversations((messages, request) =>
  messages.map((message) => {
    if (!endsCalling(request)) return message;
    const results = listAt(message, 'toolResults');
    const isOpen =
      results.length > 1 && results.every((one) => textAt(one, 'content').startsWith('Cancelled'));
    return isOpen ? { ...message, toolResults: json(results.slice(0, 1)) } : message;
  }),
);

/** The mutants of tool context. */
export const toolContextFaults: ManagerFaults = {
  'replaces-old-results': editOld(
    editResults((result) => ({ ...result, content: 'An old result was removed.' })),
  ),
  'empties-old-arguments': editOld((message) => {
    const calls = listAt(message, 'toolCalls');
    return calls.length === 0
      ? message
      : { ...message, toolCalls: json(calls.map((call) => ({ ...call, input: {} }))) };
  }),
  'keeps-one-result': editOld(editResults((result, i) => (i > 0 ? { ...result, ...cancelled } : result))),
  'forgets-errors': editOld(editResults((result) => ({ ...result, isError: false }))),
  'cuts-without-marker': editOld(
    editResults((result) => ({ ...result, content: firstLines(textAt(result, 'content')) })),
  ),
  'loses-text-beside-results': losesText,
  'cancels-repeated-ids': cancelsRepeatedIds,
  'loses-joined-results': losesJoined,
  'pairs-the-first': pairsTheFirst,
  'reads-doubles': { make: () => testeeOf(tokensTestee) },
};
