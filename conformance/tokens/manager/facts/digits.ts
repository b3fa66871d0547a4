/** The digits of integers in an answer: 64 bits of arguments and counts, which a double does not hold. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { judgeDigits, readAnswer } from '../../../../src/kit/testee/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import { objectsIn } from './values.ts';

/**
 * Judges the digits in the arguments of calls, and in the usage of a response. `wanted`: by the id of a call, or by
 * `usage`, the JSON text of each of these members. Other facts judge which calls are in the answer.
 *
 * @param answer - with all digits of its integers
 */
export function judgeAnswerDigits(wanted: Json, answer: JsonObject): Judgement {
  const read = readAnswer(answer);
  if (typeof read === 'string' || !('ok' in read)) return undefined;
  const { response, messages, history } = read.ok;
  const { toolCalls, usage } = isObject(response) ? response : {};
  const calls = [
    ...objectsIn(toolCalls),
    ...[...objectsIn(messages), ...objectsIn(history)].flatMap((one) => objectsIn(one['toolCalls'])),
  ];
  const membersOf = (id: string): JsonObject => {
    const members = id === 'usage' ? usage : calls.find((call) => call['id'] === id)?.['input'];
    return isObject(members) ? members : {};
  };
  // Other facts judge whether the members are there.
  const there = Object.entries(isObject(wanted) ? wanted : {}).flatMap(([id, texts]) => {
    const names = Object.entries(isObject(texts) ? texts : {});
    const found = names.filter(([name]) => Object.hasOwn(membersOf(id), name));
    return found.length === 0 ? [] : [[id, Object.fromEntries(found)] as const];
  });
  return there.length === 0 ? undefined : judgeDigits(Object.fromEntries(there), membersOf);
}
