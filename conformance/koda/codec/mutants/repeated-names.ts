/** Finds names that stand twice in one object of a JSON text. */

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]/g;

/** The names that stand twice, each with the number of containers around it. The text is valid JSON. */
export function repeatedNames(text: string): readonly { readonly name: string; readonly depth: number }[] {
  const repeated: { name: string; depth: number }[] = [];
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1);
      if (names?.has(last) === true) repeated.push({ name: last, depth: open.length });
      names?.add(last);
    }
    last = token.startsWith('"') ? (JSON.parse(token) as string) : last;
  }
  return repeated;
}
