/** Testees that prune or summarize wrongly. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { onRequest, editMembers, json, listAt, numberAt, objectAt, textAt } from './mutant.ts';
import type { ManagerFaults } from './mutant.ts';

const op = 'tokens.prune';

export const isResults = (message: JsonObject): boolean => listAt(message, 'toolResults').length > 0;
export const isCalling = (message: JsonObject): boolean => listAt(message, 'toolCalls').length > 0;
const isSystem = ({ role }: JsonObject): boolean => role === 'system';
const startsTurn = (message: JsonObject): boolean => message['role'] === 'user' && !isResults(message);

/** The turns of a conversation without its system messages. Messages before the first turn belong to it. */
function turnsOf(messages: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const turns: JsonObject[][] = [];
  for (const message of messages.filter((one) => !isSystem(one))) {
    if (turns.length === 0 || startsTurn(message)) turns.push([message]);
    else turns.at(-1)?.push(message);
  }
  return turns;
}

/** The input and the output of a pruner. */
interface Pruned {
  readonly left: readonly JsonObject[];
  readonly given: readonly JsonObject[];
  readonly keepTurns: number;
}

/** Replaces the pruned messages. Undefined keeps them. */
export const editPruned = (edit: (pruned: Pruned) => readonly JsonObject[] | undefined): AnswerFault =>
  editMembers(op, (ok, request) => {
    const left = edit({
      left: listAt(ok, 'messages'),
      given: listAt(request, 'messages'),
      keepTurns: 'keepTurns' in request ? numberAt(request, 'keepTurns') : 2,
    });
    return left && { messages: json(left) };
  });

/** Replaces the pruned messages when turns were dropped. */
const editPrunedTurns = (edit: (pruned: Pruned) => readonly JsonObject[] | undefined): AnswerFault =>
  editPruned((pruned) =>
    turnsOf(pruned.left).length < turnsOf(pruned.given).length ? edit(pruned) : undefined,
  );

/** Reads a smaller number of turns to keep, when there are old turns. */
const keepsOneLess: AnswerFault = onRequest(op, (request) => {
  const keepTurns = numberAt(request, 'keepTurns');
  const turns = turnsOf(listAt(request, 'messages')).length;
  return keepTurns > 1 && turns > keepTurns ? { keepTurns: keepTurns - 1 } : undefined;
});

/** Cuts the texts of the remaining turns. */
const shortens: AnswerFault = editPrunedTurns(({ left }) =>
  left.map((message) => ({
    ...message,
    content: Array.from(textAt(message, 'content')).slice(0, 100).join(''),
  })),
);

/** Drops old turns that have calls. */
const dropsTools: AnswerFault = editPruned(({ left, keepTurns }) => {
  const turns = turnsOf(left);
  const kept = turns.filter((turn, i) => i >= turns.length - keepTurns || !turn.some(isCalling));
  return [...left.filter(isSystem), ...kept.flat()];
});

/** Replaces the first old results by a text of the user. */
const losesResults: AnswerFault = editPrunedTurns(({ left }) => {
  const first = left.findIndex(isResults);
  return left.slice(first).some(startsTurn)
    ? left.map((message, i) => {
        const { toolResults: _, ...rest } = message;
        return i === first ? { ...rest, content: 'Go on.' } : message;
      })
    : undefined;
});

/** Cuts between a question and its answer: keeps the first question with the answer of a later one. */
const cutsTurns: AnswerFault = editPrunedTurns(({ left, given, keepTurns }) => {
  const [all, kept] = [turnsOf(given), turnsOf(left)];
  const [first = []] = all;
  const [oldest = [], ...others] = kept;
  if (kept.length <= keepTurns || all.some((turn) => turn.length !== 2)) return undefined;
  return [...left.filter(isSystem), ...first.slice(0, 1), ...oldest.slice(1), ...others.flat()];
});

/** Adds messages before the pruned ones. */
const prependMessages = (...messages: readonly JsonObject[]): AnswerFault =>
  editPrunedTurns(({ left }) => [
    ...left.filter(isSystem),
    ...messages,
    ...left.filter((one) => !isSystem(one)),
  ]);

const note = '[pruned] ';

/** Adds a note to the first message at each pruning. */
const notes: AnswerFault = editPruned(({ left, given }) => {
  const cut = turnsOf(left).length < turnsOf(given).length;
  const first = left.find((message) => !isSystem(message));
  if (first === undefined || !(cut || textAt(first, 'content').startsWith(note))) return undefined;
  return left.map((one) => (one === first ? { ...one, content: note + textAt(one, 'content') } : one));
});

