/** Pieces of the page. Every text of a third party goes through {@link t}: it can neither become markup nor hide a character. */
import { xmlText } from '../escape.ts';

/** The most characters of one text in the page. */
const textLimit = 2000;

/** A text for an element or for an attribute between double quotes. */
export const t = (text: string, limit: number = textLimit): string => xmlText(text, { limit });

/** A text of several lines, for `pre`. */
export const lines = (texts: readonly string[]): string =>
  texts.map((text) => xmlText(text, { limit: textLimit })).join('\n');

/** Pieces of markup as one; undefined ones are left out. */
export const join = (...pieces: readonly (string | undefined)[]): string =>
  pieces.filter((piece) => piece !== undefined && piece !== '').join('\n');

/** A pair of a description list. */
export const fact = (name: string, markup: string | undefined): string | undefined =>
  markup === undefined || markup === '' ? undefined : `<div><dt>${name}</dt><dd>${markup}</dd></div>`;

/** Anchors that the kit makes, such as FOLD-A15. Another text would be an id that the page's own script does not expect. */
const kitId = /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+$/u;

/** The anchor of a requirement: its id, or its number where the id is not one of the kit's. */
export const rowAnchor = (id: string, number: number): string => (kitId.test(id) ? id : `row-${number}`);

/** Names of traces as keys for links: short and of plain characters; the number tells apart those that would be alike. */
export function traceKeys(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const keys = new Map<string, string>();
  for (const name of names) {
    if (keys.has(name)) continue;
    const file = (name.split(/[\\/]/u).at(-1) ?? '').replace(/\.jsonl$/u, '');
    const plain = `trace-${file.replace(/[^A-Za-z0-9.-]+/gu, '-').slice(0, 60)}`;
    const key = taken.has(plain) ? `${plain}-${taken.size}` : plain;
    taken.add(key);
    keys.set(name, key);
  }
  return keys;
}
