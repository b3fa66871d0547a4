/** Repairs of arguments that are not JSON, as lenient readers make them. A client must not trust them. */

/** Closes the open strings and brackets of a cut JSON text, and drops an incomplete member. */
export function completeJson(text: string): string {
  const closers: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const c = text[at] ?? '';
    if (inString) {
      if (c === '\\') at++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = true;
    else if (c === '{') closers.push('}');
    else if (c === '[') closers.push(']');
    else if (c === '}' || c === ']') closers.pop();
  }
  const ends = inString ? [`${text.replace(/\\(u[0-9a-f]{0,3})?$/i, '')}"`] : [];
  const candidates = [
    ...ends,
    ...(inString ? [] : [text]),
    text.replace(/,?\s*("[^"]*"?\s*:?\s*)?[-\w.]*$/, ''),
  ];
  const close = closers.toReversed().join('');
  return (
    [
      ...candidates.map((body) => body + close),
      ...candidates.map((body) => `${body}:null${close}`),
      '{}',
    ].find(isJson) ?? '{}'
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Removes commas before closing brackets. */
export const withoutCommas = (text: string): string => text.replace(/,(\s*[}\]])/g, '$1');
