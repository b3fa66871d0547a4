/** The members of Anthropic's events that SDKs read, by the event's type and the type of its block or delta. */
import { entryOf } from '../../../../src/kit/base/index.ts';
import { at } from './reader.ts';
import { shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

const counts = {
  'usage.cache_creation_input_tokens': 'number?',
  'usage.cache_read_input_tokens': 'number?',
  'usage.output_tokens_details': 'object?',
  'usage.output_tokens_details.thinking_tokens': 'number?',
} as const;

const events: { readonly [type: string]: Shape } = {
  message_start: shapeOf({
    message: 'object',
    'message.id': 'string?',
    'message.role': 'string?',
    'message.model': 'string?',
    'message.content': 'list',
    'message.stop_reason': 'string?',
    'message.stop_sequence': 'string?',
    'message.stop_details': 'object?',
    'message.usage': 'object',
    'message.usage.input_tokens': 'number',
    'message.usage.cache_creation_input_tokens': 'number?',
    'message.usage.cache_read_input_tokens': 'number?',
  }),
  content_block_start: shapeOf({ content_block: 'object', 'content_block.type': 'string' }),
  content_block_delta: shapeOf({ delta: 'object', 'delta.type': 'word' }),
  message_delta: shapeOf({
    delta: 'object',
    'delta.stop_reason': 'string?',
    'delta.stop_sequence': 'string?',
    'delta.stop_details': 'object?',
    'delta.container': 'object?',
    ...counts,
  }),
};

const blocks: { readonly [type: string]: Shape } = {
  text: shapeOf({ 'content_block.text': 'string' }),
  thinking: shapeOf({ 'content_block.thinking': 'string', 'content_block.signature': 'string?' }),
  tool_use: shapeOf({
    // SDKs make the input of its deltas. Where none comes, anthropic.ts judges that it is missing.
    'content_block.input': 'object!',
    'content_block.caller': 'object!',
    'content_block.caller.type': 'word',
  }),
};

const deltas: { readonly [type: string]: Shape } = {
  text_delta: shapeOf({ 'delta.text': 'string' }),
  thinking_delta: shapeOf({ 'delta.thinking': 'string' }),
  signature_delta: shapeOf({ 'delta.signature': 'string' }),
  input_json_delta: shapeOf({ 'delta.partial_json': 'string' }),
};

const noShape: Shape = [];

/** The members of an event. New types of events, blocks and deltas have none. */
export function anthropicShapes(type: string, data: unknown): readonly Shape[] {
  const event = entryOf(events, type) ?? noShape;
  if (type === 'content_block_start')
    return [event, entryOf(blocks, String(at(data, 'content_block', 'type'))) ?? noShape];
  if (type === 'content_block_delta')
    return [event, entryOf(deltas, String(at(data, 'delta', 'type'))) ?? noShape];
  return [event];
}

/** The members of a block of a whole message, by its type. */
const wholeBlocks: { readonly [type: string]: Shape } = {
  text: shapeOf({ text: 'string' }),
  thinking: shapeOf({ thinking: 'string', signature: 'string' }),
  tool_use: shapeOf({ caller: 'object!', 'caller.type': 'word' }),
};

/** The members of a block of a whole message. New types of blocks have none. */
export const anthropicBlock = (block: unknown): Shape =>
  entryOf(wholeBlocks, String(at(block, 'type'))) ?? noShape;

/** The members of a whole message. */
export const anthropicBody: Shape = shapeOf({
  type: '=message',
  id: 'string?',
  role: 'string?',
  model: 'string?',
  content: 'list',
  'content[].type': 'string',
  stop_sequence: 'string?',
  stop_details: 'object?',
  ...counts,
});
