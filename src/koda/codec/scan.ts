/**
 * Scans a JSON text into tokens: strictly, in one pass, without recursion. Refuses the texts that serde_json refuses:
 * also lone surrogates, and numbers beyond the doubles.
 */
import { ok, refuse } from '../../kit/base/index.ts';
import type { Result } from '../../kit/base/index.ts';
import { scanNumber, scanString } from './scan-scalar.ts';
import type { Scalar } from './scan-scalar.ts';
import type { TokenKind, Tokens } from './tokens.ts';
import { violation } from './violation.ts';
import type { Fault, KodaViolation } from './violation.ts';

/** Most nested containers, the message included (KODA-17). serde_json's recursion limit is 128, and it refuses 128. */
export const mostNested = 127;

/** Scans a text with at most `levels` nested containers. The result is its tokens, or the first fault. */
export function scan(text: string, levels: number = mostNested): Result<Tokens, KodaViolation> {
  const scanner = new Scanner(text, levels);
  scanner.run();
  return scanner.fault === undefined ? ok(scanner) : refuse(scanner.fault);
}

class Scanner {
  readonly text: string;
  readonly kinds: TokenKind[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly nexts: number[] = [];
  /** The first fault; the scan ends with it. */
  fault: KodaViolation | undefined;
  #at = 0;
  readonly #levels: number;
  /** The open containers, as tokens. */
  readonly #open: number[] = [];

  constructor(text: string, levels: number) {
    this.text = text;
    this.#levels = levels;
  }

  run(): void {
    if (this.text.charCodeAt(0) === byteOrderMark) return this.#refuse('byte-order-mark', 0);
    do {
      if (this.#value()) this.#afterValue();
    } while (this.fault === undefined && this.#open.length > 0);
    if (this.fault === undefined && !Number.isNaN(this.#peek())) this.#refuse('syntax', this.#at, 'the end');
  }

  /** Scans a scalar, or the start of a container and the name of its first member. Returns whether a value is complete. */
  #value(): boolean {
    const code = this.#peek();
    if (code === openBrace || code === openBracket) return this.#container(code === openBrace);
    const start = this.#at;
    const scalar = this.#scalar(code);
    if (typeof scalar === 'string') this.#refuse(scalar, start, 'a value');
    else this.#token(scalar.kind, start, scalar.end);
    return this.fault === undefined;
  }

  #scalar(code: number): Scalar {
    if (code === quote) return scanString(this.text, this.#at);
    if (code === minus || isDigit(code)) return scanNumber(this.text, this.#at);
    const word = words[code];
    return word !== undefined && this.text.startsWith(word, this.#at)
      ? { kind: word, end: this.#at + word.length }
      : 'syntax';
  }

  #container(isObject: boolean): boolean {
    if (this.#open.length === this.#levels) {
      this.#refuse('too-deep', this.#at, `at most ${this.#levels} nested containers`);
      return false;
    }
    this.#open.push(this.kinds.length);
    this.#token(isObject ? 'object' : 'array', this.#at, this.#at + 1);
    if (this.#peek() === (isObject ? closeBrace : closeBracket)) {
      this.#close();
      return true;
    }
    if (isObject) this.#name();
    return false;
  }

  /** Goes from a complete value to the next one, and closes the containers that end here. */
  #afterValue(): void {
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      const isObject = this.kinds[open] === 'object';
      const code = this.#peek();
      if (code === comma) return this.#comma(isObject);
      if (code !== (isObject ? closeBrace : closeBracket))
        return this.#refuse('syntax', this.#at, isObject ? 'a comma or }' : 'a comma or ]');
      this.#close();
    }
  }

  #comma(isObject: boolean): void {
    const at = this.#at++;
    const code = this.#peek();
    if (code === closeBrace || code === closeBracket) this.#refuse('trailing-comma', at, 'a value after it');
    else if (isObject) this.#name();
  }

  /** The name of a member, and the colon. */
  #name(): void {
    const start = this.#peek() === quote ? this.#at : -1;
    if (start < 0) return this.#refuse('syntax', this.#at, 'the name of a member');
    const scalar = scanString(this.text, start);
    if (typeof scalar === 'string') return this.#refuse(scalar, start, 'the name of a member');
    this.#token(scalar.kind, start, scalar.end);
    if (this.#peek() !== colon) return this.#refuse('syntax', this.#at, 'a colon');
    this.#at++;
  }

  #token(kind: TokenKind, start: number, end: number): void {
    this.kinds.push(kind);
    this.starts.push(start);
    this.ends.push(end);
    this.nexts.push(this.kinds.length);
    this.#at = end;
  }

  #close(): void {
    const open = this.#open.pop() ?? 0;
    this.ends[open] = ++this.#at;
    this.nexts[open] = this.kinds.length;
  }

  /** The code of the next character that is no blank; NaN at the end. */
  #peek(): number {
    let code = this.text.charCodeAt(this.#at);
    while (code === space || code === lineFeed || code === carriageReturn || code === tab)
      code = this.text.charCodeAt(++this.#at);
    return code;
  }

  #refuse(fault: Fault, at: number, expected = 'JSON'): void {
    const came = at < this.text.length ? JSON.stringify(this.text.slice(at, at + 20)) : 'the end';
    this.fault ??= violation(fault, `@${at}`, `expected ${expected}; came ${came} (${fault})`);
  }
}

const [space, tab, lineFeed, carriageReturn] = [0x20, 0x09, 0x0a, 0x0d];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [quote, comma, colon, minus] = [0x22, 0x2c, 0x3a, 0x2d];
const byteOrderMark = 0xfeff;

/** The words of JSON, by their first letter. */
const words: { readonly [code: number]: 'true' | 'false' | 'null' } = {
  0x74: 'true',
  0x66: 'false',
  0x6e: 'null',
};

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
