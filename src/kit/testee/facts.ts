/**
 * Judges answers by facts: a test names what must hold of its answer, and nothing else of it is judged. For operations
 * that no two implementations need to answer alike.
 */
import type { Json, JsonObject } from '../base/index.ts';
import { readAnswer } from './answer.ts';
import { shown } from './difference.ts';
import type { Judgement } from './rules.ts';

/** Judges an answer's `ok` by what it must be; the request is that of the answer. */
export type Fact = (wanted: Json, ok: JsonObject, request: JsonObject) => Judgement;

/** Facts by the names that tests give them. */
export type Facts = { readonly [name: string]: Fact };

/** Something else was expected. */
export const mismatch = (expected: string, came: string): Judgement => ({
  violated: `expected ${expected}; came ${came}`,
});

/** Exercised, unless something is wrong. */
export const unless = (wrong: string | undefined): Judgement =>
  wrong === undefined ? 'exercised' : { violated: wrong };

/** The value under a name is the one wanted. */
export const same = (name: string, wanted: Json, came: unknown): Judgement =>
  wanted === came ? 'exercised' : mismatch(`${name} ${shown(wanted)}`, shown(came));

/**
 * Judges an answer by the facts that can be asked of each operation. Every request is valid: a refusal is never right.
 *
 * @returns a function of the facts that a test names with what they must be, of the request, and of its answer
 * @example
 * const judge = judgeByFacts({ 'text.length': { length: (wanted, ok) => same('length', wanted, ok['length']) } });
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
    return together(
      Object.entries(expect).map(([name, wanted]) => {
        // A recording of a newer kit may demand what this one cannot judge.
        const fact = facts !== undefined && Object.hasOwn(facts, name) ? facts[name] : undefined;
        return fact?.(wanted, read.ok, request);
      }),
    );
  };
}

/** Of several judgements: the first that is bad; else `exercised` when all are. */
function together(judgements: readonly Judgement[]): Judgement {
  const bad = judgements.find((judgement) => typeof judgement === 'object');
  if (bad !== undefined) return bad;
  return judgements.length > 0 && judgements.every((judgement) => judgement === 'exercised')
    ? 'exercised'
    : undefined;
}
