/** Deltas with their JSON written by hand: JSON.stringify takes twice as long ("LLM streamer, events" of `npm run bench`). */
import type { GeneratedBlock, Unit } from '../../messages.ts';

/** More text of a block, as a `content_block_delta`. By far most of the events of a stream. */
export function piece(text: string, { kind, index }: GeneratedBlock): Unit {
  const [type, key] = fields[kind];
  return {
    event: 'content_block_delta',
    data: { type: 'content_block_delta', index, delta: { type, [key]: text } },
    json: `{"type":"content_block_delta","index":${index},"delta":{"type":"${type}","${key}":${JSON.stringify(text)}}}`,
  };
}

/** The type of a block's deltas, and the key of their text. */
const fields: { readonly [K in GeneratedBlock['kind']]: readonly [type: string, key: string] } = {
  thinking: ['thinking_delta', 'thinking'],
  text: ['text_delta', 'text'],
  tool_call: ['input_json_delta', 'partial_json'],
};
