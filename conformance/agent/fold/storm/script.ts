/** Random scripts of a storm's model. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { referenceTools } from '../target.ts';

/** The content of a storm's request. */
export const contentOf = (n: number): string => `Storm request ${n}.`;

/** The barriers of the answers to a request. */
export const barrierOf = (n: number): string => `barrier ${n}`;

const toolCalls = Object.values(referenceTools).map(({ name, input }): JsonObject => ({
  tool_call: { name, input },
}));

/** The content of one answer to a request. */
const contentSteps = (n: number): fc.Arbitrary<readonly JsonObject[]> => {
  const text = fc.nat(999).map((k): JsonObject => ({ text: `Words ${n}.${k}. ` }));
  const part = fc.oneof(
    { weight: 2, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(...toolCalls) },
  );
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  return fc
    .tuple(parts, fc.option(fc.nat(3)))
    .map(([made, at]) =>
      at === null ? made : [...made.slice(0, at), { barrier: barrierOf(n) }, ...made.slice(at)],
    );
};

const errors = fc.constantFrom<JsonObject>(
  { type: 'invalid_request_error', message: 'No such model.', status: 400 },
  { type: 'overloaded_error', message: 'Overloaded', status: 529 },
  { type: 'api_error', message: 'Internal error', status: 500 },
);

/** How an answer goes wrong: mostly not at all. */
function faultOf(steps: readonly JsonObject[]): fc.Arbitrary<JsonObject> {
  const place = steps.filter((step) => !('barrier' in step)).length - 1;
  const isText = 'text' in (steps.findLast((step) => !('barrier' in step)) ?? {});
  const cut: Json = { step: place, at: isText ? { char: 3 } : { byte: 4 } };
  return fc.oneof(
    { weight: 7, arbitrary: fc.constant({}) },
    {
      weight: 4,
      arbitrary: fc.constantFrom<JsonObject>(
        { cut },
        { cut, signal: 'lying' },
        { signal: 'missing', transport: 'reset' },
        { steps: [...steps, { error: { type: 'api_error', message: 'Internal error' } }] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(errors, fc.integer({ min: 1, max: 3 }))
        .map(([error, times]): JsonObject => ({ steps: [{ error }], times })),
    },
  );
}

const turnOf = (n: number): fc.Arbitrary<JsonObject> =>
  contentSteps(n).chain((steps) =>
    faultOf(steps).map((fault) => ({ match: { contains: contentOf(n) }, steps: [...steps], ...fault })),
  );

/** A script that answers some requests, each by up to two answers, and then says that it is done. */
export const stormScript = (requests: number): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(...Array.from({ length: requests }, (_, n) => fc.array(turnOf(n), { minLength: 1, maxLength: 2 })))
    .map((turns) => ({
      turns: [...turns.flat(), { times: 'always', steps: [{ text: 'That is all.' }] }],
    }));
