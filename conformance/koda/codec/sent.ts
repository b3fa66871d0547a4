/** Reads the text that a codec sends, and finds the row that it breaks. */
import { decodeText } from '../../../src/koda/index.ts';
import type { DecodedText, Fault, KodaViolation, MessageKind, Messages } from '../../../src/koda/index.ts';

/** The fault of a sent text. */
export interface SentFault {
  /** The row that it breaks; undefined: it is a wrong value. */
  readonly row: string | undefined;
  readonly message: string;
}

/** A sent text. */
export interface Sent {
  /** The message; undefined when the text has no meaning. */
  readonly decoded: DecodedText<Messages[MessageKind]> | undefined;
  readonly fault: SentFault | undefined;
}

/** The row that each fault of a sent text breaks; undefined: no row of its form. */
const rows: { readonly [fault in Fault]: string | undefined } = {
  'lone-surrogate': 'KODA-16',
  'control-character': 'KODA-16',
  'bad-utf8': 'KODA-16',
  'byte-order-mark': 'KODA-16',
  'number-too-large': 'KODA-16',
  'trailing-comma': 'KODA-16',
  syntax: 'KODA-01',
  'not-an-object': 'KODA-01',
  'no-tag': 'KODA-01',
  'unknown-tag': 'KODA-01',
  'missing-field': 'KODA-02',
  'null-field': 'KODA-02',
  'null-float': 'KODA-12',
  'bare-string': 'KODA-18',
  'object-action': 'KODA-19',
  positional: 'KODA-20',
  'numeric-tag': 'KODA-20',
  'nested-slash': 'KODA-21',
  'wrong-type': undefined,
  'not-an-integer': undefined,
  'out-of-range': undefined,
  'duplicate-field': undefined,
  'too-deep': undefined,
  'too-large': undefined,
};

/** Reads a sent text. A spelling that serde reads and never writes is a fault, and has a meaning. */
export function readSent(kind: MessageKind, text: string): Sent {
  const strict = decodeText(kind, text);
  if (strict.ok) return { decoded: strict.value, fault: omissionOf(strict.value) };
  const lax = decodeText(kind, text, { serde: true });
  const { error } = strict;
  return {
    decoded: lax.ok ? lax.value : undefined,
    fault: { row: rowOf(error, text), message: `${error.message}, in the sent text` },
  };
}

/** An absent preview or action, and absent images, have a meaning, but must be sent. */
function omissionOf({ omitted }: DecodedText<unknown>): SentFault | undefined {
  const [field] = omitted ?? [];
  return field === undefined
    ? undefined
    : { row: 'KODA-02', message: `expected every field; ${field} is absent in the sent text` };
}

function rowOf({ fault, path }: KodaViolation, text: string): string | undefined {
  if (fault !== 'syntax') return rows[fault];
  // Many libraries write NaN and Infinity, which are no JSON.
  return /^-?(?:NaN|Infinity)/.test(text.slice(Number(path.slice(1)))) ? 'KODA-12' : rows.syntax;
}
