/** Reads JSON without exceptions. */
import { isObject, jsonOf, ok, refuse } from '../kit/base/index.ts';
import type { Result } from '../kit/base/index.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON value of a text or of UTF-8 bytes; or the reason why they are not JSON.
 *
 * @example
 * parseJson('[1]'); // { ok: true, value: [1] }
 */
export function parseJson(json: string | Uint8Array): Result<unknown, string> {
  try {
    return ok(jsonOf(typeof json === 'string' ? json : utf8.decode(json)));
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** A text member of a JSON value; empty when it is absent or not a text. */
export const textOf = (value: unknown, key: string): string => {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : '';
};
