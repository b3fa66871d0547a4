/** Reads the fields of a JSON body, and says of one that is wrong which it is, what was expected and what came. */
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Result } from '../../../kit/base/index.ts';

/** What a field may hold. */
export type FieldType = 'string' | 'text' | 'boolean' | 'attachments' | readonly string[];

/** A field: what it holds, and whether it has to be there. */
export interface Field {
  readonly type: FieldType;
  readonly required?: boolean;
}

/** The fields of a body by name. */
export type Fields = { readonly [name: string]: Field };

const strict = new TextDecoder('utf-8', { fatal: true });

/** How a value is shown in an error: never all of a long one. */
function came(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function expected(type: FieldType): string {
  if (typeof type !== 'string') return `one of ${type.map((one) => JSON.stringify(one)).join(', ')}`;
  return {
    string: 'a string',
    text: 'a string that is not empty',
    boolean: 'true or false',
    attachments: 'a list of {"filename", "mime_type", "data"}, data in base64',
  }[type];
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const isAttachment = (value: unknown): boolean =>
  isObject(value) &&
  [value['filename'], value['mime_type']].every((one) => one === undefined || typeof one === 'string') &&
  typeof value['data'] === 'string' &&
  isBase64(value['data']);

function holds(type: FieldType, value: unknown): boolean {
  if (typeof type !== 'string') return typeof value === 'string' && type.includes(value);
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'boolean':
      return typeof value === 'boolean';
    case 'attachments':
      return Array.isArray(value) && value.every(isAttachment);
    default:
      return type satisfies never;
  }
}

/** What attachments are passed on as: their three fields, nothing else that was in them. */
function plain(type: FieldType, value: unknown): unknown {
  if (type !== 'attachments' || !Array.isArray(value)) return value;
  return value.filter(isObject).map((one) => ({
    ...(one['filename'] === undefined ? {} : { filename: one['filename'] }),
    ...(one['mime_type'] === undefined ? {} : { mime_type: one['mime_type'] }),
    data: one['data'],
  }));
}

/**
 * The known fields of a JSON object in bytes. Fields that are not known are left out: later clients may send more.
 * A field that is null counts as absent.
 *
 * @example
 * readFields(new TextEncoder().encode('{"reason":1}'), { reason: { type: 'string' } });
 * // { ok: false, error: 'reason: expected a string; came 1' }
 */
export function readFields(bytes: Uint8Array, fields: Fields): Result<Record<string, unknown>, string> {
  const parsed = parse(bytes);
  if (!parsed.ok) return parsed;
  const read: Record<string, unknown> = {};
  for (const [name, { type, required = false }] of Object.entries(fields)) {
    const value = Object.hasOwn(parsed.value, name) ? (parsed.value[name] ?? undefined) : undefined;
    if (value === undefined && !required) continue;
    if (!holds(type, value)) return refuse(`${name}: expected ${expected(type)}; came ${came(value)}`);
    read[name] = plain(type, value);
  }
  return ok(read);
}

function parse(bytes: Uint8Array): Result<Record<string, unknown>, string> {
  let value: unknown;
  try {
    value = JSON.parse(strict.decode(bytes));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const empty = bytes.length === 0 ? 'an empty body' : why;
    return refuse(`the body: expected a JSON object in UTF-8; came ${empty}`);
  }
  if (!isObject(value)) return refuse(`the body: expected a JSON object; came ${came(value)}`);
  return ok(value);
}
