/** Responses events as servers have sent them, and helpers that decode them. */
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, ResponseEvent } from '../../messages.ts';
import { decodeIn } from '../shared/laws.test-helper.ts';
import { streamOf } from '../openai/answers.test-helper.ts';
import { openaiResponses } from './index.ts';

/** The decoded response of a stream of these events. */
export const read = (...events: (object | string)[]): Decoded =>
  decodeIn(openaiResponses, streamOf(...events)).decoded;

export const eventsOf = (...events: (object | string)[]): readonly ResponseEvent[] =>
  decodeIn(openaiResponses, streamOf(...events)).events;

/** A piece of text. */
export const text = (delta: string, at = 0): JsonObject => ({
  type: 'response.output_text.delta',
  output_index: at,
  content_index: 0,
  delta,
});

export const callItem = (at: number, args: string, status: string): JsonObject => ({
  type: 'function_call',
  id: `fc_${at}`,
  call_id: `call_${at}`,
  name: 'get',
  arguments: args,
  status,
});

/** The start of a call. */
export const begun = (at: number): JsonObject => ({
  type: 'response.output_item.added',
  output_index: at,
  item: callItem(at, '', 'in_progress'),
});

/** A piece of its arguments. */
export const more = (at: number, delta: string): JsonObject => ({
  type: 'response.function_call_arguments.delta',
  output_index: at,
  item_id: `fc_${at}`,
  delta,
});

/** The end of its arguments. */
export const allOf = (at: number, args: string): JsonObject => ({
  type: 'response.function_call_arguments.done',
  output_index: at,
  item_id: `fc_${at}`,
  arguments: args,
});

/** The end of its item. */
export const done = (at: number, args: string, status = 'completed'): JsonObject => ({
  type: 'response.output_item.done',
  output_index: at,
  item: callItem(at, args, status),
});

/** A terminal event, with more members of its response. */
export const ended = (status: string, more: { readonly [field: string]: Json } = {}): JsonObject => ({
  type: `response.${status}`,
  response: { status, model: 'm', error: null, incomplete_details: null, ...more },
});

/** The end of a complete response. */
export const completed: JsonObject = ended('completed');

/** The end of an incomplete response, with this reason. */
export const incomplete = (reason: string): JsonObject =>
  ended('incomplete', { incomplete_details: { reason } });
