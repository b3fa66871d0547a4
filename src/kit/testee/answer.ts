/** Reads the answer to a request. */
import { isObject } from '../base/index.ts';
import type { Json, JsonObject } from '../base/index.ts';
import { shown } from './difference.ts';

/** The result or the refusal of an answer; a text: the fault of an answer that has neither. */
export type ReadAnswer =
  | { readonly ok: JsonObject }
  | { readonly code: Json | undefined; readonly message: Json | undefined }
  | string;

/** Reads an answer. An error of null counts as absent. */
export function readAnswer({ ok, error, unsupported }: JsonObject): ReadAnswer {
  if (unsupported === true) return 'expected an answer; the testee does not support the operation';
  const failed = error !== undefined && error !== null;
  if (ok !== undefined && failed) return 'expected ok or error; came both';
  if (isObject(ok)) return { ok };
  if (ok !== undefined) return `expected an object as ok; came ${shown(ok)}`;
  if (!failed) return 'expected ok or error; came neither';
  const { code, message } = isObject(error) ? error : {};
  return { code, message };
}
