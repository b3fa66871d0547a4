/** Random scripts of a storm's model. */
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { referenceTools } from './target.ts';

/** One of some values. */
export const pick = <T>(random: Random, values: readonly T[]): T => values[random.below(values.length)] as T;

/** The content of a storm's request. */
export const contentOf = (n: number): string => `Storm request ${n}.`;

/** The barriers of the answers to a request. */
export const barrierOf = (n: number): string => `barrier ${n}`;

const toolCall = (random: Random): JsonObject => {
  const { name, input } = pick(random, Object.values(referenceTools));
  return { tool_call: { name, input } };
};

/** The content of one answer. */
function contentSteps(random: Random, n: number): JsonObject[] {
  const text = (): JsonObject => ({ text: `Words ${n}.${random.below(1000)}. ` });
  const made = Array.from({ length: 1 + random.below(3) }, () =>
    random.below(3) === 0 ? toolCall(random) : text(),
  );
  const at = random.below(made.length + 1);
  return random.below(2) === 0 ? made : [...made.slice(0, at), { barrier: barrierOf(n) }, ...made.slice(at)];
}

const errors: readonly JsonObject[] = [
  { type: 'invalid_request_error', message: 'No such model.', status: 400 },
  { type: 'overloaded_error', message: 'Overloaded', status: 529 },
  { type: 'api_error', message: 'Internal error', status: 500 },
];

/** How an answer goes wrong: mostly not at all. */
function faultOf(random: Random, steps: readonly JsonObject[]): JsonObject {
  const place = steps.filter((step) => !('barrier' in step)).length - 1;
  const isText = 'text' in (steps.findLast((step) => !('barrier' in step)) ?? {});
  const cut: Json = { step: place, at: isText ? { char: 3 } : { byte: 4 } };
  switch (random.below(12)) {
    case 0:
      return { cut };
    case 1:
      return { cut, signal: 'lying' };
    case 2:
      return { signal: 'missing', transport: 'reset' };
    case 3:
      return { steps: [...steps, { error: { type: 'api_error', message: 'Internal error' } }] };
    case 4:
      return { steps: [{ error: pick(random, errors) }], times: 1 + random.below(3) };
    default:
      return {};
  }
}

/** A script that answers some requests, each by up to three answers, and then says that it is done. */
export function stormScript(random: Random, requests: number): JsonObject {
  const turns = Array.from({ length: requests }, (_, n) =>
    Array.from({ length: 1 + random.below(2) }, () => {
      const steps = contentSteps(random, n);
      return { match: { contains: contentOf(n) }, steps, ...faultOf(random, steps) };
    }),
  );
  return { turns: [...turns.flat(), { times: 'always', steps: [{ text: 'That is all.' }] }] };
}
