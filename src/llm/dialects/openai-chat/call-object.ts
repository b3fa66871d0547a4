/** A call as Chat Completions writes it: of a function, with JSON text, or of a custom tool, with free text. */
import type { JsonObject } from '../../../kit/base/index.ts';

/** A call with the text of its arguments, so far. */
export const callObject = (
  { id, name, custom }: { readonly id: string; readonly name: string; readonly custom?: true },
  text: string,
): JsonObject =>
  custom === true
    ? { id, type: 'custom', custom: { name, input: text } }
    : { id, type: 'function', function: { name, arguments: text } };
