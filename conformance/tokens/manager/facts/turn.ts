/** Facts of `tokens.turn`: what was sent and done, in which order, and the history that remains. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { difference, mismatch, shown, exercisedUnless } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { listed, objectsIn, textOf, textsIn } from './values.ts';
import { leastTokens, readMessages, unsoundIn } from '../conversation.ts';
import type { Message } from '../conversation.ts';

/** A turn as a testee answers it. */
interface Came {
  readonly actions: readonly JsonObject[];
  readonly sends: readonly JsonObject[];
  readonly history: readonly Message[];
}

const doing = (actions: readonly JsonObject[], what: string): readonly JsonObject[] =>
  actions.filter((action) => action['do'] === what);

/** A fact of a whole turn. */
const ofTurn =
  (judge: (came: Came, wanted: Json, request: JsonObject) => Judgement): Fact =>
  (wanted, ok, request) => {
    if (!Array.isArray(ok['actions'])) return mismatch('actions as an array', shown(ok['actions']));
    const actions = objectsIn(ok['actions']);
    const history = readMessages(ok['history'], 'history');
    if (typeof history === 'string') return { violated: history };
    return judge({ actions, sends: doing(actions, 'send'), history }, wanted, request);
  };

/** What was done, in few words. */
const inWords = (actions: readonly JsonObject[]): string =>
  listed(actions.map((action) => textOf(action['do'])));

/** How many requests were sent: `{atLeast?, atMost?}`. */
const sends = ofTurn(({ sends: { length }, actions }, wanted) => {
  const { atLeast = 0, atMost = Number.MAX_SAFE_INTEGER } = isObject(wanted) ? wanted : {};
  if (length < Number(atLeast)) return mismatch(`${shown(atLeast)} or more to be sent`, inWords(actions));
  return length <= Number(atMost)
    ? 'exercised'
    : mismatch(`${shown(atMost)} or fewer to be sent`, `${length}`);
});

/** A warning whose code contains a word. */
const warns = ofTurn(({ actions }, wanted) => {
  const codes = doing(actions, 'warn').map(({ code }) => textOf(code));
  return codes.some((code) => code.includes(textOf(wanted)))
    ? 'exercised'
    : mismatch(`a warning ${shown(wanted)}`, listed(codes));
});

/** No warning whose code contains a word, once something was sent. */
const silentOn = ofTurn(({ actions, sends: sent }, wanted) => {
  const codes = doing(actions, 'warn').map(({ code }) => textOf(code));
  if (sent.length === 0) return undefined;
  return codes.some((code) => code.includes(textOf(wanted)))
    ? mismatch(`no warning ${shown(wanted)}`, listed(codes))
    : 'exercised';
});

/** The last thing that is done. */
const ends = ofTurn(({ actions }, wanted) =>
  actions.at(-1)?.['do'] === wanted ? 'exercised' : mismatch(`${shown(wanted)} at the end`, inWords(actions)),
);

/** Whether tools were run. */
const runsTools = ofTurn(({ actions }, wanted) => {
  const runs = doing(actions, 'run_tools').length > 0;
  return runs === wanted
    ? 'exercised'
    : mismatch(wanted === true ? 'tools to run' : 'no tools to run', inWords(actions));
});

/** Calls that are in no message, and were not run. */
const without = ofTurn(({ actions, history }, wanted) => {
  const ids = textsIn(wanted);
  const run = doing(actions, 'run_tools').flatMap((action) => textsIn(action['ids']));
  const called = [...run, ...history.flatMap(({ calls }) => calls)].filter((id) => ids.includes(id));
  return called.length === 0
    ? 'exercised'
    : mismatch(`no call ${listed(ids)}`, `a turn with ${listed(called)}`);
});

/** Calls that stand in the history with a result that says they did not run. */
const cancelled = ofTurn(({ history }, wanted) => {
  const results = history.flatMap(({ json }) => objectsIn(json['toolResults']));
  const lacking = textsIn(wanted).filter(
    (id) => !results.some((one) => one['id'] === id && one['isError'] === true && one['content'] !== ''),
  );
  return lacking.length === 0
    ? 'exercised'
    : mismatch(
        `results that say that ${listed(lacking)} did not run`,
        listed(results.map(({ id }) => textOf(id))),
      );
});

