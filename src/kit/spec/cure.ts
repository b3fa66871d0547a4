/** What to write instead of a value of the wrong type. */
import { isObject } from '../base/index.ts';
import type { SchemaFault } from '../base/index.ts';

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
  const isPlain = typeof data === 'number' || typeof data === 'boolean';
  if (params['type'] === 'string' && isPlain && parentSchema['pattern'] === undefined)
    return `: write it in quotes, "${data}"`;
  return '';
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
