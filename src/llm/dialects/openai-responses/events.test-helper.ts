/** Responses events as servers have sent them, and what a client makes of them. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, ResponseEvent } from '../../messages.ts';
import { decodeIn } from '../shared/laws.test-helper.ts';
import { streamOf } from '../openai/answers.test-helper.ts';
import { openaiResponses } from './index.ts';

/** What is made of a stream of these events. */
export const read = (...events: (object | string)[]): Decoded =>
  decodeIn(openaiResponses, streamOf(...events)).decoded;

/** What is told of them as they come. */
export const eventsOf = (...events: (object | string)[]): readonly ResponseEvent[] =>
  decodeIn(openaiResponses, streamOf(...events)).events;

/** A piece of text. */
export const text = (delta: string, at = 0): JsonObject => ({
  type: 'response.output_text.delta',
  output_index: at,
  content_index: 0,
  delta,
});

/** A call as an item. */
export const callItem = (at: number, args: string, status: string): JsonObject => ({
  type: 'function_call',
  id: `fc_${at}`,
  call_id: `call_${at}`,
  name: 'get',
  arguments: args,
  status,
});

/** A call begins. */
export const begun = (at: number): JsonObject => ({
  type: 'response.output_item.added',
  output_index: at,
  item: callItem(at, '', 'in_progress'),
});

/** More of its arguments. */
export const more = (at: number, delta: string): JsonObject => ({
  type: 'response.function_call_arguments.delta',
  output_index: at,
  item_id: `fc_${at}`,
  delta,
});

/** Its arguments are over. */
export const allOf = (at: number, args: string): JsonObject => ({
  type: 'response.function_call_arguments.done',
  output_index: at,
  item_id: `fc_${at}`,
  arguments: args,
});

/** Its item is over. */
export const done = (at: number, args: string, status = 'completed'): JsonObject => ({
  type: 'response.output_item.done',
  output_index: at,
  item: callItem(at, args, status),
});

/** A terminal event, and what its response says besides. */
export const ended = (status: string, more: { readonly [field: string]: Json } = {}): JsonObject => ({
  type: `response.${status}`,
  response: { status, model: 'm', error: null, incomplete_details: null, ...more },
});

/** The good end. */
export const completed: JsonObject = ended('completed');

/** The end for a reason. */
export const incomplete = (reason: string): JsonObject =>
  ended('incomplete', { incomplete_details: { reason } });