/** Drops the first turn when the limit is exceeded and no turn is old. */
const dropsRecent: AnswerFault = editMembers(op, (ok, request) => {
  const left = listAt(ok, 'messages');
  const turns = turnsOf(listAt(request, 'messages'));
  const chars = left.reduce((n, message) => n + textAt(message, 'content').length, 0);
  const over = chars / 4 + 10 * left.length > numberAt(request, 'limit');
  if (!over || turns.length < 2 || turns.length > numberAt(request, 'keepTurns')) return undefined;
  return { messages: json([...left.filter(isSystem), ...turns.slice(1).flat()]) };
});

/** Returns a conversation with empty messages as it is when it fits. */
const keepsFitting: AnswerFault = editMembers(op, (_, request) => {
  const given = listAt(request, 'messages');
  const chars = given.reduce((n, message) => n + textAt(message, 'content').length, 0);
  const isTidy = given.every(
    (one) => textAt(one, 'content').trim() !== '' || isResults(one) || isCalling(one),
  );
  return isTidy || chars / 2 + 20 * given.length > numberAt(request, 'limit')
    ? undefined
    : { messages: json(given) };
});

/** Cuts a long text inside a surrogate pair, if there is one at either of two offsets. */
const cutText = (text: string): string => (text.length > 1500 ? text.slice(0, 1001) : text);

const cutsPairs: AnswerFault = editPruned(({ left }) =>
  left.map((message) => ({
    ...message,
    content: cutText(textAt(message, 'content')),
    ...(isResults(message)
      ? {
          toolResults: json(
            listAt(message, 'toolResults').map((one) => ({
              ...one,
              content: cutText(textAt(one, 'content')),
            })),
          ),
        }
      : {}),
  })),
);

/** Reads only some of several results. */
const editResults = (pick: (results: readonly JsonObject[]) => readonly JsonObject[]): AnswerFault =>
  onRequest(op, (request) => ({
    messages: listAt(request, 'messages').map((message) => {
      const results = listAt(message, 'toolResults');
      const twice = results.length > 1 && results.every(({ id }) => id === results[0]?.['id']);
      return twice ? { ...message, toolResults: json(pick(results)) } : message;
    }),
  }));

/** Keeps each result of a call. */
const keepsTwice: AnswerFault = editPruned(({ left, given }) => {
  const twice = given.find((message) => listAt(message, 'toolResults').length > 1);
  const [first, second] = twice === undefined ? [] : listAt(twice, 'toolResults');
  if (first === undefined || first['id'] !== second?.['id']) return undefined;
  return left.map((message) =>
    listAt(message, 'toolResults')[0]?.['id'] === first['id']
      ? { ...message, toolResults: json(listAt(twice ?? {}, 'toolResults')) }
      : message,
  );
});

/** Replaces the text of a summary. */
const editSummary = (edit: (content: string, request: JsonObject) => JsonObject): AnswerFault =>
  editMembers('tokens.summarize', (ok, request) => {
    const message = objectAt(ok, 'message');
    return { message: { ...message, ...edit(textAt(message, 'content'), request) } };
  });

const knownMembers = ['role', 'content', 'toolCalls', 'toolResults'];

const without = (words: RegExp): AnswerFault =>
  editSummary((content) => ({ content: content.replace(words, 'note') }));

export const messageFaults: ManagerFaults = {
  'drops-system': editPrunedTurns(({ left }) => left.filter((one) => !isSystem(one))),
  'keeps-one-less': keepsOneLess,
  'shortens-recent': shortens,
  'drops-tools': dropsTools,
  'parts-calls': losesResults,
  'cuts-turns': cutsTurns,
  'never-cuts': onRequest(op, () => ({ limit: 1e9 })),
  'assistant-first': prependMessages({ role: 'assistant', content: 'There was more before.' }),
  'user-twice': prependMessages({ role: 'user', content: 'There was more before.' }),
  'leaves-empties': prependMessages({ role: 'user', content: '' }, { role: 'assistant', content: '' }),
  'notes-again': notes,
  'keeps-empties-that-fit': keepsFitting,
  'forgets-message-members': editPruned(({ left }) =>
    left.map((message) =>
      Object.fromEntries(Object.entries(message).filter(([name]) => knownMembers.includes(name))),
    ),
  ),
  'drops-recent': dropsRecent,
  'cuts-pairs': cutsPairs,
  'summary-cuts-pairs': editSummary((content, request) => ({
    content: `${content}\n${textAt(listAt(request, 'messages')[0] ?? {}, 'content').slice(0, 31)}`,
  })),
  'believes-the-best': editResults((results) => [
    results.find(({ isError }) => isError !== true) ?? results[0] ?? {},
  ]),
  'believes-the-last': editResults((results) => results.slice(-1)),
  'keeps-both': keepsTwice,
  'no-issues': without(/issue|problem|error/gi),
  'no-status': without(/status|progress/gi),
  'summary-with-call': editSummary(() => ({ toolCalls: [{ id: 's', name: 'read', input: {} }] })),
};
