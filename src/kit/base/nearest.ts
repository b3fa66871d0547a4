/** Finds the name that a mistyped text was meant to be. */

/**
 * The name that a text was probably meant to be: at most two edits away, and less than half of the text. Of equals, the
 * one that begins most alike; undefined: no name is near.
 *
 * @example
 * nearest('fold/agnet', ['fold/agent', 'fold/gateway']); // 'fold/agent'
 */
export function nearest(text: string, names: Iterable<string>): string | undefined {
  const [best] = [...names]
    .map((name) => ({ name, edits: editsBetween(text.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= 2 && edits * 2 < text.length)
    .toSorted((a, b) => a.edits - b.edits || startOf(b.name, text) - startOf(a.name, text));
  return best?.name;
}

/** The number of characters that two texts share at their start. */
function startOf(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n]?.toLowerCase() === b[n]?.toLowerCase()) n++;
  return n;
}

/** A question to the reader, with a space before it; empty: no name is near. */
export function didYouMean(text: string, names: Iterable<string>): string {
  const near = nearest(text, names);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** The least number of inserted, removed and replaced characters between two short texts (Levenshtein). */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, character] of Array.from(a).entries()) {
    const next = [i + 1];
    for (let k = 0; k < b.length; k++)
      next.push(
        Math.min((row[k] ?? 0) + Number(character !== b[k]), (row[k + 1] ?? 0) + 1, (next[k] ?? 0) + 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
