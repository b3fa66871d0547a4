/** Facts of `tokens.handle_response`: which calls survive a response that the limit cut, and what is said of the others. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { difference, mismatch, sameValue, shown, exercisedUnless } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { listed, objectsIn, textsIn } from './values.ts';

/** A response as a testee answers it. */
interface Came {
  readonly response: JsonObject;
  readonly calls: readonly JsonObject[];
  readonly ids: readonly string[];
}

/** A fact of the response itself. */
const ofResponse =
  (judge: (wanted: Json, came: Came, given: JsonObject, ok: JsonObject) => Judgement): Fact =>
  (wanted, ok, request) => {
    const { response } = ok;
    if (!isObject(response)) return mismatch('response as an object', shown(response));
    const calls = response['toolCalls'] ?? [];
    if (!Array.isArray(calls)) return mismatch('response.toolCalls as an array', shown(calls));
    const given = isObject(request['response']) ? request['response'] : {};
    return judge(wanted, { response, calls: objectsIn(calls), ids: idsOf(calls) }, given, ok);
  };

const idsOf = (calls: unknown): readonly string[] =>
  textsIn(objectsIn(calls).map(({ id }) => (typeof id === 'string' ? id : null)));

/** Members that say null say nothing: an absent one may be written so. */
const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const unchanged = ofResponse((_, { response }, given) =>
  exercisedUnless(difference('response', withoutNulls(given), withoutNulls(response))),
);

const survivors = ofResponse((wanted, { ids }) => {
  const expected = textsIn(wanted);
  const same = expected.length === ids.length && expected.every((id) => ids.includes(id));
  return same ? 'exercised' : mismatch(`the calls ${listed(expected)}`, listed(ids));
});

/** Calls that must be there, whatever else is. */
const keeps = ofResponse((wanted, { ids }) => {
  const lost = textsIn(wanted).filter((id) => !ids.includes(id));
  return lost.length === 0 ? 'exercised' : mismatch(`the calls ${listed(lost)} to survive`, listed(ids));
});

/** Something was dropped, and the first call, which is whole, was not. */
const fewer = ofResponse((_, { ids }, given) => {
  const all = idsOf(given['toolCalls']);
  const kept = all.slice(0, 1).every((id) => ids.includes(id));
  return kept && ids.length < all.length
    ? 'exercised'
    : mismatch(
        `some of ${listed(all.slice(1))} to be dropped, and ${listed(all.slice(0, 1))} to survive`,
        listed(ids),
      );
});

/** Of those that survived, which are for other facts to judge. */
const order = ofResponse((wanted, { ids }) => {
  const expected = textsIn(wanted).filter((id) => ids.includes(id));
  const came = ids.filter((id) => expected.includes(id));
  if (expected.length < 2) return undefined;
  return came.join() === expected.join()
    ? 'exercised'
    : mismatch(`the order ${listed(expected)}`, listed(came));
});

/** All but `toolCalls` as it was, and each survivor as it was. */
const rest = ofResponse((_, { response, calls }, given) => {
  const { toolCalls: before, ...others } = given;
  const { toolCalls: _calls, ...came } = response;
  const odd = calls.flatMap((call) => {
    const original = objectsIn(before).find(({ id }) => id === call['id']);
    return original === undefined ? [] : (difference(`toolCalls.${shown(call['id'])}`, original, call) ?? []);
  });
  return exercisedUnless(odd[0] ?? difference('response', withoutNulls(others), withoutNulls(came)));
});

/** The text as it was, where no call survived; which do is for other facts to judge. */
const textOnly = ofResponse((_, { response, ids }, given) =>
  ids.length > 0 ? undefined : sameValue('content', given['content'] ?? '', response['content']),
);

/** Warnings name the calls that were removed, and none that survived. */
const names = ofResponse((wanted, { ids }, _, ok) => {
  const dropped = objectsIn(ok['warnings']).filter(({ code }) => code === 'dropped');
  const named = dropped.flatMap((warning) => textsIn(warning['ids']));
  // Which calls are dropped is for other rows to judge: these are named as they were.
  const removed = textsIn(wanted).filter((id) => !ids.includes(id));
  if (removed.length === 0) return undefined;
  const unnamed = removed.filter((id) => !named.includes(id));
  if (unnamed.length > 0) return mismatch(`a warning "dropped" that names ${listed(unnamed)}`, listed(named));
  const there = new Set(ids);
  const innocent = named.filter((id) => there.has(id));
  return innocent.length === 0
    ? 'exercised'
    : mismatch('a warning "dropped" to name removed calls only', listed(innocent));
});

/** What tests ask of `tokens.handle_response`. */
export const responseFacts: Facts = { unchanged, survivors, keeps, fewer, order, rest, textOnly, names };
