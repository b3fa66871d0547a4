/**
 * Skips JSON.parse for events that differ from the last one in a string or two only ("LLM client decode, anthropic"
 * and "ollama" of `npm run bench`). It never guesses: JSON.parse would give the same strings.
 */

/** Longer texts are not learned, so that the kept text stays small. */
const longest = 2000;

/** Recognizes one text, with any content in some of its strings. */
export class JsonTemplate {
  /** The texts before, between and after the strings. */
  #parts: readonly string[] | undefined;

  /**
   * Learns a text that is JSON. Each key must be in it once, in this order, with a string for its value, and no
   * string may have an escape, so that every quote begins or ends a string. Otherwise it forgets.
   *
   * @example
   * const template = new JsonTemplate();
   * template.learn('{"index":0,"text":"Hel"}', ['text']);
   * template.match('{"index":0,"text":"lo"}'); // ['lo']
   * template.match('{"index":1,"text":"lo"}'); // undefined
   */
  learn(text: string, keys: readonly string[]): void {
    this.#parts = text.length > longest || text.includes('\\') ? undefined : partsOf(text, keys);
  }

  /** Forgets the learned text. */
  forget(): void {
    this.#parts = undefined;
  }

  /** The strings of the keys, where the rest of the text is the learned one, and they have no escapes. */
  match(text: string): readonly string[] | undefined {
    const parts = this.#parts;
    if (parts === undefined) return undefined;
    const values: string[] = [];
    const last = parts.length - 1;
    let at = 0;
    for (let i = 0; i < last; i++) {
      const part = parts[i] ?? '';
      if (!text.startsWith(part, at)) return undefined;
      const start = at + part.length;
      at = text.indexOf('"', start);
      if (at < 0 || !isPlain(text, start, at)) return undefined;
      values.push(text.slice(start, at));
    }
    const rest = parts[last] ?? '';
    return text.length - at === rest.length && text.endsWith(rest) ? values : undefined;
  }
}

function partsOf(text: string, keys: readonly string[]): readonly string[] | undefined {
  const parts: string[] = [];
  let from = 0;
  for (const key of keys) {
    const name = `"${key}"`;
    const at = text.indexOf(name);
    const start = at + name.length + 2;
    const once = at >= from && text.indexOf(name, at + 1) < 0;
    if (!once || !text.startsWith(':"', start - 2)) return undefined;
    parts.push(text.slice(from, start));
    from = text.indexOf('"', start);
  }
  return [...parts, text.slice(from)];
}

/** Whether a string has neither escapes nor control characters. */
function isPlain(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const c = text.charCodeAt(at);
    if (c < 0x20 || c === 0x5c) return false;
  }
  return true;
}
