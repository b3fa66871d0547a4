/**
 * The types of the parts of a content, which other APIs write differently: Chat has `text` and `image_url`, Anthropic
 * `tool_result`. A type that no API is known to have is left alone, as it may be new.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { isArray } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';

/** Whose content it is: the user's, the model's, or the output of a call. */
export type ContentSide = 'input' | 'output' | 'result';

const ofOtherApis = ['text', 'image_url', 'image', 'document', 'file', 'tool_use', 'tool_result', 'thinking'];

const supported: { readonly [S in ContentSide]: string } = {
  input:
    "'input_text', 'input_image', 'input_audio', 'output_text', 'refusal', 'input_file', 'computer_screenshot', 'summary_text', and 'encrypted_content'",
  output: "'output_text' and 'refusal'",
  result: "'input_text', 'input_image', 'input_file', and 'scoped_content'",
};

/** The types of this API that are on one side only. */
const misplaced: { readonly [S in ContentSide]: readonly string[] } = {
  input: [],
  output: ['input_text'],
  result: ['output_text'],
};

/** Refuses a part whose type the API does not accept there. */
export function checkParts(
  reader: BodyReader,
  content: Json | undefined,
  path: string,
  side: ContentSide,
): void {
  const strange = [...ofOtherApis, ...misplaced[side]];
  for (const [i, part] of (isArray(content) ? content : []).entries()) {
    const type = isObject(part) ? part['type'] : undefined;
    if (typeof type === 'string' && strange.includes(type))
      reader.refuse(`${path}[${i}]`, `Invalid value: '${type}'. Supported values are: ${supported[side]}.`);
  }
}

/** A text of the user as a part of a message. */
export const inputText = (text: Json): JsonObject => ({ type: 'input_text', text });
