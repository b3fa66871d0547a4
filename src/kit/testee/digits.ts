/** The digits of integers, which JSON.parse changes: they are read from the line of an answer. */
import { exactJsonOf, exactText, isArray, isObject } from '../base/index.ts';
import type { Json, JsonObject } from '../base/index.ts';
import { mismatch } from './facts.ts';
import type { Judgement } from './rules.ts';

/** A value whose integers are doubles, as JSON.parse has them; `other` gives another value for one that no double is. */
export function rounded(value: Json, other: (long: bigint) => Json = Number): Json {
  if (typeof (value as unknown) === 'bigint') return other(value as unknown as bigint);
  if (isArray(value)) return value.map((one) => rounded(one, other));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one, other)]));
}

/** An answer with all digits of its integers. `line`: as it came, where a number may have changed. */
export function exactAnswer(answer: JsonObject, line: string | undefined): JsonObject {
  const exact = line === undefined ? answer : exactJsonOf(line);
  return isObject(exact) ? exact : answer;
}

/**
 * Judges the digits of parameters. `wanted`: by the id of an action or a call, the JSON text of each of these parameters.
 * One that is not in the answer has no digits.
 *
 * @param parametersOf - the parameters of an action or a call; undefined: it is not in the answer
 */
export function judgeDigits(wanted: Json, parametersOf: (id: string) => JsonObject | undefined): Judgement {
  for (const [id, texts] of Object.entries(isObject(wanted) ? wanted : {})) {
    const parameters = parametersOf(id);
    if (parameters === undefined) continue;
    for (const [name, text] of Object.entries(isObject(texts) ? texts : {})) {
      const came = parameters[name];
      const digits = came === undefined ? 'nothing' : exactText(came);
      if (digits !== text)
        return mismatch(`${name} of ${id} to be ${typeof text === 'string' ? text : 'a text'}`, digits);
    }
  }
  return 'exercised';
}
