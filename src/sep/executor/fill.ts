/** Puts values into parameters and responses, as far as the limits of the run allow it. */
import { isObject } from '../../kit/base/index.ts';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import type { Round } from './blocks/round.ts';
import { extentOf, refusalOf } from '../values/extent.ts';
import type { Extent } from '../values/extent.ts';
import { lookupOf, warnMissing } from './lookup.ts';
import { remark } from './state.ts';
import type { ExecutorStep } from './state.ts';
import {
  namesIn,
  referencesIn,
  substitute,
  substituteText,
  textsIn,
  wholeName,
} from '../values/variables.ts';
import type { Lookup } from '../values/variables.ts';

/** Parameters with the values of their references, or the reason why there are none. */
export type Filled = { readonly parameters: JsonObject } | { readonly refused: string };

/** The parameters of an action with the values of their references at this moment (SEP-45). */
export function fillParameters(step: ExecutorStep, parameters: JsonObject, round?: Round): Filled {
  const { state, limits } = step;
  const lookup = lookupOf(step, round);
  const { extent, put } = filledExtent(step, parameters, lookup);
  const refused = refusalOf(extent, 'the parameters', limits.mostValue) ?? refusalOfRun(step, put);
  if (refused !== undefined) return { refused };
  state.put += put;
  const filled = substitute(parameters, lookup);
  return { parameters: isObject(filled) ? filled : {} };
}

/** The extent that a value has with the values of its references, and how many characters of it stand inside texts. */
function filledExtent(
  { state, limits }: ExecutorStep,
  value: Json,
  lookup: Lookup,
): { readonly extent: Extent; readonly put: number } {
  let { levels, characters, foreign } = extentOf(value, limits.mostValue, state.extents);
  let put = 0;
  if (namesIn(value).size === 0) return { extent: { levels, characters, foreign }, put };
  for (const { text, level } of textsIn(value)) {
    const isWhole = wholeName(text) !== undefined;
    for (const { name } of referencesIn(text)) {
      const found = lookup(name);
      if (found === undefined) continue;
      const one = extentOf(found, limits.mostValue, state.extents);
      levels = Math.max(levels, isWhole ? level + one.levels : one.levels);
      characters += one.characters;
      foreign ??= one.foreign;
      if (!isWhole) put += one.characters;
    }
  }
  return { extent: { levels, characters, foreign }, put };
}

const refusalOfRun = (
  { state, limits: { mostSubstituted } }: ExecutorStep,
  put: number,
): string | undefined =>
  state.put + put > mostSubstituted
    ? `expected references to put at most ${mostSubstituted} characters into the texts of a run; more came`
    : undefined;

/**
 * A piece of a response with the values of its references. A reference whose value is missing, or does not fit, stays as it
 * is written, with a remark (SEP-47).
 */
export function fillResponse(step: ExecutorStep, written: string, round?: Round): string {
  if (!written.includes('$')) return written;
  const names = new Set([...referencesIn(written)].map(({ name }) => name));
  warnMissing(step, 'the response', names, round);
  const lookup = lookupOf(step, round);
  const refused = new Set<string>();
  return substituteText(written, (name) => {
    const value = lookup(name);
    if (value === undefined || refused.has(name)) return undefined;
    const refusal = refusalInResponse(step, name, value);
    if (refusal === undefined) return value;
    refused.add(name);
    remark(step, 'value-refused', `${refusal}; it stays a reference`);
    return undefined;
  });
}

/** Why a value is not put into the response; undefined: it is, and counts. */
function refusalInResponse(step: ExecutorStep, name: string, value: Json): string | undefined {
  const { state, limits } = step;
  const { characters, ...extent } = extentOf(value, limits.mostValue, state.extents);
  const together = { ...extent, characters: state.putInResponse + characters };
  const what = `$${name} in a response, with the values before it,`;
  const refusal = refusalOf(together, what, limits.mostValue) ?? refusalOfRun(step, characters);
  if (refusal !== undefined) return refusal;
  state.putInResponse += characters;
  state.put += characters;
  return undefined;
}
