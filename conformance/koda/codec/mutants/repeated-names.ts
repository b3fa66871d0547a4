/** Finds names that come twice in one object of a JSON text. */

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:]/g;

/** The names that come twice in one object, at any depth. The text is valid JSON. */
export function repeatedNames(text: string): readonly string[] {
  const repeated: string[] = [];
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1);
      if (names?.has(last) === true) repeated.push(last);
      names?.add(last);
    } else last = JSON.parse(token) as string;
  }
  return repeated;
}
