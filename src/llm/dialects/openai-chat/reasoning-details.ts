/**
 * The thoughts of OpenRouter, `reasoning_details`: pieces of a stream become the parts that a whole answer has, and all of them go
 * back as they came. Source: OpenRouter API, Reasoning Tokens, Preserving reasoning.
 */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Thinking } from '../../messages.ts';

/** The member that grows, by the type of a part. */
const growing: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
]);

/** Joins the pieces of one part: those with its type and number that follow each other. */
export function joinedDetails(pieces: readonly JsonObject[]): readonly JsonObject[] {
  const parts: { form: JsonObject; texts: string[] }[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    const member = growing.get(piece['type']);
    const text = member === undefined ? undefined : piece[member];
    const texts = typeof text === 'string' ? [text] : [];
    if (last === undefined || member === undefined || !isSamePart(last.form, piece))
      parts.push({ form: piece, texts });
    else {
      last.texts.push(...texts);
      last.form = { ...last.form, ...present(piece) };
    }
  }
  return parts.map(({ form, texts }) => {
    const member = growing.get(form['type']);
    return member === undefined || texts.length === 0 ? form : { ...form, [member]: texts.join('') };
  });
}

/** A signed part is over. */
const isSamePart = (part: JsonObject, piece: JsonObject): boolean =>
  part['type'] === piece['type'] && part['index'] === piece['index'] && (part['signature'] ?? null) === null;

const present = (piece: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null));

/** The parts of a message's thoughts. Undefined where a thought has other forms. */
export function detailsOf(thinking: readonly Thinking[]): readonly JsonObject[] | undefined {
  const details = thinking.flatMap((thought) => thought.details ?? []);
  return details.length === 0 ? undefined : joinedDetails(details);
}

/** Reads the parts of a message of a request. */
export const readDetails = (value: Json | undefined): readonly JsonObject[] =>
  isArray(value) ? value.flatMap((one): readonly JsonObject[] => (isObject(one) ? [one] : [])) : [];
