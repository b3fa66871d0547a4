/** Bodies that are no JSON for Anthropic's parser, in its words. They are those of orjson, measured with orjson 3.11. */
import type { Json } from '../../../kit/base/index.ts';
import { offsetOfLone } from '../shared/lone-surrogate.ts';
import type { LoneSurrogate } from '../shared/lone-surrogate.ts';

const at = (offset: number): string => `line 1 column ${offset + 1} (char ${offset})`;

/** The refusal of half a surrogate pair. */
export function loneWords({ half }: LoneSurrogate, body: Json): string {
  const problem = half === 'high' ? 'no low surrogate in string' : 'invalid high surrogate in string';
  return `The request body is not valid JSON: ${problem}: ${at(offsetOfLone(body))}`;
}

/** The refusal of bytes that are no UTF-8. */
export const badBytesWords: string = `The request body is not valid JSON: str is not valid UTF-8: surrogates not allowed: ${at(0)}`;
