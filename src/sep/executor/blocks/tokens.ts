/** The tokens of conditions and lists: references, values and signs. */
import { exactJsonOf } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { stepsOf } from './paths.ts';
import type { PathStep } from './paths.ts';

/** A reference with its path. */
export interface Reference {
  readonly name: string;
  readonly path: readonly PathStep[];
}

/** A token. `sign`: also the words true, false, null, and, or, not, in and defined. */
export type Token = { readonly reference: Reference } | { readonly value: Json } | { readonly sign: string };

const token = new RegExp(
  [
    /\$([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z0-9_-]+|\[\d{1,15}\])*)/,
    /(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/,
    /("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')/,
    /(==|!=|<=|>=|[<>()[\]{},:]|(?:true|false|null|and|or|not|in|defined)(?![A-Za-z0-9_]))/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
);

/** The tokens of a text. @throws SyntaxError with the place of what is none */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = blanksFrom(text, 0); at < text.length; at = blanksFrom(text, token.lastIndex)) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) throw new SyntaxError(`expected a value or a sign at character ${at}`);
    tokens.push(tokenOf(found));
  }
  return tokens;
}

function blanksFrom(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] ?? '').trim() === '') at++;
  return at;
}

function tokenOf([, name, path = '', number, quoted, sign = '']: RegExpExecArray): Token {
  if (name !== undefined) return { reference: { name, path: stepsOf(path) } };
  if (number !== undefined) return { value: numberOf(number) };
  if (quoted !== undefined) return { value: textIn(quoted) };
  const word = words.get(sign);
  return word === undefined ? { sign } : { value: word };
}

const words = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function numberOf(text: string): Json {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new SyntaxError(`expected a number that JSON can hold; came ${text}`);
  return exactJsonOf(text);
}

/** The text in quotes: as in JSON, also in single quotes. */
function textIn(quoted: string): Json {
  const inside = quoted.slice(1, -1);
  const written = quoted.startsWith("'")
    ? inside.replaceAll(/\\?["']/g, (mark) => (mark.endsWith('"') ? '\\"' : "'"))
    : inside;
  return JSON.parse(`"${written}"`) as Json;
}
