/** What to write instead of a value of the wrong type. */
import { isObject } from '../base/index.ts';
import type { SchemaFault, Validator } from '../base/index.ts';

/** The longest text whose list form is shown (characters). */
const longest = 200;

/**
 * The value in the form that the schema takes, as the end of a sentence; empty where there is none.
 *
 * @example
 * cureOf({ instancePath: '/command', keyword: 'type', params: { type: 'array' }, parentSchema: { items: { type: 'string' } }, data: './a {address}' }); // ": write [./a, '{address}']"
 */
export function cureOf({ keyword, params, parentSchema, data }: SchemaFault): string {
  if (keyword !== 'type') return '';
  if (params['type'] === 'array' && typeof data === 'string') return listForm(data, parentSchema['items']);
  if (params['type'] === 'string' && isObject(data)) return placeholderForm(data);
  const isPlain = typeof data === 'number' || typeof data === 'boolean';
  if (params['type'] === 'string' && isPlain && parentSchema['pattern'] === undefined)
    return `: write it in quotes, "${data}"`;
  return '';
}

/** YAML reads `{port}` as an object with one key, which has no value. */
function placeholderForm(data: Readonly<Record<string, unknown>>): string {
  const [name = '', ...more] = Object.keys(data);
  return more.length === 0 && /^\w+$/.test(name) && data[name] === null
    ? `: write '{${name}}' in quotes`
    : '';
}

/**
 * Says that an unknown key has its place further out, beside an object that it stands in, such as `: write drive beside
 * target, not in it`; empty: it has none there.
 */
export function misplacedKey(
  { keyword, instancePath, params }: SchemaFault,
  validator: Validator,
  document: unknown,
): string {
  const key = String(params['additionalProperty']);
  const path = instancePath.split('/').slice(1);
  if (keyword !== 'additionalProperties' || path.some((part) => part.includes('~'))) return '';
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const moved: unknown = structuredClone(document);
    const [from, to] = [memberAt(moved, path), memberAt(moved, path.slice(0, depth))];
    if (from === undefined || to === undefined || Object.hasOwn(to, key)) continue;
    to[key] = from[key];
    delete from[key];
    if (validator(moved)) return `: write ${key} beside ${path[depth] ?? ''}, not in it`;
  }
  return '';
}

/** The object at a path; undefined: there is none. */
function memberAt(document: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  let at = document;
  for (const part of path) at = isObject(at) ? at[part] : undefined;
  return isObject(at) ? at : undefined;
}

/** A text as the list of its words. What a shell would expand has no such form. */
function listForm(text: string, items: unknown): string {
  if (!isObject(items) || items['type'] !== 'string' || text.length > longest) return '';
  if (/[|&;<>()$`*?\\\n]/.test(text)) return ': write a list of words, which no shell expands';
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(([word, a, b]) => a ?? b ?? word);
  return words.length === 0 ? '' : `: write [${words.map(quoted).join(', ')}]`;
}

/** A word as YAML reads it as a text in a list. */
const quoted = (word: string): string =>
  /^[A-Za-z./-][\w./=@+-]*$/.test(word) && !/^(?:true|false|null|-)$/i.test(word)
    ? word
    : `'${word.replaceAll("'", "''")}'`;
