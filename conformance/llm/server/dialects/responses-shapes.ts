/** The members of OpenAI Responses' events that SDKs read, by the event's type and the type of its item or part. */
import { entryOf } from '../../../../src/kit/base/index.ts';
import { at } from './reader.ts';
import { shapeOf } from './shape.ts';
import type { Shape, ShapeTable } from './shape.ts';

/** The members of a response in an event, or of a whole body. */
const ofResponse = (path: string): ShapeTable => ({
  [`${path}id`]: 'string',
  [`${path}output`]: 'list',
  [`${path}output[].type`]: 'string',
  [`${path}incomplete_details`]: 'object?',
  [`${path}reasoning`]: 'object?',
  [`${path}service_tier`]: 'string?',
  [`${path}usage`]: 'object?',
  [`${path}usage.total_tokens`]: 'number!',
  [`${path}usage.input_tokens_details`]: 'object?',
  [`${path}usage.input_tokens_details.cached_tokens`]: 'number?',
  [`${path}usage.input_tokens_details.cache_write_tokens`]: 'number?',
  [`${path}usage.output_tokens_details`]: 'object?',
  [`${path}usage.output_tokens_details.reasoning_tokens`]: 'number?',
});

const terminal = shapeOf({ response: 'object', ...ofResponse('response.') });
const item: ShapeTable = {
  output_index: 'number',
  item: 'object',
  'item.type': 'word',
  'item.id': 'string',
};
const part: ShapeTable = {
  item_id: 'string',
  output_index: 'number',
  part: 'object',
};
const text: ShapeTable = { item_id: 'string', output_index: 'number' };
const inContent: ShapeTable = { ...text, content_index: 'number' };
const inSummary: ShapeTable = { ...text, summary_index: 'number' };

const events: { readonly [type: string]: Shape } = {
  'response.created': shapeOf({
    response: 'object',
    'response.id': 'string',
    'response.created_at': 'number',
    'response.model': 'string',
    'response.output': 'list',
    'response.service_tier': 'string?',
  }),
  'response.in_progress': shapeOf({ response: 'object', 'response.output': 'list' }),
  'response.completed': terminal,
  'response.incomplete': terminal,
  'response.output_item.added': shapeOf(item),
  'response.output_item.done': shapeOf(item),
  'response.content_part.added': shapeOf({ ...part, content_index: 'number', 'part.type': 'word' }),
  'response.content_part.done': shapeOf({ ...part, content_index: 'number', 'part.type': 'word' }),
  'response.reasoning_summary_part.added': shapeOf({ ...part, summary_index: 'number' }),
  'response.reasoning_summary_part.done': shapeOf({ ...part, summary_index: 'number' }),
  'response.output_text.delta': shapeOf({ ...inContent, delta: 'string', logprobs: 'list?' }),
  'response.output_text.done': shapeOf({ ...inContent, text: 'string' }),
  'response.refusal.delta': shapeOf({ ...inContent, delta: 'string' }),
  'response.refusal.done': shapeOf({ ...inContent, refusal: 'string' }),
  'response.reasoning_text.delta': shapeOf({ ...inContent, delta: 'string' }),
  'response.reasoning_summary_text.delta': shapeOf({ ...inSummary, delta: 'string' }),
  'response.reasoning_text.done': shapeOf({ ...inContent, text: 'string' }),
  'response.reasoning_summary_text.done': shapeOf({ ...inSummary, text: 'string' }),
  'response.function_call_arguments.delta': shapeOf({ ...text, delta: 'string' }),
  'response.function_call_arguments.done': shapeOf({ ...text, arguments: 'string' }),
  'response.custom_tool_call_input.delta': shapeOf({ ...text, delta: 'string' }),
  'response.custom_tool_call_input.done': shapeOf({ ...text, input: 'string' }),
};

/** The members of an item when it is added, and when it is done. */
const added: { readonly [type: string]: Shape } = {
  message: shapeOf({ 'item.content': 'list' }),
  reasoning: shapeOf({ 'item.summary': 'list' }),
  function_call: shapeOf({ 'item.arguments': 'string', 'item.call_id': 'string', 'item.name': 'string' }),
  custom_tool_call: shapeOf({ 'item.input': 'string', 'item.call_id': 'string', 'item.name': 'string' }),
};
const done: { readonly [type: string]: Shape } = {
  message: shapeOf({ 'item.content': 'list', 'item.content[].type': 'string' }),
  reasoning: shapeOf({ 'item.summary': 'list' }),
  function_call: shapeOf({ 'item.arguments': 'string', 'item.status': '=completed|incomplete|in_progress' }),
  custom_tool_call: shapeOf({ 'item.input': 'string' }),
};

const noShape: Shape = [];

/** The members of an event. New types of events and items have none. */
export function responsesShapes(type: string, data: unknown): readonly Shape[] {
  const event = entryOf(events, type) ?? noShape;
  const kind = String(at(data, 'item', 'type'));
  if (type === 'response.output_item.added') return [event, entryOf(added, kind) ?? noShape];
  if (type === 'response.output_item.done') return [event, entryOf(done, kind) ?? noShape];
  return [event];
}

/** The members of a whole response. */
export const responsesBody: Shape = shapeOf({
  ...ofResponse(''),
  object: '=response',
  created_at: 'number',
  model: 'string!',
  error: 'object?',
  'output[]': 'object',
  'output[].type': 'word',
});

/** The members of an item of a whole response, by its type. */
const wholeItems: { readonly [type: string]: Shape } = {
  message: shapeOf({
    id: 'string',
    role: '=assistant',
    content: 'list',
    'content[]': 'object',
    'content[].type': 'word',
  }),
  reasoning: shapeOf({
    id: 'string',
    summary: 'list',
    'summary[]': 'object',
    'summary[].type': 'word',
    'summary[].text': 'string',
  }),
  function_call: shapeOf({ id: 'string', arguments: 'string' }),
  custom_tool_call: shapeOf({ input: 'string' }),
};

/** The members of a part of a message, by its type. */
const wholeParts: { readonly [type: string]: Shape } = {
  output_text: shapeOf({ text: 'string', annotations: 'list', logprobs: 'list?' }),
  refusal: shapeOf({ refusal: 'string' }),
};

/** The members of an item of a whole response. New types have none. */
export const responsesItem = (item: unknown): Shape =>
  entryOf(wholeItems, String(at(item, 'type'))) ?? noShape;

/** The members of a part of a message. New types have none. */
export const responsesPart = (part: unknown): Shape =>
  entryOf(wholeParts, String(at(part, 'type'))) ?? noShape;
