/**
 * Directives: texts in ordinary messages that order what a conformance target does. All protocols write them in the same
 * form, `{"wireproof":{"v":1,"do":[…]}}`; each has steps of its own.
 */
import { entryOf, isArray, isObject, jsonOf } from './json.ts';
import { ok, refuse } from './result.ts';
import type { Result } from './result.ts';

/** The steps that the directives of a protocol may have. */
export interface DirectiveGrammar {
  /** The name of each step, and the test of its value. */
  readonly steps: { readonly [name: string]: (value: unknown) => boolean };
  /** A key that may be next to one step: its name, the step, and the test of its value. Absent: a step has one key. */
  readonly companion?: {
    readonly name: string;
    readonly of: string;
    readonly isValid: (value: unknown) => boolean;
  };
  /** The test of the list of steps, before that of each step; absent: any list. */
  readonly isList?: (steps: readonly unknown[]) => boolean;
}

/**
 * Reads a text as a directive: the steps; `undefined` for a text that is not a directive; for a malformed directive, a
 * refusal with the name of the first malformed step, or with `directive`.
 */
export type DirectiveReader<Step> = (text: string) => Result<readonly Step[] | undefined, string>;

/**
 * Writes steps as a directive, in version 1 of the form.
 *
 * @example
 * directive([{ say: 'hi' }]); // '{"wireproof":{"v":1,"do":[{"say":"hi"}]}}'
 */
export const directive = (steps: readonly unknown[]): string =>
  JSON.stringify({ wireproof: { v: 1, do: steps } });

/**
 * Makes a reader of directives.
 *
 * @example
 * const read = directiveReader({ steps: { say: (value) => typeof value === 'string' } });
 * read('{"wireproof":{"do":[{"say":"hi"}]}}'); // { ok: true, value: [{ say: 'hi' }] }
 * read('{"wireproof":{"do":[{"say":1}]}}'); // { ok: false, error: 'say' }
 * read('hello'); // { ok: true, value: undefined }
 */
export function directiveReader<Step>(grammar: DirectiveGrammar): DirectiveReader<Step> {
  return (text) => {
    const body = bodyOf(text);
    if (body === undefined) return ok(undefined);
    if (!isObject(body.value)) return refuse('directive');
    const { do: steps, v } = body.value;
    if (!isArray(steps) || grammar.isList?.(steps) === false || (v ?? 1) !== 1) return refuse('directive');
    const fault = steps.map((step) => stepFault(grammar, step)).find((name) => name !== undefined);
    return fault === undefined ? ok(steps as readonly Step[]) : refuse(fault);
  };
}

/** The start of the text by which a target says that it does not support a step of a directive. */
const unsupportedStart = 'unsupported: ';

/**
 * The text by which a target says that it does not support a step of a directive, or an operator's call.
 *
 * @example
 * unsupportedText('dance'); // 'unsupported: dance'
 */
export const unsupportedText = (what: string): string => `${unsupportedStart}${what}`;

/**
 * Whether a target's text says that it does not support a step. The requirements that need the step are untestable then.
 *
 * @example
 * saysUnsupported('unsupported: dance'); // true
 * saysUnsupported('I cannot dance'); // false
 */
export const saysUnsupported = (text: string): boolean => text.startsWith(unsupportedStart);

/** The member `wireproof` of a text; undefined when the text has none. */
function bodyOf(text: string): { readonly value: unknown } | undefined {
  if (!text.includes('"wireproof"')) return undefined;
  try {
    const parsed: unknown = jsonOf(text);
    return isObject(parsed) && Object.hasOwn(parsed, 'wireproof')
      ? { value: parsed['wireproof'] }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The name of a malformed step, or `directive` when it has no single name. */
function stepFault({ steps, companion }: DirectiveGrammar, step: unknown): string | undefined {
  if (!isObject(step)) return 'directive';
  const [name, ...others] = Object.keys(step).filter((key) => key !== companion?.name);
  if (name === undefined || others.length > 0) return 'directive';
  const beside = companion === undefined ? undefined : step[companion.name];
  if (beside !== undefined && name !== companion?.of) return 'directive';
  const isValid = entryOf(steps, name)?.(step[name]) === true;
  return isValid && (beside === undefined || companion?.isValid(beside) === true) ? undefined : name;
}
