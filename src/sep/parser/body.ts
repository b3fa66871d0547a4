/**
 * Finds the end of an action's body: a `</action>` that is not inside a JSON string (SEP-20). The body of a template ends
 * at `</template>` in the same way.
 */

/** The end of a body: the positions of `</action>` and of the character behind it, from the body's begin. */
export interface BodyEnd {
  readonly end: number;
  readonly next: number;
}

const quote = 34;
const backslash = 92;
const less = 60;
const greater = 62;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13;

const tableOf = (chars: string): Uint8Array => {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
};

/** The characters of JSON outside of strings. */
const structure = tableOf('{}[]:,+-.0123456789eEtrufalsn \n\r\t');
/** The characters behind a backslash. */
const escapes = tableOf('"\\/bfnrtu');

/** Reads a body in chunks, and keeps no character of it. */
export class BodyScanner {
  /** The closing tag, and its length without the `>`. */
  readonly #closing: string;
  readonly #whole: number;
  /** The characters that were read. */
  #at = 0;
  #inString = false;
  #escaped = false;
  /** Whether a character came that JSON does not have there. From then on the first `</action>` ends the body. */
  #broken = false;
  /** How much of `</action>` has come. The blanks before `>` count as one. */
  #matched = 0;
  #matchedAt = 0;
  /** The first `</action>`, which is inside a string. */
  #candidate: BodyEnd | undefined;

  /** @param closing - the closing tag */
  constructor(closing: string) {
    this.#closing = closing;
    this.#whole = closing.length - 1;
  }

  /** The first `</action>` inside a string. It ends the body if the input ends. */
  get candidate(): BodyEnd | undefined {
    return this.#candidate;
  }

  /** From here on, the next `</action>` ends the body, in a string or not. */
  breakOff(): void {
    this.#broken = true;
  }

  /** Reads characters from `from` on. @returns the end of the body, as soon as it is known */
  scan(text: string, from: number): BodyEnd | undefined {
    const base = this.#at - from;
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (this.#matched > 0 || code === less) {
        const found = this.#match(code, base + i);
        if (found !== undefined) return found;
      }
      if (this.#broken) continue;
      if (this.#matched === 0) this.#lex(code);
      if (this.#broken && this.#candidate !== undefined) return this.#candidate;
    }
    this.#at = base + text.length;
    return undefined;
  }

  /** One character of what may be `</action>`. */
  #match(code: number, at: number): BodyEnd | undefined {
    if (this.#matched === this.#whole) {
      if (isSpace(code)) {
        // A JSON string has no line break: this is the end of the body, or its first fault.
        this.#broken ||= code < 32 && this.#inString;
        return undefined;
      }
      this.#matched = 0;
      if (code !== greater) return this.#mismatch(code, at);
      const end = { end: this.#matchedAt, next: at + 1 };
      if (!this.#inString || this.#broken) return end;
      this.#candidate ??= end;
      return undefined;
    }
    if (code !== this.#closing.charCodeAt(this.#matched)) return this.#mismatch(code, at);
    if (this.#matched === 0) this.#matchedAt = at;
    this.#matched++;
    return undefined;
  }

  #mismatch(code: number, at: number): undefined {
    this.#matched = 0;
    // JSON has no `<` outside of strings.
    if (!this.#inString) this.#broken = true;
    if (code !== less) return;
    this.#matched = 1;
    this.#matchedAt = at;
  }

  #lex(code: number): void {
    if (!this.#inString) {
      if (code === quote) this.#inString = true;
      else if (code >= 128 || structure[code] === 0) this.#broken = true;
    } else if (this.#escaped) {
      this.#escaped = false;
      if (code >= 128 || escapes[code] === 0) this.#broken = true;
    } else if (code === backslash) this.#escaped = true;
    else if (code === quote) this.#inString = false;
    else if (code < 32) this.#broken = true;
  }
}
