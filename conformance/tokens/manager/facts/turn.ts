/** Facts of `tokens.turn`: the actions in order, and the history after them. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { difference, mismatch, shown, exercisedUnless } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { idList, objectsIn, textOf, textsIn } from './values.ts';
import { leastTokens, readMessages, conversationFault } from '../conversation.ts';
import type { Message } from '../conversation.ts';

/** The turn in a testee's answer. */
interface Came {
  readonly actions: readonly JsonObject[];
  readonly sends: readonly JsonObject[];
  readonly history: readonly Message[];
}

const isAction = (actions: readonly JsonObject[], what: string): readonly JsonObject[] =>
  actions.filter((action) => action['do'] === what);

/** A fact of a whole turn. */
const ofTurn =
  (judge: (came: Came, wanted: Json, request: JsonObject) => Judgement): Fact =>
  (wanted, ok, request) => {
    if (!Array.isArray(ok['actions'])) return mismatch('actions as an array', shown(ok['actions']));
    const actions = objectsIn(ok['actions']);
    const history = readMessages(ok['history'], 'history');
    if (typeof history === 'string') return { violated: history };
    return judge({ actions, sends: isAction(actions, 'send'), history }, wanted, request);
  };

/** The types of the actions, for messages. */
const actionTypes = (actions: readonly JsonObject[]): string =>
  idList(actions.map((action) => textOf(action['do'])));

/** The number of requests that were sent: `{atLeast?, atMost?}`. */
const sends = ofTurn(({ sends: { length }, actions }, wanted) => {
  const { atLeast = 0, atMost = Number.MAX_SAFE_INTEGER } = isObject(wanted) ? wanted : {};
  if (length < Number(atLeast)) return mismatch(`${shown(atLeast)} or more to be sent`, actionTypes(actions));
  return length <= Number(atMost)
    ? 'exercised'
    : mismatch(`${shown(atMost)} or fewer to be sent`, `${length}`);
});

/** A warning whose code contains a word. */
const warns = ofTurn(({ actions }, wanted) => {
  const codes = isAction(actions, 'warn').map(({ code }) => textOf(code));
  return codes.some((code) => code.includes(textOf(wanted)))
    ? 'exercised'
    : mismatch(`a warning ${shown(wanted)}`, idList(codes));
});

/** No warning has a code with this word. It is exercised when something was sent. */
const silentOn = ofTurn(({ actions, sends: sent }, wanted) => {
  const codes = isAction(actions, 'warn').map(({ code }) => textOf(code));
  if (sent.length === 0) return undefined;
  return codes.some((code) => code.includes(textOf(wanted)))
    ? mismatch(`no warning ${shown(wanted)}`, idList(codes))
    : 'exercised';
});

/** The last action. */
const ends = ofTurn(({ actions }, wanted) =>
  actions.at(-1)?.['do'] === wanted
    ? 'exercised'
    : mismatch(`${shown(wanted)} at the end`, actionTypes(actions)),
);

/** Whether an action runs a call: one with an empty list of ids runs none. */
const runsCalls = ({ ids }: JsonObject): boolean => !Array.isArray(ids) || ids.length > 0;

/** Whether tools were run. */
const runsTools = ofTurn(({ actions }, wanted) => {
  const runs = isAction(actions, 'run_tools').some(runsCalls);
  return runs === wanted
    ? 'exercised'
    : mismatch(wanted === true ? 'tools to run' : 'no tools to run', actionTypes(actions));
});

/** These calls are in no message, and did not run. */
const without = ofTurn(({ actions, history }, wanted) => {
  const ids = textsIn(wanted);
  const run = isAction(actions, 'run_tools').flatMap((action) => textsIn(action['ids']));
  const called = [...run, ...history.flatMap(({ calls }) => calls)].filter((id) => ids.includes(id));
  return called.length === 0
    ? 'exercised'
    : mismatch(`no call ${idList(ids)}`, `a turn with ${idList(called)}`);
});

/** These calls are in the history, with results that say they did not run. */
const cancelled = ofTurn(({ history }, wanted) => {
  const results = history.flatMap(({ json }) => objectsIn(json['toolResults']));
  const lacking = textsIn(wanted).filter(
    (id) =>
      !results.some(
        (one) => one['id'] === id && one['isError'] === true && textOf(one['content']).trim() !== '',
      ),
  );
  return lacking.length === 0
    ? 'exercised'
    : mismatch(
        `results that say that ${idList(lacking)} did not run`,
        idList(results.map(({ id }) => textOf(id))),
      );
});

