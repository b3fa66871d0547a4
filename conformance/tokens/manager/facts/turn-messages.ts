/** Facts of the messages of `tokens.turn`: of its sends, its compactions, and the history after it. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import { difference, exercisedUnless, mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { Facts } from '../../../../src/kit/testee/index.ts';
import { conversationFault, leastTokens, readMessages, resultOrderFault } from './conversation.ts';
import { toolContextFault, toolContextOf } from './tool-context.ts';
import { actionTypes, actionsOf, ofTurn, warningFault } from './turn-answer.ts';
import { idList, objectsIn, textOf, textsIn } from './values.ts';

/** There is a compaction between the first two sends, and the second send is smaller. */
const compacts = ofTurn(({ actions }) => {
  const first = actions.findIndex((action) => action['do'] === 'send');
  const next = actions.findIndex((action, i) => i > first && action['do'] === 'send');
  if (first === -1 || next === -1) return mismatch('compact, and a second send', actionTypes(actions));
  if (actionsOf(actions.slice(first, next), 'compact').length === 0)
    return mismatch(
      'compact between the first send and the second',
      actionTypes(actions.slice(first, next + 1)),
    );
  const [before, after] = [actions[first], actions[next]].map((send) => readMessages(send?.['messages']));
  if (before === undefined || after === undefined || typeof before === 'string' || typeof after === 'string')
    return 'exercised';
  return leastTokens(after) < leastTokens(before)
    ? 'exercised'
    : mismatch(`fewer than ${leastTokens(before)} tokens in the second send`, `${leastTokens(after)}`);
});

/** No send equals the one before it. */
const differs = ofTurn(({ sends: sent }) => {
  if (sent.length < 2 || sent.some(({ messages }) => messages === undefined)) return undefined;
  const same = sent.findIndex(
    (send, i) => i > 0 && difference('send', sent[i - 1] ?? null, send) === undefined,
  );
  return same === -1
    ? 'exercised'
    : mismatch('a retry that differs from what was sent before', `send ${same + 1} like ${same}`);
});

/** Any provider accepts every message list of a turn. */
const sound = ofTurn(({ actions, sends: sent, history }) => {
  for (const [i, send] of sent.entries()) {
    const messages = send['messages'] === undefined ? [] : readMessages(send['messages'], `send ${i + 1}`);
    const fault = typeof messages === 'string' ? messages : conversationFault(messages);
    if (fault !== undefined) return { violated: `send ${i + 1}: ${fault}` };
  }
  const pending = actions.at(-1)?.['do'] === 'run_tools';
  const fault = conversationFault(history, { pending });
  return history.length === 0
    ? undefined
    : exercisedUnless(fault === undefined ? undefined : `history: ${fault}`);
});

/**
 * The messages with these marks survive compacting with their whole text. They may be joined with others. A `compact`
 * without messages is judged by the next send.
 */
const compactedKeeps = ofTurn(({ actions }, wanted, request) => {
  const first = actions.findIndex((action) => action['do'] === 'compact');
  const after = actions.slice(first).find(({ messages }) => messages !== undefined);
  const messages = first === -1 || after === undefined ? undefined : readMessages(after['messages']);
  if (messages === undefined || typeof messages === 'string') return undefined;
  const given = objectsIn(request['history']).map(({ content }) => textOf(content));
  const missing = textsIn(wanted).filter((mark) => {
    const whole = given.find((text) => text.includes(mark)) ?? mark;
    return !messages.some(({ content }) => content.includes(whole));
  });
  return missing.length === 0
    ? 'exercised'
    : mismatch(`the messages ${idList(missing)} after compacting`, 'others, or not the whole of their texts');
});

/** The messages with these marks are in every send. */
const sendsKeep = ofTurn(({ sends: sent }, wanted) => {
  for (const [i, { messages }] of sent.entries()) {
    const read = messages === undefined ? [] : readMessages(messages, `send ${i + 1}`);
    if (typeof read === 'string') return { violated: read };
    const missing = textsIn(wanted).filter((mark) => !read.some(({ content }) => content.includes(mark)));
    if (read.length > 0 && missing.length > 0)
      return mismatch(`the messages ${idList(missing)} in send ${i + 1}`, 'others');
  }
  return sent.length > 1 && sent.every(({ messages }) => messages !== undefined) ? 'exercised' : undefined;
});

/**
 * The last calls of the history have results with these texts, in their order; null stands for any text. A manager that
 * does not know the `output` of tools has none of the texts, and is not judged.
 */
const results = ofTurn(({ history }, wanted) => {
  const texts = isArray(wanted) ? wanted : [];
  const calls = toolContextOf(history.map(({ json }) => json)).slice(-texts.length);
  const contentOf = (i: number): string => calls[i]?.result?.content ?? '';
  if (calls.length < texts.length) return mismatch(`${texts.length} calls with results`, `${calls.length}`);
  const failed = calls.find(({ result }, i) => texts[i] !== null && result?.isError !== false);
  if (failed !== undefined)
    return mismatch(`a result of ${shown(failed.id)} that is no error`, shown(failed.result?.content));
  const asked = texts.flatMap((text, i) => (typeof text === 'string' ? [{ text, i }] : []));
  if (!asked.some(({ i }) => asked.some(({ text }) => contentOf(i).includes(text)))) return undefined;
  const wrong = asked.find(({ text, i }) => !contentOf(i).includes(text));
  return wrong === undefined
    ? 'exercised'
    : mismatch(
        `a result of ${shown(calls[wrong.i]?.id)} with ${shown(wrong.text)}`,
        shown(contentOf(wrong.i)),
      );
});

/** The calls of the given history are in the first send and in the history after the turn, with their results. */
const toolContext = ofTurn(({ sends: [first], history }, _, request) => {
  const given = toolContextOf(objectsIn(request['history']));
  const sent = first?.['messages'] === undefined ? undefined : objectsIn(first['messages']);
  const after = history.map(({ json }) => json);
  for (const messages of sent === undefined ? [after] : [sent, after]) {
    const fault = toolContextFault(given, toolContextOf(messages));
    if (fault !== undefined) return { violated: `${messages === after ? 'history' : 'send 1'}: ${fault}` };
  }
  return 'exercised';
});

const resultOrder = ofTurn(({ history }) => exercisedUnless(resultOrderFault(history)));

/** The tokens that a send must leave free: TOK-24, "estimate+200". */
const margin = 200;

/** Every request fits the budget, with no usage before. */
const sendsFit = ofTurn(({ sends: sent, actions }, _, request) => {
  const { maxTokens, reserveTokens } = isObject(request['config']) ? request['config'] : {};
  const room = Number(maxTokens) - Number(reserveTokens) - margin;
  const sizes = sent.flatMap(({ messages }) => {
    const read = readMessages(messages);
    return typeof read === 'string' ? [] : [leastTokens(read)];
  });
  const large = sizes.find((size) => size > room);
  if (large !== undefined) return mismatch(`no request of more than ${room} tokens to be sent`, `${large}`);
  return exercisedUnless(sent.length === 0 ? warningFault(actions, 'budget') : undefined);
});

export const turnMessageFacts: Facts = {
  compacts,
  compactedKeeps,
  sendsKeep,
  results,
  toolContext,
  resultOrder,
  differs,
  sound,
  sendsFit,
};
