/** Compares what a provider said with what a client heard, in the normal forms of spec/llm/README.md (Gateways). */
import { exactObjectOf, isArray, isNumber, isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';
import type { AnsweredCall, NeutralAnswer } from '../../../src/llm/gateway/index.ts';

/** At a border of two parts up to two characters of white space may stand. */
const gap = /^\s{0,2}/u;

/** A long text in a trace, shortened (src/kit/suite/long-text.ts): the characters that are left out, and the note of them. */
const shortened = /…\[(\d+) characters, hash [0-9a-f]{8}\]…/g;

/** The characters of a shortened text that a trace has. */
const keptCharacters = 400;

/** The length of a text, with what a trace has left out of its pieces. */
export const wholeLength = (text: string): number =>
  [...text.matchAll(shortened)].reduce(
    (sum, [note, length]) => sum - note.length + Number(length) - keptCharacters,
    text.length,
  );

/** Whether a text is that of a provider, with white space at the borders of its parts or without. */
export function sameText(sent: string, borders: readonly number[], heard: string): boolean {
  if (sent === heard) return true;
  // Pieces that were shortened one by one can only be counted.
  if (sent.search(shortened) >= 0) return wholeLength(sent) === wholeLength(heard);
  let from = 0;
  let at = 0;
  for (const border of [...borders, sent.length]) {
    const part = sent.slice(from, border);
    if (!heard.startsWith(part, at)) {
      const skipped = from === 0 ? 0 : (gap.exec(heard.slice(at))?.[0].length ?? 0);
      const shift = [...Array.from({ length: skipped + 1 }).keys()].find((n) =>
        heard.startsWith(part, at + n),
      );
      if (shift === undefined) return false;
      at += shift;
    }
    at += part.length;
    from = border;
  }
  return at === heard.length;
}

/** The text of a provider's refusal may come as a refusal, or as text (LLM-G15), after the other text or before it. */
export function sameWords(sent: NeutralAnswer, heard: NeutralAnswer): boolean {
  const { text, refusal, borders } = sent;
  if (refusal === '' && heard.refusal === '') return sameText(text, borders, heard.text);
  const words = heard.text + heard.refusal;
  if (sameText(text + refusal, [...borders, text.length], words)) return true;
  const later = [refusal.length, ...borders.map((border) => border + refusal.length)];
  return heard.refusal === '' && sameText(refusal + text, later, words);
}

/** The value of a call's arguments; undefined for a text that is no JSON object. No text is an object without members. */
export function argumentsOf({ text }: Pick<AnsweredCall, 'text'>): Json | undefined {
  return text.trim() === '' ? {} : exactObjectOf(text);
}

/** Whether two numbers are one double. Integers of 64 bits are bigints. */
const sameDouble = (a: unknown, b: unknown): boolean => Number(a) === Number(b);

/** Whether two values are the same: numbers by value, members in any order. `digits`: integers with all their digits. */
export function sameJson(a: Json | undefined, b: Json | undefined, digits = false): boolean {
  if (isNumber(a) && isNumber(b)) return digits ? String(a) === String(b) : sameDouble(a, b);
  if (isArray(a) && isArray(b))
    return a.length === b.length && a.every((item, i) => sameJson(item, b[i], digits));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key], digits))
  );
}

/** The tokens of the whole prompt, with those of the cache; undefined where no count of it came. */
export function promptTokens({ usage }: NeutralAnswer): number | undefined {
  if (usage?.inputTokens === undefined) return undefined;
  return usage.inputTokens + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0);
}
