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

/**
 * The least number of inserted, removed, replaced and exchanged neighbouring characters between two short texts
 * (Damerau–Levenshtein, each character edited once).
 */
function editsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, i) => i)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let k = 1; k <= b.length; k++) {
      const isExchanged = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      const replaced = at(i - 1, k - 1) + Number(a[i - 1] !== b[k - 1]);
      const exchanged = isExchanged ? at(i - 2, k - 2) + 1 : Infinity;
      rows[i]?.push(Math.min(replaced, at(i - 1, k) + 1, at(i, k - 1) + 1, exchanged));
    }
  }
  return at(a.length, b.length);
}
