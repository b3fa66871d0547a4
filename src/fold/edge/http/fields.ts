/** Reads the fields of a JSON body. A refusal names the field, the expected value and the given one. */
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Result } from '../../../kit/base/index.ts';
import { parseJson } from '../../json.ts';

/** The type of a field; a list contains its possible texts. */
export type FieldType = 'string' | 'text' | 'boolean' | 'attachments' | readonly string[];

/** A field of a body. */
export interface Field {
  readonly type: FieldType;
  readonly required?: boolean;
  /** The value of an absent field. */
  readonly default?: string;
}

/** The fields of a body by name. */
export type Fields = { readonly [name: string]: Field };

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const isAttachment = (value: unknown): boolean =>
  isObject(value) &&
  [value['filename'], value['mime_type']].every((one) => one === undefined || typeof one === 'string') &&
  typeof value['data'] === 'string' &&
  isBase64(value['data']);

/** The name of a type in messages, and its check. */
interface Check {
  readonly name: string;
  readonly is: (value: unknown) => boolean;
}

const checks: { readonly [T in Extract<FieldType, string>]: Check } = {
  string: { name: 'a string', is: (value) => typeof value === 'string' },
  text: { name: 'a string that is not empty', is: (value) => typeof value === 'string' && value !== '' },
  boolean: { name: 'true or false', is: (value) => typeof value === 'boolean' },
  attachments: {
    name: 'a list of {"filename", "mime_type", "data"}, data in base64',
    is: (value) => Array.isArray(value) && value.every(isAttachment),
  },
};

const oneOf = (texts: readonly string[]): Check => ({
  name: `one of ${texts.map((text) => JSON.stringify(text)).join(', ')}`,
  is: (value) => typeof value === 'string' && texts.includes(value),
});

/** The given value in an error; a long one is cut. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The value without unknown members of attachments. */
function plain(type: FieldType, value: unknown): unknown {
  if (type !== 'attachments' || !Array.isArray(value)) return value;
  return value.filter(isObject).map(({ filename, mime_type, data }) => ({
    ...(filename === undefined ? {} : { filename }),
    ...(mime_type === undefined ? {} : { mime_type }),
    data,
  }));
}

/**
 * The fields of a JSON object in bytes. Unknown fields are left out, because later clients may send more. A field that
 * is null counts as absent.
 *
 * @example
 * readFields(new TextEncoder().encode('{"reason":1}'), { reason: { type: 'string' } });
 * // { ok: false, error: 'reason: expected a string; came 1' }
 */
export function readFields(bytes: Uint8Array, fields: Fields): Result<Record<string, unknown>, string> {
  const parsed = parseJson(bytes);
  if (!parsed.ok) {
    const came = bytes.length === 0 ? 'an empty body' : parsed.error;
    return refuse(`the body: expected a JSON object in UTF-8; came ${came}`);
  }
  const body = parsed.value;
  if (!isObject(body)) return refuse(`the body: expected a JSON object; came ${shown(body)}`);
  const read: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = (Object.hasOwn(body, name) ? body[name] : undefined) ?? field.default;
    if (value === undefined && field.required !== true) continue;
    const check = typeof field.type === 'string' ? checks[field.type] : oneOf(field.type);
    if (!check.is(value)) return refuse(`${name}: expected ${check.name}; came ${shown(value)}`);
    read[name] = plain(field.type, value);
  }
  return ok(read);
}
