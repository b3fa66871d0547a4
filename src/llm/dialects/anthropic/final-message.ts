/** Rules for a last message of the assistant, which the model continues. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { isArray } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';
import { thinks } from './thinking.ts';

/** Refuses a last message of the assistant that ends with white space, or has thoughts that the request does not enable. */
export function checkFinalMessage(reader: BodyReader, body: JsonObject): void {
  const messages = isArray(body['messages']) ? body['messages'] : [];
  const last = messages.at(-1);
  if (!isObject(last) || last['role'] !== 'assistant') return;
  const path = `messages[${messages.length - 1}].content`;
  const { content } = last;
  if (/\s$/.test(finalText(content)))
    reader.refuse(path, '', {
      message: 'messages: final assistant content cannot end with trailing whitespace',
    });
  const blocks: readonly Json[] = isArray(content) ? content : [];
  const at = blocks.findIndex((block) => isObject(block) && block['type'] === 'thinking');
  if (at >= 0 && !thinks(body))
    reader.refuse(
      `${path}[${at}]`,
      'When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. ' +
        'To use thinking blocks, enable `thinking` in your request.',
    );
}

/** The text at the end of a content; empty where the content ends with another block. */
function finalText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const block = isArray(content) ? content.at(-1) : undefined;
  const text = isObject(block) && block['type'] === 'text' ? block['text'] : '';
  return typeof text === 'string' ? text : '';
}
