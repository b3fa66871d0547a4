/** Executors that mix up the attempts of an action. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { textIn } from '../events.ts';
import { without } from './manifest-edits.ts';
import { actionsOf, outputsOf, plays, readsBodies } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';

/** The first two outcomes of an action that has a timeout and a retry, and this timeout (s). */
interface Attempts {
  readonly first: JsonObject;
  readonly second: JsonObject;
  readonly timeout: number;
}

const secondsOf = ({ after }: JsonObject): number => Number(after ?? 0);

/** A fault in the second attempts of actions with a timeout. Undefined: the attempt is as the request has it. */
const secondAttempts = (edit: (attempts: Attempts) => JsonObject | undefined): AnswerFault =>
  plays((request) => {
    const providers: JsonObject = isObject(request['providers']) ? request['providers'] : {};
    const changed = actionsOf(request).flatMap(({ body }): readonly (readonly [string, Json])[] => {
      const outcomes = providers[textIn(body, 'name')];
      const { timeout, retry } = body;
      if (typeof timeout !== 'number' || retry === undefined || !isArray(outcomes)) return [];
      const [first, second, ...more] = outcomes;
      if (!isObject(first) || !isObject(second)) return [];
      const other = edit({ first, second, timeout });
      return other === undefined ? [] : [[textIn(body, 'name'), [first, other, ...more]]];
    });
    return { providers: { ...providers, ...Object.fromEntries(changed) } };
  });

/** The mutants of attempts. */
export const attemptFaults: ExecutorFaults = {
  'timer-of-before': secondAttempts(({ first, second, timeout }) =>
    first['error'] !== undefined && secondsOf(first) + secondsOf(second) > timeout
      ? { ...second, after: timeout * 100 }
      : undefined,
  ),
  'late-output': secondAttempts(({ first, second, timeout }) => {
    const late = secondsOf(first) - timeout;
    return late > 0 && late < secondsOf(second) ? { ...first, after: late } : undefined;
  }),
  'timeouts-are-last': readsBodies(({ body }) =>
    body['timeout'] === undefined ? body : without(body, 'retry'),
  ),
  'fail-is-first': readsBodies(({ body }) => (body['on_error'] === 'fail' ? without(body, 'retry') : body)),
  'fail-goes-on': readsBodies(({ body }, request) =>
    body['on_error'] === 'fail' && outputsOf(request).length > 1 ? without(body, 'on_error') : body,
  ),
};
