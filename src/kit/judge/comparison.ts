/** Makes the comparison of a violation: it keeps the place where the two messages begin to differ, and is short. */
import type { ComparedSide, Comparison } from '../base/index.ts';

/** Characters of the part that differs, and of the others. */
const shown = { field: 300, other: 120 } as const;
/** Characters before the place where two texts begin to differ. */
const before = 30;
/** The most parts of a message, and the most lawful values. */
const most = { parts: 16, due: 12 } as const;
/** Characters of a lawful value, and of the source. */
const words = { due: 120, source: 400 } as const;

/**
 * A comparison whose texts are short. Of the part that differs it keeps the place where the difference begins.
 *
 * @example
 * const text = 'x'.repeat(500);
 * const { above } = comparison({
 *   field: 'text',
 *   from: 'below',
 *   below: { label: 'the provider said', parts: { text: `${text}yes` } },
 *   above: { label: 'the client heard', parts: { text: `${text}no` } },
 * });
 * above.parts['text']; // '…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxno'
 */
export function comparison(whole: Comparison): Comparison {
  const { field, from, due, source } = whole;
  const [above, below] = [whole.above.parts[field], whole.below.parts[field]];
  const start = above === undefined || below === undefined ? 0 : startOf(above, below);
  return {
    field,
    from,
    above: shortSide(whole.above, field, start),
    below: shortSide(whole.below, field, start),
    ...(due === undefined ? {} : { due: due.slice(0, most.due).map((value) => cut(value, words.due)) }),
    ...(source === undefined ? {} : { source: cut(source, words.source) }),
  };
}

/** Where the shown part of two texts starts: a little before their first difference, when that is late. */
function startOf(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (at <= before) return 0;
  const start = at - before;
  return start - (isLowHalf(a, start) ? 1 : 0);
}

/** Whether the second half of a surrogate pair is at this place. */
const isLowHalf = (text: string, at: number): boolean => /^[\uDC00-\uDFFF]/.test(text.charAt(at));

function shortSide({ label, parts }: ComparedSide, field: string, start: number): ComparedSide {
  const all = Object.entries(parts);
  const others = all.filter(([name]) => name !== field).slice(0, most.parts - 1);
  const kept = new Set([field, ...others.map(([name]) => name)]);
  const short = all
    .filter(([name]) => kept.has(name))
    .map(([name, text]): readonly [string, string] =>
      name === field ? [name, cut(text, shown.field, start)] : [name, cut(text, shown.other)],
    );
  return { label, parts: Object.fromEntries(short) };
}

function cut(text: string, room: number, start = 0): string {
  const end = start + room;
  const last = end < text.length && isLowHalf(text, end) ? end - 1 : end;
  return `${start > 0 ? '…' : ''}${text.slice(start, last)}${last < text.length ? '…' : ''}`;
}
