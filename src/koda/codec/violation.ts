/** The refusals of the codec: a code for each, and a finer fault. */
import type { Violation } from '../../kit/base/index.ts';

/** The codes of refusals. All but `too-large` are codes of the operations. Source: spec/koda/README.md, Operations. */
export type RefusalCode =
  | 'bad-json'
  | 'bad-tag'
  | 'missing-field'
  | 'bad-type'
  | 'out-of-range'
  | 'duplicate-field'
  | 'too-deep'
  | 'too-large';

/** The kind of a fault, finer than its code: a rule about one of them can tell it from the others. */
export type Fault =
  | 'lone-surrogate'
  | 'control-character'
  | 'bad-utf8'
  | 'byte-order-mark'
  /** A number beyond the doubles, such as `1e400`. */
  | 'number-too-large'
  | 'trailing-comma'
  | 'syntax'
  | 'not-an-object'
  | 'no-tag'
  | 'unknown-tag'
  | 'missing-field'
  | 'null-field'
  | 'null-float'
  /** A string in the place of a reason, a decision or a preview. */
  | 'bare-string'
  /** An array of fields in the place of an object. */
  | 'positional'
  | 'numeric-tag'
  /** The fields of a slash command in an object of their own. An object for `cmd` has the code `bad-type`. */
  | 'nested-slash'
  /** `{"stop":null}` in the place of `"stop"`. */
  | 'object-action'
  | 'wrong-type'
  | 'not-an-integer'
  | 'out-of-range'
  | 'duplicate-field'
  | 'too-deep'
  | 'too-large';

/** The code of each fault. A tag that is absent is a missing field, as serde says it. */
const codes: { readonly [F in Fault]: RefusalCode } = {
  'lone-surrogate': 'bad-json',
  'control-character': 'bad-json',
  'bad-utf8': 'bad-json',
  'byte-order-mark': 'bad-json',
  'number-too-large': 'bad-json',
  'trailing-comma': 'bad-json',
  syntax: 'bad-json',
  'not-an-object': 'bad-type',
  'no-tag': 'missing-field',
  'unknown-tag': 'bad-tag',
  'missing-field': 'missing-field',
  'null-field': 'bad-type',
  'null-float': 'bad-type',
  'bare-string': 'bad-type',
  positional: 'bad-type',
  'numeric-tag': 'bad-type',
  'nested-slash': 'missing-field',
  'object-action': 'bad-type',
  'wrong-type': 'bad-type',
  'not-an-integer': 'bad-type',
  'out-of-range': 'out-of-range',
  'duplicate-field': 'duplicate-field',
  'too-deep': 'too-deep',
  'too-large': 'too-large',
};

/** The refusal of a text that is no message. */
export interface KodaViolation extends Violation {
  readonly code: RefusalCode;
  readonly fault: Fault;
}

/** A refusal. `path` is the path of a field, or `@` and an offset in the text (UTF-16 units). */
export const violation = (
  fault: Fault,
  path: string,
  message: string,
  code: RefusalCode = codes[fault],
): KodaViolation => ({ code, path, message, fault });
