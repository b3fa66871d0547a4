/**
 * Facts of `tokens.handle_response`: the calls that survive a response cut by the limit, and the warnings about the
 * others.
 */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { difference, mismatch, sameValue, shown, exercisedUnless } from '../../../../src/kit/testee/index.ts';
import type { Fact, Facts, Judgement } from '../../../../src/kit/testee/index.ts';
import { idList, objectsIn, textsIn } from './values.ts';

/** The response in a testee's answer. */
interface Came {
  readonly response: JsonObject;
  readonly calls: readonly JsonObject[];
  readonly ids: readonly string[];
}

/** A fact of the response. */
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

/** Removes members with null, which equal absent ones. */
const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const unchanged = ofResponse((_, { response }, given) =>
  exercisedUnless(difference('response', withoutNulls(given), withoutNulls(response))),
);

const survivors = ofResponse((wanted, { ids }) => {
  const expected = textsIn(wanted);
  const same = expected.length === ids.length && expected.every((id) => ids.includes(id));
  return same ? 'exercised' : mismatch(`the calls ${idList(expected)}`, idList(ids));
});

/** The calls with these ids survive. Others may survive, too. */
const keeps = ofResponse((wanted, { ids }) => {
  const lost = textsIn(wanted).filter((id) => !ids.includes(id));
  return lost.length === 0 ? 'exercised' : mismatch(`the calls ${idList(lost)} to survive`, idList(ids));
});

/** At least one call was dropped, and the first call, which is complete, survives. */
const fewer = ofResponse((_, { ids }, given) => {
  const all = idsOf(given['toolCalls']);
  const kept = all.slice(0, 1).every((id) => ids.includes(id));
  return kept && ids.length < all.length
    ? 'exercised'
    : mismatch(
        `some of ${idList(all.slice(1))} to be dropped, and ${idList(all.slice(0, 1))} to survive`,
        idList(ids),
      );
});

/** The complete calls survive in their order. Other facts judge which other calls survive. */
const order = ofResponse((wanted, { ids }) => {
  const expected = textsIn(wanted);
  const came = ids.filter((id) => expected.includes(id));
  return came.join() === expected.join()
    ? 'exercised'
    : mismatch(`the order ${idList(expected)}`, idList(came));
});

/** Everything except `toolCalls` is unchanged, and each survivor is unchanged. */
const rest = ofResponse((_, { response, calls }, given) => {
  const { toolCalls: before, ...others } = given;
  const { toolCalls: _calls, ...came } = response;
  const odd = calls.flatMap((call) => {
    const original = objectsIn(before).find(({ id }) => id === call['id']);
    return original === undefined
      ? []
      : (difference(`toolCalls.${shown(call['id'])}`, withoutNulls(original), withoutNulls(call)) ?? []);
  });
  return exercisedUnless(odd[0] ?? difference('response', withoutNulls(others), withoutNulls(came)));
});

/** The text is unchanged when no call survives. Other facts judge which calls survive. */
const textOnly = ofResponse((_, { response, ids }, given) =>
  ids.length > 0 ? undefined : sameValue('content', given['content'] ?? '', response['content']),
);

/** Warnings name the calls that were removed, and none that survived. */
const names = ofResponse((wanted, { ids }, _, ok) => {
  const dropped = objectsIn(ok['warnings']).filter(({ code }) => code === 'dropped');
  const named = dropped.flatMap((warning) => textsIn(warning['ids']));
  // Other requirements judge which calls are dropped. The dropped calls must be named.
  const removed = textsIn(wanted).filter((id) => !ids.includes(id));
  if (removed.length === 0) return undefined;
  const unnamed = removed.filter((id) => !named.includes(id));
  if (unnamed.length > 0) return mismatch(`a warning "dropped" that names ${idList(unnamed)}`, idList(named));
  const there = new Set(ids);
  const innocent = named.filter((id) => there.has(id));
  return innocent.length === 0
    ? 'exercised'
    : mismatch('a warning "dropped" to name removed calls only', idList(innocent));
});

/** The facts of `tokens.handle_response`. */
export const responseFacts: Facts = { unchanged, survivors, keeps, fewer, order, rest, textOnly, names };