/** Whether a failed request was sent again. */
const retries = ofTurn(({ actions, sends: sent }, wanted) => {
  const again = sent.length > 1;
  if (sent.length === 0) return mismatch('something to be sent', actionTypes(actions));
  return again === wanted
    ? 'exercised'
    : mismatch(wanted === true ? 'a retry' : 'no retry', actionTypes(actions));
});

/** TOK-43: "±10%". */
const jitter = 0.1;

/** The delay of each retry (ms). There may be fewer retries: "at most". */
const delays = ofTurn(({ actions }, wanted) => {
  const expected = Array.isArray(wanted) ? wanted.map(Number) : [];
  const came = isAction(actions, 'retry').map(({ delay }) => delay);
  if (came.length === 0) return undefined;
  for (const [i, ms] of expected.slice(0, came.length).entries()) {
    const delay = came[i];
    if (typeof delay !== 'number' || Math.abs(delay - ms) > ms * jitter + 1)
      return mismatch(`retry ${i + 1} after ${ms} ms, give or take 10 %`, shown(delay));
  }
  return 'exercised';
});

/** There is a compaction between the first two sends, and the second send is smaller. */
const compacts = ofTurn(({ actions }) => {
  const first = actions.findIndex((action) => action['do'] === 'send');
  const next = actions.findIndex((action, i) => i > first && action['do'] === 'send');
  if (first === -1 || next === -1) return mismatch('compact, and a second send', actionTypes(actions));
  if (isAction(actions.slice(first, next), 'compact').length === 0)
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

/** The most compactions. */
const compactions = ofTurn(({ actions }, wanted) => {
  const { length } = isAction(actions, 'compact');
  return length <= Number(wanted)
    ? 'exercised'
    : mismatch(`compact ${shown(wanted)} times at most`, `${length}`);
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

/** The messages with these marks survive compacting. */
const compactedKeeps = ofTurn(({ actions }, wanted) => {
  const [compact] = isAction(actions, 'compact');
  const messages = compact === undefined ? undefined : readMessages(compact['messages']);
  if (messages === undefined || typeof messages === 'string') return undefined;
  const texts = messages.map(({ content }) => content);
  const missing = textsIn(wanted).filter((mark) => !texts.some((text) => text.includes(mark)));
  return missing.length === 0
    ? 'exercised'
    : mismatch(`the messages ${idList(missing)} after compacting`, 'none of these');
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

/** These calls have results in the history with these texts. The value maps ids to texts. */
const results = ofTurn(({ history }, wanted) => {
  const came = history.flatMap((message) => message.results);
  for (const [id, text] of Object.entries(isObject(wanted) ? wanted : {})) {
    const content = came.find((one) => one.id === id)?.content;
    if (content?.includes(textOf(text)) !== true)
      return mismatch(`a result of ${shown(id)} with ${shown(text)}`, shown(content));
  }
  return 'exercised';
});

/** The turn ends with `stop`, and one of these codes. */
const stops = ofTurn(({ actions }, wanted) => {
  const last = actions.at(-1) ?? {};
  return last['do'] === 'stop' && textsIn(wanted).includes(textOf(last['code']))
    ? 'exercised'
    : mismatch(`stop with the code ${idList(textsIn(wanted))}`, shown(last['code'] ?? last['do']));
});

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
  return sent.length === 0 ? warnsOfBudget(actions) : 'exercised';
});

const warnsOfBudget = (actions: readonly JsonObject[]): Judgement =>
  isAction(actions, 'warn').some(({ code }) => textOf(code).includes('budget'))
    ? 'exercised'
    : mismatch('a warning "budget" where nothing is sent', actionTypes(actions));

/** The facts of `tokens.turn`. */
export const turnFacts: Facts = {
  sends,
  warns,
  silentOn,
  ends,
  runsTools,
  without,
  cancelled,
  retries,
  delays,
  compacts,
  compactions,
  compactedKeeps,
  sendsKeep,
  results,
  stops,
  differs,
  sound,
  sendsFit,
};