/** Whether what failed was tried again, after the first time. */
const retries = ofTurn(({ actions, sends: sent }, wanted) => {
  const again = sent.length > 1;
  if (sent.length === 0) return mismatch('something to be sent', inWords(actions));
  return again === wanted
    ? 'exercised'
    : mismatch(wanted === true ? 'a retry' : 'no retry', inWords(actions));
});

/** TOK-43: "±10%". */
const jitter = 0.1;

/** The delay of each retry (ms), as far as there are retries: "at most". */
const delays = ofTurn(({ actions }, wanted) => {
  const expected = Array.isArray(wanted) ? wanted.map(Number) : [];
  const came = doing(actions, 'retry').map(({ delay }) => delay);
  if (came.length === 0) return undefined;
  for (const [i, ms] of expected.slice(0, came.length).entries()) {
    const delay = came[i];
    if (typeof delay !== 'number' || Math.abs(delay - ms) > ms * jitter + 1)
      return mismatch(`retry ${i + 1} after ${ms} ms, give or take 10 %`, shown(delay));
  }
  return 'exercised';
});

/** Between a send and the next there is a compaction, and what is sent then is smaller. */
const compacts = ofTurn(({ actions }) => {
  const first = actions.findIndex((action) => action['do'] === 'send');
  const next = actions.findIndex((action, i) => i > first && action['do'] === 'send');
  if (first === -1 || next === -1) return mismatch('compact, and a second send', inWords(actions));
  if (doing(actions.slice(first, next), 'compact').length === 0)
    return mismatch('compact between the first send and the second', inWords(actions.slice(first, next + 1)));
  const [before, after] = [actions[first], actions[next]].map((send) => readMessages(send?.['messages']));
  if (before === undefined || after === undefined || typeof before === 'string' || typeof after === 'string')
    return 'exercised';
  return leastTokens(after) < leastTokens(before)
    ? 'exercised'
    : mismatch(`fewer than ${leastTokens(before)} tokens in the second send`, `${leastTokens(after)}`);
});

/** How often it was compacted. */
const compactions = ofTurn(({ actions }, wanted) => {
  const { length } = doing(actions, 'compact');
  return length <= Number(wanted)
    ? 'exercised'
    : mismatch(`compact ${shown(wanted)} times at most`, `${length}`);
});

/** No send is like the one before it. */
const differs = ofTurn(({ sends: sent }) => {
  if (sent.length < 2 || sent.some(({ messages }) => messages === undefined)) return undefined;
  const same = sent.findIndex(
    (send, i) => i > 0 && difference('send', sent[i - 1] ?? null, send) === undefined,
  );
  return same === -1
    ? 'exercised'
    : mismatch('a retry that differs from what was sent before', `send ${same + 1} like ${same}`);
});

/** Every message list of a turn is one that any provider takes. */
const sound = ofTurn(({ actions, sends: sent, history }) => {
  for (const [i, send] of sent.entries()) {
    const messages = send['messages'] === undefined ? [] : readMessages(send['messages'], `send ${i + 1}`);
    const fault = typeof messages === 'string' ? messages : unsoundIn(messages);
    if (fault !== undefined) return { violated: `send ${i + 1}: ${fault}` };
  }
  const pending = actions.at(-1)?.['do'] === 'run_tools';
  const fault = unsoundIn(history, { pending });
  return history.length === 0
    ? undefined
    : exercisedUnless(fault === undefined ? undefined : `history: ${fault}`);
});

/** Each message has a mark of its own in its text: these are in what compacting left. */
const compactedKeeps = ofTurn(({ actions }, wanted) => {
  const [compact] = doing(actions, 'compact');
  const messages = compact === undefined ? undefined : readMessages(compact['messages']);
  if (messages === undefined || typeof messages === 'string') return undefined;
  const texts = messages.map(({ content }) => content);
  const missing = textsIn(wanted).filter((mark) => !texts.some((text) => text.includes(mark)));
  return missing.length === 0
    ? 'exercised'
    : mismatch(`the messages ${listed(missing)} after compacting`, 'none of these');
});

/** The tokens that a send leaves at least, of what there is: TOK-24, "estimate+200". */
const margin = 200;

/** No request is sent that does not fit the budget, with nothing used before. */
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
  doing(actions, 'warn').some(({ code }) => textOf(code).includes('budget'))
    ? 'exercised'
    : mismatch('a warning "budget" where nothing is sent', inWords(actions));

/** What tests ask of `tokens.turn`. */
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
  differs,
  sound,
  sendsFit,
};
