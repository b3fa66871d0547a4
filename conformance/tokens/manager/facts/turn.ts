/** Facts of the actions of `tokens.turn`. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { exercisedUnless, mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { Facts } from '../../../../src/kit/testee/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { actionTypes, actionsOf, ofTurn, warningFault } from './turn-answer.ts';
import { turnMessageFacts } from './turn-messages.ts';
import { idList, objectsIn, textOf, textsIn } from './values.ts';

/** The number of requests that were sent: `{atLeast?, atMost?}`. */
const sends = ofTurn(({ sends: { length }, actions }, wanted) => {
  const { atLeast = 0, atMost = Number.MAX_SAFE_INTEGER } = isObject(wanted) ? wanted : {};
  if (length < Number(atLeast)) return mismatch(`${shown(atLeast)} or more to be sent`, actionTypes(actions));
  return length <= Number(atMost)
    ? 'exercised'
    : mismatch(`${shown(atMost)} or fewer to be sent`, `${length}`);
});

/** A warning about a matter: see {@link warningFault}. */
const warns = ofTurn(({ actions }, wanted) => exercisedUnless(warningFault(actions, textOf(wanted))));

/** No warning has a code with this word. It is exercised when something was sent. */
const silentOn = ofTurn(({ actions, sends: sent }, wanted) => {
  const codes = actionsOf(actions, 'warn').map(({ code }) => textOf(code));
  if (sent.length === 0) return undefined;
  return codes.some((code) => code.includes(textOf(wanted)))
    ? mismatch(`no warning ${shown(wanted)}`, idList(codes))
    : 'exercised';
});

/** Whether an action runs a call: one with an empty list of ids runs none. */
const runsCalls = ({ ids }: JsonObject): boolean => !Array.isArray(ids) || ids.length > 0;

/** Whether tools were run. */
const runsTools = ofTurn(({ actions }, wanted) => {
  const runs = actionsOf(actions, 'run_tools').some(runsCalls);
  return runs === wanted
    ? 'exercised'
    : mismatch(wanted === true ? 'tools to run' : 'no tools to run', actionTypes(actions));
});

/** These calls are in no message, and did not run. */
const without = ofTurn(({ actions, history }, wanted) => {
  const ids = textsIn(wanted);
  const run = actionsOf(actions, 'run_tools').flatMap((action) => textsIn(action['ids']));
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
  const came = actionsOf(actions, 'retry').map(({ delay }) => delay);
  if (came.length === 0) return undefined;
  for (const [i, ms] of expected.slice(0, came.length).entries()) {
    const delay = came[i];
    if (typeof delay !== 'number' || Math.abs(delay - ms) > ms * jitter + 1)
      return mismatch(`retry ${i + 1} after ${ms} ms, give or take 10 %`, shown(delay));
  }
  return 'exercised';
});

/** The most compactions. */
const compactions = ofTurn(({ actions }, wanted) => {
  const { length } = actionsOf(actions, 'compact');
  return length <= Number(wanted)
    ? 'exercised'
    : mismatch(`compact ${shown(wanted)} times at most`, `${length}`);
});

/** The code of `stop` is one of these. A turn may end without `stop`, and a `stop` may have no code. */
const stops = ofTurn(({ actions }, wanted) => {
  const { code } = actionsOf(actions, 'stop').at(-1) ?? {};
  if (code === undefined || code === null) return undefined;
  return textsIn(wanted).includes(textOf(code))
    ? 'exercised'
    : mismatch(`stop with the code ${idList(textsIn(wanted))}`, shown(code));
});

/** The facts of `tokens.turn`. */
export const turnFacts: Facts = {
  sends,
  warns,
  silentOn,
  runsTools,
  without,
  cancelled,
  retries,
  delays,
  compactions,
  stops,
  ...turnMessageFacts,
};
