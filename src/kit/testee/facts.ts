/**
 * Judges answers by facts. A test names the facts that its answer must fulfil; the rest of the answer is not judged. This
 * serves operations whose answers may differ between implementations.
 */
import type { Json, JsonObject } from '../base/index.ts';
import { readAnswer } from './answer.ts';
import { shown } from './difference.ts';
import type { Judgement } from './rules.ts';

/** Judges one fact of an answer's `ok`. `wanted`: the value that the test demands. */
export type Fact = (wanted: Json, ok: JsonObject, request: JsonObject) => Judgement;

/** Facts by the names that tests give them. */
export type Facts = { readonly [name: string]: Fact };

/** A violation with an expectation and an observation. */
export const mismatch = (expected: string, came: string): Judgement => ({
  violated: `expected ${expected}; came ${came}`,
});

/** A violation with this message; without a message, exercised. */
export const exercisedUnless = (wrong: string | undefined): Judgement =>
  wrong === undefined ? 'exercised' : { violated: wrong };

/** Compares a named value with the wanted one. */
export const sameValue = (name: string, wanted: Json, came: unknown): Judgement =>
  wanted === came ? 'exercised' : mismatch(`${name} ${shown(wanted)}`, shown(came));

/**
 * Makes a judge from the facts of each operation. Every request is valid, so a refusal is always wrong.
 *
 * @returns a function of the wanted facts of a test, its request, and its answer
 * @example
 * const judge = judgeByFacts({ 'text.length': { length: (wanted, ok) => sameValue('length', wanted, ok['length']) } });
 * judge({ length: 3 }, { op: 'text.length', text: 'abc' }, { ok: { length: 3 } }); // 'exercised'
 * judge({ length: 3 }, { op: 'text.length', text: 'abc' }, { ok: {} }); // { violated: 'expected length 3; came nothing' }
 */
export function judgeByFacts(factsOf: {
  readonly [op: string]: Facts;
}): (expect: JsonObject, request: JsonObject, answer: JsonObject) => Judgement {
  return (expect, request, answer) => {
    const read = readAnswer(answer);
    if (typeof read === 'string') return { violated: read };
    if (!('ok' in read)) {
      const refusal = `code ${shown(read.code)}, message ${shown(read.message)}`;
      return { violated: `expected ok; came a refusal: ${refusal}` };
    }
    const { op } = request;
    const facts = typeof op === 'string' && Object.hasOwn(factsOf, op) ? factsOf[op] : undefined;
    return combined(
      Object.entries(expect).map(([name, wanted]) => {
        // A recording of a newer kit may name facts that this kit does not know.
        const fact = facts !== undefined && Object.hasOwn(facts, name) ? facts[name] : undefined;
        return fact?.(wanted, read.ok, request);
      }),
    );
  };
}

/** Combines judgements: the first violation, else the first unknowable one, or `exercised` when all are exercised. */
function combined(judgements: readonly Judgement[]): Judgement {
  const odd = judgements.filter((judgement) => typeof judgement === 'object');
  const bad = odd.find((judgement) => 'violated' in judgement) ?? odd[0];
  if (bad !== undefined) return bad;
  return judgements.length > 0 && judgements.every((judgement) => judgement === 'exercised')
    ? 'exercised'
    : undefined;
}
