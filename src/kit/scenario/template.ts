/** Fills in a scenario's variables, large texts and the suite's own forms. Also matches events against patterns. */
import { WireproofError, isObject } from '../base/index.ts';
import type { Json, JsonObject } from '../base/index.ts';
import type { Random } from '../world/index.ts';

/**
 * The values of `$name`. `$timeouts.cancel` means the member `cancel` of the variable `timeouts`. A function gives a new
 * value at each use.
 */
export type Variables = { readonly [name: string]: unknown };

/** The suite's own forms: `{$name: value}` becomes the result of the function `$name`, given the filled-in value. */
export type TemplateForms = { readonly [form: `$${string}`]: (value: Json) => Json };

function lookUp(path: string, variables: Variables): unknown {
  let value: unknown = variables;
  for (const part of path.split('.'))
    value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  if (value === undefined)
    throw new WireproofError(
      'usage',
      `the scenario uses $${path}, which is no variable; there are ${Object.keys(variables).join(', ')}`,
    );
  return typeof value === 'function' ? (value as () => unknown)() : value;
}

const whole = /^\$([A-Za-z_][\w.]*)$/;
const inside = /\$\{([A-Za-z_][\w.]*)\}/g;

/**
 * A copy of a value in which variables and forms are replaced.
 *
 * @example
 * fill({ id: '$req', text: 'hello ${who}' }, { req: 'r1', who: 'you' }); // { id: 'r1', text: 'hello you' }
 */
export function fill<T extends JsonObject | readonly JsonObject[]>(
  value: T,
  variables: Variables,
  forms?: TemplateForms,
): T extends readonly unknown[] ? readonly JsonObject[] : JsonObject;
export function fill(value: Json | undefined, variables: Variables, forms?: TemplateForms): Json;
export function fill(value: Json | undefined, variables: Variables, forms: TemplateForms = {}): Json {
  if (typeof value === 'string') {
    if (value === '$any') return value;
    const name = whole.exec(value)?.[1];
    if (name !== undefined) return lookUp(name, variables) as Json;
    return value.includes('${')
      ? value.replace(inside, (_, path: string) => String(lookUp(path, variables)))
      : value;
  }
  if (Array.isArray(value)) return value.map((v: Json) => fill(v, variables, forms));
  if (!isObject(value)) return value ?? null;
  if ('$fill' in value) return largeText(fill(value['$fill'], variables, forms));
  const entries = Object.entries(value).map(([k, v]): [string, Json] => [k, fill(v, variables, forms)]);
  for (const [key, filled] of entries) {
    const form = isForm(key) && Object.hasOwn(forms, key) ? forms[key] : undefined;
    if (form !== undefined) return form(filled);
  }
  return Object.fromEntries(entries);
}

const isForm = (key: string): key is `$${string}` => key.startsWith('$');

/** The bytes of a token, about: four characters of English. */
const tokenBytes = 4;

/** A text (ASCII) that is repeated up to a number of bytes, or to a share of a number of tokens. */
function largeText(spec: unknown): string {
  const { text, tokens, share = 1, bytes = sizeOf(tokens, share) } = isObject(spec) ? spec : {};
  if (
    typeof text !== 'string' ||
    text === '' ||
    typeof bytes !== 'number' ||
    !(bytes >= 0 && bytes <= largest)
  ) {
    throw new WireproofError(
      'usage',
      `$fill takes {text, bytes} or {text, tokens, share}, with up to ${largest} bytes; came ${JSON.stringify(spec)}`,
    );
  }
  return text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
}

const sizeOf = (tokens: unknown, share: unknown): number | undefined =>
  typeof tokens === 'number' && typeof share === 'number'
    ? Math.floor(tokens * share * tokenBytes)
    : undefined;

/** The largest text a scenario may ask for (bytes). */
const largest = 64 << 20;

/** Whether data has every member of a pattern. Objects may have further members; arrays must have the same length. */
export function matches(data: unknown, pattern: unknown): boolean {
  if (pattern === '$any') return data !== undefined;
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(data) && data.length === pattern.length && pattern.every((p, i) => matches(data[i], p))
    );
  }
  if (!isObject(pattern)) return data === pattern;
  if (!isObject(data)) return false;
  for (const key of Object.keys(pattern)) if (!matches(data[key], pattern[key])) return false;
  return true;
}

/** The value at a dotted path of an event's data. */
export function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const part of path.split('.')) value = isObject(value) ? value[part] : undefined;
  return value;
}

const units: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/**
 * A time in words as milliseconds: `300ms`, `5s`, `1.5m`.
 *
 * @returns undefined when the text is not a time
 */
export function duration(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|min|h)$/.exec(text.trim()) ?? [];
  return number === undefined || unit === undefined ? undefined : Number(number) * (units[unit] ?? 1);
}

/** A time of a scenario (ms), by the scale of its run. */
export function timeIn(text: string, variables: Variables, forms: TemplateForms): number {
  const filled = fill(text, variables, forms);
  const ms = typeof filled === 'string' ? duration(filled) : filled;
  if (typeof ms !== 'number') throw new WireproofError('usage', `not a time: ${text}`);
  return ms * Number(variables['timeout_scale'] ?? 1);
}

/** Fresh values of variables. */
export const freshValues = (
  kinds: { readonly [name: string]: 'uuid' | 'nonce' } = {},
  random: Random,
): Variables =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      kind === 'uuid' ? random.uuid() : `n${random.uuid().slice(0, 8)}`,
    ]),
  );
