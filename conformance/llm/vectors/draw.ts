/** Draws the content of random cases: texts, arguments, and their pieces. */
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';

/** Characters that JSON escapes, that are long in UTF-8, or that a framing uses. */
const pieces =
  'a Z 7 { } [ ] , : " \\ / \n \r\n \t \u0001 \u00e9 \u20ac \u2028 \u{1f600} e\u0301 \u05d0 data: event: [DONE] null xxxxxxxx'.split(
    ' ',
  );

const pick = <T>(random: Random, items: readonly T[], otherwise: T): T =>
  items[random.below(items.length)] ?? otherwise;

/** A text of one to twelve pieces. */
export const randomText = (random: Random): string =>
  Array.from({ length: 1 + random.below(12) }, () => pick(random, pieces, 'a')).join('');

function randomValue(random: Random, depth: number): Json {
  const kind = random.below(depth > 0 ? 6 : 4);
  if (kind === 0) return pick<Json>(random, [null, true, false], null);
  if (kind === 1) return random.below(2 ** 40) / 16;
  if (kind <= 3) return randomText(random);
  if (kind === 4) return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  return randomArguments(random, depth - 1);
}

/** Arguments of a call: an object of one to four members, with a limit of nesting. */
export const randomArguments = (random: Random, depth = 2): JsonObject =>
  Object.fromEntries(
    Array.from({ length: 1 + random.below(4) }, (_, i) => [`k${i}`, randomValue(random, depth)] as const),
  );

/** A text in pieces of one to eight characters. No character is cut, because JSON cannot contain half a character. */
export function splitText(random: Random, text: string): readonly string[] {
  const left = Array.from(text);
  const made: string[] = [];
  while (left.length > 0) made.push(left.splice(0, 1 + random.below(8)).join(''));
  return made;
}

/** A generation: a text, then calls. The limit may cut the last call. */
export interface DrawnGeneration {
  readonly text: readonly string[];
  readonly calls: readonly DrawnCall[];
  readonly cut: boolean;
  /** The expected result, in the form of a case table. */
  readonly outcome: {
    readonly content: string;
    /** The complete calls: id, name, input. */
    readonly calls: readonly (readonly [string, string, JsonObject])[];
    readonly stop: string;
    /** The call that the limit cut. */
    readonly open?: { readonly id: string; readonly name: string };
  };
}

/** A call on the wire. */
export interface DrawnCall {
  readonly id: string;
  readonly name: string;
  /** The text of its arguments, in pieces. It is incomplete when the limit cut the call. */
  readonly pieces: readonly string[];
  readonly input: JsonObject;
}

/** Draws a generation. A part of an object's text is never valid JSON. */
export function drawGeneration(random: Random, { cut }: { readonly cut: boolean }): DrawnGeneration {
  const content = randomText(random);
  const count = random.below(3) + (cut ? 1 : 0);
  const calls = Array.from({ length: count }, (_, i): DrawnCall => {
    const input = randomArguments(random);
    const text = Array.from(JSON.stringify(input));
    const kept = cut && i === count - 1 ? text.slice(0, 1 + random.below(text.length - 1)) : text;
    return { id: `call_${i + 1}`, name: `tool_${i + 1}`, pieces: splitText(random, kept.join('')), input };
  });
  const whole = cut ? calls.slice(0, -1) : calls;
  const stop = cut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  const said = whole.map(({ id, name, input }) => [id, name, input] as const);
  const outcome = { content, calls: said, stop };
  const last = calls.at(-1);
  const open = last && { id: last.id, name: last.name };
  return {
    text: splitText(random, content),
    calls,
    cut,
    outcome: cut && open !== undefined ? { ...outcome, open } : outcome,
  };
}
