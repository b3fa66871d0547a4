/** References in texts: `$name` means a value, `$$name` the text `$name` (Decisions, 17 and 18). */
import { exactText, isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';

/** A part of a text. */
export type TextPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'reference'; readonly name: string; readonly text: string }
  /** `$$name`. */
  | { readonly is: 'escape'; readonly name: string; readonly text: string };

const written = /\$(\$?)([A-Za-z_][A-Za-z0-9_]*)/g;

/** The parts of a text, in order. */
export function partsOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: all, 1: escape, 2: name = '', index } of text.matchAll(written)) {
    if (index > from) parts.push({ is: 'text', text: text.slice(from, index) });
    parts.push({ is: escape === '' ? 'reference' : 'escape', name, text: all });
    from = index + all.length;
  }
  if (from < text.length) parts.push({ is: 'text', text: text.slice(from) });
  return parts;
}

/** A value inside of a text: a text as it is, any other value as compact JSON. */
export const textForm = (value: Json): string => (typeof value === 'string' ? value : exactText(value));

/** The names that the texts of a value refer to, each once. */
export function namesIn(value: Json): readonly string[] {
  const found = new Set<string>();
  const look = (one: Json): void => {
    if (typeof one === 'string') {
      for (const part of partsOf(one)) if (part.is === 'reference') found.add(part.name);
    } else if (isArray(one)) one.forEach(look);
    else if (isObject(one)) Object.values(one).forEach(look);
  };
  look(value);
  return [...found];
}
