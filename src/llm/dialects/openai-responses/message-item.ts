/** The item of a text: a message with one part, which is text or a refusal, with its annotations and log probabilities. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Block } from '../../messages.ts';
import { responsesAnnotations } from '../openai/citations.ts';
import { logprobOf } from '../shared/logprobs.ts';
import { added, done } from './output-item.ts';
import type { ItemContext, ItemStatus, OutputEvent, OutputItem } from './output-item.ts';

/** The item of a text block. */
export function messageItem(block: Extract<Block, { kind: 'text' }>, context: ItemContext): OutputItem {
  const itemId = context.id('msg_');
  return block.refusal === true ? refusalItem(itemId, context.index) : textItem(itemId, block, context.index);
}

const messageOf = (id: string, part: JsonObject | undefined, status: ItemStatus): JsonObject => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content: part === undefined ? [] : [part],
});

function refusalItem(itemId: string, index: number): OutputItem {
  const at = { item_id: itemId, output_index: index, content_index: 0 };
  const part = (text: string): JsonObject => ({ type: 'refusal', refusal: text });
  const item = (text: string, status: ItemStatus): JsonObject => messageOf(itemId, part(text), status);
  return {
    item,
    begin: () => [
      added(index, messageOf(itemId, undefined, 'in_progress')),
      { type: 'response.content_part.added', ...at, part: part('') },
    ],
    piece: (delta) => ({ type: 'response.refusal.delta', ...at, delta }),
    end: (text, status) => [
      { type: 'response.refusal.done', ...at, refusal: text },
      { type: 'response.content_part.done', ...at, part: part(text) },
      done(index, item(text, status)),
    ],
  };
}

const emptyText: JsonObject = { type: 'output_text', annotations: [], logprobs: [], text: '' };

function textItem(itemId: string, block: Extract<Block, { kind: 'text' }>, index: number): OutputItem {
  const at = { item_id: itemId, output_index: index, content_index: 0 };
  const { logprobs: alternatives } = block;
  const logprobs: JsonObject[] = [];
  const annotations = (text: string): readonly JsonObject[] => responsesAnnotations(block, text.length);
  const part = (text: string): JsonObject => ({
    type: 'output_text',
    annotations: annotations(text),
    logprobs: [...logprobs],
    text,
  });
  const item = (text: string, status: ItemStatus): JsonObject => messageOf(itemId, part(text), status);
  return {
    item,
    begin: () => [
      added(index, messageOf(itemId, undefined, 'in_progress')),
      { type: 'response.content_part.added', ...at, part: emptyText },
    ],
    piece: (delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] }),
    ...(alternatives !== undefined && {
      measure(delta: string): OutputEvent {
        const one = logprobOf(delta, alternatives);
        logprobs.push(one);
        return { type: 'response.output_text.delta', ...at, delta, logprobs: [one] };
      },
    }),
    end: (text, status) => [
      ...annotations(text).map((annotation, i) => ({
        type: 'response.output_text.annotation.added',
        ...at,
        annotation_index: i,
        annotation,
      })),
      { type: 'response.output_text.done', ...at, text, logprobs: [...logprobs] },
      { type: 'response.content_part.done', ...at, part: part(text) },
      done(index, item(text, status)),
    ],
  };
}
