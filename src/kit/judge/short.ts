/** Values of a trace as short text for a person: ids are short, and content is before ids. */
import { exactText, isObject } from '../base/index.ts';
import type { Json } from '../base/index.ts';

/** UUIDs, and hexadecimal texts of 16 digits and more. */
const longId = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,})\b/giu;
/** Characters of an id that are shown, unless two ids begin with the same ones. */
const idShown = 8;
/** Characters of a text that are shown: its beginning and its end. */
const [textBegin, textEnd] = [120, 30];
/** Members of a list that are shown: the last ones, because the newest matter most. */
const itemsShown = 2;
/** Characters of such a member before the last one, so that an excerpt has room for the last one. */
const olderShown = 150;
/** Members of an object that are looked at: an excerpt has room for fewer. */
const membersRead = 100;
/** Levels of nesting that are shown. */
const levelsShown = 8;

/** The short form of each long id in these texts: as long as needed to differ from all others. */
export function shortIds(texts: Iterable<string>): ReadonlyMap<string, string> {
  const ids = [...new Set([...texts].flatMap((text) => text.match(longId) ?? []))].toSorted();
  return new Map(
    ids.map((id, i) => {
      const alike = Math.max(commonStart(id, ids[i - 1]), commonStart(id, ids[i + 1]));
      const length = Math.max(idShown, alike + 1);
      return [id, length >= id.length ? id : `${id.slice(0, length)}…`];
    }),
  );
}

/** The number of characters that two texts share at their start. */
function commonStart(a: string, b: string | undefined): number {
  let n = 0;
  while (n < a.length && n < (b?.length ?? 0) && a[n] === b?.[n]) n++;
  return n;
}

/** Writes values with the short forms of ids. */
export class ShortText {
  readonly #ids: ReadonlyMap<string, string>;

  constructor(ids: ReadonlyMap<string, string>) {
    this.#ids = ids;
  }

  /**
   * A value without quotes around its keys. Texts come before ids and numbers, long texts lose their middle, and long
   * lists all but the names or the last members.
   *
   * @example
   * new ShortText(new Map()).of({ request_id: 'r-1', text: 'Hello' }); // 'text: "Hello", request_id: "r-1"'
   */
  of(value: Json): string {
    const text = this.#value(value, 0);
    return text.startsWith('{') ? text.slice(1, -1) : text;
  }

  /** A text whose long ids are short. */
  ids(text: string): string {
    return text.replace(longId, (id) => this.#ids.get(id) ?? id);
  }

  #value(value: Json, depth: number): string {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return exactText(value);
    if (depth >= levelsShown) return '…';
    if (Array.isArray(value)) return this.#list(value, depth);
    const members = firstMembers(value)
      .map(([key, member]) => ({ key, member, rank: rankOf(key, member) }))
      .toSorted((a, b) => a.rank - b.rank);
    return `{${members.map(({ key, member }) => `${key}: ${this.#value(member, depth + 1)}`).join(', ')}}`;
  }

  #text(text: string): string {
    const short = this.#ids.get(text);
    if (short !== undefined) return short;
    const known = this.ids(text);
    const hidden = known.length - textBegin - textEnd;
    const cut = hidden <= 0 ? known : `${known.slice(0, textBegin)}…${known.slice(-textEnd)}`;
    return JSON.stringify(cut) + (hidden <= 0 ? '' : ` (${text.length} characters)`);
  }

  #list(list: readonly Json[], depth: number): string {
    const names = list.map(nameOf);
    if (list.length > 0 && names.every((name) => name !== undefined))
      return `[${names.map((n) => this.ids(n)).join(', ')}]`;
    const before = list.length - itemsShown;
    const shown = list.slice(-itemsShown).map((item, i, items) => {
      const text = this.#value(item, depth + 1);
      return i < items.length - 1 && text.length > olderShown ? `${text.slice(0, olderShown)}…` : text;
    });
    return `[${[...(before > 0 ? [`… ${before} before`] : []), ...shown].join(', ')}]`;
  }
}

/** The name of a definition, such as a tool with its schema; undefined: it has no name, or is small enough to be shown. */
function nameOf(item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  const { name, description } = item;
  // A call has a name and a text of arguments.
  const defines = description !== undefined || Object.values(item).some((one) => typeof one === 'object');
  if (typeof name === 'string' && defines && exactText(item).length > 60) return name;
  const inner = Object.values(item).filter((member) => typeof member === 'object');
  return inner.length === 1 ? nameOf(inner[0] ?? null) : undefined;
}

/** The place of a member in its object: containers with a message and texts first, then small values, then ids. */
function rankOf(key: string, value: Json): number {
  if (/(?:^|_)ids?$|Id$|^object$|^created$|fingerprint/u.test(key)) return 3;
  if (typeof value === 'string') return value.search(longId) === 0 ? 3 : 0;
  if (typeof value !== 'object' || value === null) return 2;
  return Array.isArray(value) && value.length > 0 && value.every((item) => nameOf(item) !== undefined)
    ? 1
    : 0;
}

/** The texts in a value, with their paths of keys. Of a container with many members, only the first ones are read. */
export function* textsIn(
  value: Json,
  path = '',
  depth = 0,
): Generator<readonly [path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  if (typeof value !== 'object' || value === null || depth > levelsShown) return;
  for (const [key, member] of firstMembers(value)) yield* textsIn(member, `${path}.${key}`, depth + 1);
}

/** The first members of an object or a list. A peer chooses how many there are. */
function firstMembers(value: object): readonly (readonly [key: string, member: Json])[] {
  const members: [string, Json][] = [];
  for (const key in value) {
    if (members.length >= membersRead) break;
    members.push([key, (value as { readonly [key: string]: Json })[key] ?? null]);
  }
  return members;
}
