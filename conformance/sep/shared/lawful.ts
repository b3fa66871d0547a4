/** What the lawful peers of both roles share. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Answer, AnswerFault } from '../../../src/kit/suite/index.ts';

/** A testee whose `hello` does not claim these features. */
export const claimsLess =
  (reference: Answer, features: readonly string[]): AnswerFault =>
  (request) => {
    if (request['op'] !== 'hello') return undefined;
    const answer = reference(request);
    const ok: JsonObject = isObject(answer['ok']) ? answer['ok'] : {};
    const all = isArray(ok['features']) ? ok['features'] : [];
    return {
      ...answer,
      ok: { ...ok, features: all.filter((one) => typeof one === 'string' && !features.includes(one)) },
    };
  };
