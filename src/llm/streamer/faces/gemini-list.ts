/**
 * Gemini's `streamGenerateContent` without `alt=sse`: the chunks are the entries of one JSON list, each written when it is
 * generated.
 */
import { gemini } from '../../dialects/gemini/index.ts';
import type { Unit } from '../../messages.ts';
import type { Face } from './face.ts';
import { mapUnits } from './face.ts';

export const geminiList: Face = {
  ...gemini,
  pattern: /\/models\/[^/:]+:streamGenerateContent$/,
  query: /^(?![^?]*\?(?:.*&)?alt=sse(?:&|$))/,
  framing: 'json',
  contentType: 'application/json; charset=UTF-8',
  renderer(context) {
    let begun = false;
    const renderer = mapUnits(gemini.renderer(context), (unit) => {
      const entry = listEntry(unit, begun ? ',\r\n' : '[');
      begun = true;
      return entry;
    });
    const closing = (): Unit => ({ data: begun ? ']' : '[]' });
    return { ...renderer, end: () => [...renderer.end(), closing()] };
  },
};

/** An entry of the list, with the text before it. */
const listEntry = ({ data, json }: Unit, before: string): Unit => ({
  data,
  json: before + (json ?? (typeof data === 'string' ? data : JSON.stringify(data))),
});
