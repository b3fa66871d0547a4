/**
 * What dialects share of calls that must not run: places where the limit cuts arguments, and arguments that came whole
 * and are still no JSON object. A dialect says how such a call stands on its wire, and which of these it can show.
 */
import type { Vector } from '../../../src/kit/spec/index.ts';
import { casesOf, flagged } from './table.ts';
import type { DialectName, Outcome, VectorWire } from './table.ts';

/** A place where arguments are cut: its id, what it is, and what came until there. */
export type Cut = readonly [id: string, what: string, partial: string];

const places = {
  brace: ['behind the opening brace', '{'],
  key: ['inside a key', '{"pa'],
  string: ['inside a string', '{"path":"a.txt","body":"onc'],
  escape: ['inside an escape', '{"body":"\\u00'],
  literal: ['inside a literal', '{"force":tr'],
  number: ['behind a digit, where the number may go on', '{"n":12'],
  boundary: ['between two parameters', '{"path":"a.txt",'],
} as const;

/** A place that several dialects can be cut at, by its id. */
export type Place = keyof typeof places;

const broken = {
  comma: ['a comma before the brace', '{"n":1,}'],
  quotes: ['single quotes', "{'n':1}"],
  tail: ['text behind the object', '{"n":1} done'],
  fence: ['a code fence around the object', '```json\n{"n":1}\n```'],
  two: ['two objects', '{"n":1}{"n":2}'],
} as const;

const noObjects = {
  array: '[1]',
  string: '"{}"',
  'string-cut': '"{\\"n\\":"',
  number: '5',
  null: 'null',
  true: 'true',
} as const;

/** Places in full; those that only one dialect has are given so. */
export const cutsAt = (at: readonly (Place | Cut)[]): readonly Cut[] =>
  at.map((place) => (typeof place === 'string' ? [place, ...places[place]] : place));

/** Cases of a limit that cuts the arguments of a call of `write`; `outcome` is the call's id, and the text before it. */
export const cutCases = (
  dialect: DialectName,
  at: readonly (Place | Cut)[],
  wire: (partial: string) => VectorWire,
  { id: call, content = '' }: { readonly id: string; readonly content?: string },
): readonly Vector[] =>
  cutsAt(at).map(([id, what, partial]) =>
    casesOf(dialect).valid(`cut-${id}`, `the limit cuts the arguments ${what}`, 'C01 C04', wire(partial), {
      content,
      stop: 'max_tokens',
      open: { id: call, name: 'write', partial },
    }),
  );

/** Writes cases of one call with arguments that came whole. */
export interface CalledCases {
  /** "A call whose arguments had to be completed or mended to be JSON is not executed" (LLM-C02). */
  broken(...ids: readonly (keyof typeof broken)[]): readonly Vector[];
  /** "Tool arguments that are valid JSON but not an object MUST NOT execute" (LLM-C16). */
  noObjects(...ids: readonly (keyof typeof noObjects)[]): readonly Vector[];
  /** An integer that a double changes (LLM-C20). */
  numbers(): readonly Vector[];
}

/** The writer of such cases: `wire` is a response with one call, its arguments in pieces, and `outcome` what it comes to. */
export const calledCases = (
  dialect: DialectName,
  wire: (...pieces: readonly string[]) => VectorWire,
  outcome: Outcome,
): CalledCases => {
  const { valid } = casesOf(dialect);
  return {
    broken: (...ids) =>
      ids.map((id) => {
        const [what, text] = broken[id];
        const comment = `arguments that only mending makes JSON: ${what}`;
        return valid(`broken-${id}`, comment, 'C02', wire(text), outcome);
      }),
    noObjects: (...ids) =>
      ids.map((id) => {
        const json = noObjects[id];
        return valid(`arguments-${id}`, `arguments that are ${json}`, 'C16', wire(json), outcome);
      }),
    numbers: () =>
      flagged('exact-numbers', [
        valid(
          'number-beyond',
          'an integer that a double changes',
          'C20',
          wire('{"id":900719925474', '0993}'),
          outcome,
        ),
      ]),
  };
};
