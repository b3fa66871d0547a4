/** Scans one string or number of a JSON text. */
import { overflows } from './serde-float.ts';
import type { TokenKind } from './tokens.ts';
import type { Fault } from './violation.ts';

/** A scalar with the offset after it, or the fault of a text that is not a scalar. */
export type Scalar = { readonly kind: TokenKind; readonly end: number } | Fault;

/** Scans the string whose opening quote is at `start`. Every surrogate in it must have its partner (KODA-16). */
export function scanString(text: string, start: number): Scalar {
  let kind: TokenKind = 'string';
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return { kind, end: at + 1 };
    if (code < 0x20) return 'control-character';
    if (code === backslash) {
      const end = endOfEscape(text, at);
      if (typeof end === 'string') return end;
      kind = 'escaped';
      at = end - 1;
    } else if (isSurrogate(code)) {
      if (!isPair(code, text.charCodeAt(at + 1))) return 'lone-surrogate';
      at++;
    }
  }
  return 'syntax';
}

/** The offset after the escape at `at`; for a surrogate, after the escape of its partner. */
function endOfEscape(text: string, at: number): number | Fault {
  const letter = text.charAt(at + 1);
  if (letter !== 'u') return letter !== '' && '"\\/bfnrt'.includes(letter) ? at + 2 : 'syntax';
  const unit = unitAt(text, at);
  if (unit < 0) return 'syntax';
  if (!isSurrogate(unit)) return at + 6;
  return isPair(unit, unitAt(text, at + 6)) ? at + 12 : 'lone-surrogate';
}

/** The UTF-16 unit of the escape `\uXXXX` at `at`; -1 when there is none. */
function unitAt(text: string, at: number): number {
  const escape = text.slice(at, at + 6);
  return /^\\u[\dA-Fa-f]{4}$/.test(escape) ? Number.parseInt(escape.slice(2), 16) : -1;
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

const isPair = (high: number, low: number): boolean =>
  high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;

/** Scans the number at `start`. */
export function scanNumber(text: string, start: number): Scalar {
  const first = text.charCodeAt(start) === minus ? start + 1 : start;
  let end = endOfDigits(text, first);
  // Only the number 0 begins with 0.
  if (end === first || (text.charCodeAt(first) === zero && end > first + 1)) return 'syntax';
  let kind: TokenKind = 'integer';
  let hasExponent = false;
  if (text.charCodeAt(end) === point) {
    const fraction = end + 1;
    end = endOfDigits(text, fraction);
    if (end === fraction) return 'syntax';
    kind = 'float';
  }
  if (isExponent(text.charCodeAt(end))) {
    const sign = text.charCodeAt(end + 1);
    const exponent = sign === plus || sign === minus ? end + 2 : end + 1;
    end = endOfDigits(text, exponent);
    if (end === exponent) return 'syntax';
    kind = 'float';
    hasExponent = true;
  }
  // Without an exponent, a number of 308 characters is below 1e308.
  const mayBeBeyond = hasExponent || end - start > 308;
  return mayBeBeyond && overflows(text.slice(start, end)) ? 'number-too-large' : { kind, end };
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); code >= zero && code <= nine; code = text.charCodeAt(end)) end++;
  return end;
}

const [quote, backslash, point, plus, minus] = [0x22, 0x5c, 0x2e, 0x2b, 0x2d];
const [zero, nine] = [0x30, 0x39];

const isExponent = (code: number): boolean => code === 0x65 || code === 0x45;
