/**
 * The features that a test needs, read from its outputs: a testee that does not claim one of them is not asked. The
 * features of a row are not enough: a test of another row may have a retry, a dependency or an action in a thought.
 */
import { isArray } from '../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../src/kit/base/index.ts';
import { vectorInput } from '../../src/kit/spec/index.ts';
import type { VectorOfOp } from '../../src/kit/testee/index.ts';

/** By feature: the sign of it in an output, for parsers and for executors. */
const ofOutputs: readonly (readonly [feature: string, sign: RegExp])[] = [
  ['thought_actions', /<thought\b[^>]*>(?:(?!<\/thought)[^])*<action\s/],
  ['non_final_responses', /<response\b[^>]*\sfinal\s*=\s*(?!["']?true["'\s>])/],
];
const ofRuns: readonly (readonly [feature: string, sign: RegExp])[] = [
  ...ofOutputs,
  ['dependencies', /"depends_on":\s*\[\s*"|\sdepends_on\s*=/],
  ['timeouts', /"timeout":\s*\d/],
  ['retries', /"retry(?:_count)?":\s*[1-9]|"on_error":\s*"retry"/],
];
/** An internal source, or a form of the time, that the document does not show. */
const builtIn = /\baction"?:\s*"?(?:random|debug_context|env|files)\b|\bformat"?:\s*"?(?:unix|da|time|\$)/;

/** A reference. With feeds, and with extensions, the names have values without the feature `variables`. */
const reference = /\$[A-Za-z_]/;

/** The rollback of an action. Its timeout belongs to that extension. */
const rollback = /"rollback":\s*\{[^}]*\}/g;

const textsIn = (value: Json | undefined): readonly string[] =>
  isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The outputs of the model in a request, as texts. */
function outputsOf(input: JsonObject): readonly string[] {
  const { iterations, chunks, bytes } = input;
  if (isArray(iterations))
    return iterations.map((pieces) => textsIn(pieces).join('').replaceAll(rollback, ''));
  return [textsIn(chunks).join('') || Buffer.from(textsIn(bytes).join(''), 'hex').toString()];
}

/**
 * The features that a test needs.
 *
 * @example
 * const output = '<action type="tool" mode="sync" id="a">{"name":"x","retry":2}</action>';
 * const test = { id: 'a', comment: '', requirements: ['SEP-78'], flags: [], result: 'valid' as const, iterations: [[output]] };
 * neededFeatures({ op: 'sep.run', test }); // ['retries']
 */
export function neededFeatures({ op, test }: VectorOfOp): readonly string[] {
  const input = vectorInput(test);
  const outputs = outputsOf(input);
  const signs = op === 'sep.run' ? ofRuns : ofOutputs;
  const needed = signs.flatMap(([feature, sign]) => (outputs.some((one) => sign.test(one)) ? [feature] : []));
  if (outputs.length > 1) needed.push('non_final_responses');
  if (op === 'sep.run' && hasReference(input, outputs)) needed.push('variables');
  if (op === 'sep.run' && textsIn([input['manifest'] ?? '', ...outputs]).some((one) => builtIn.test(one)))
    needed.push('internal_sources');
  return [...new Set(needed)].toSorted();
}

/** Whether an output names the output of an action, or a variable of the caller. */
const hasReference = (input: JsonObject, outputs: readonly string[]): boolean =>
  input['manifest'] === undefined &&
  input['extensions'] === undefined &&
  !outputs.some((one) => one.includes('type="internal"')) &&
  outputs.some((one) => reference.test(one));
