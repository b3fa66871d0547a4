/**
 * Answers as the Open Responses specification has them (https://www.openresponses.org/specification, 2026-04-24): the end of a
 * stream, and thoughts as a part of their item.
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Block, Renderer } from '../../messages.ts';
import { added, done } from './output-item.ts';
import type { ItemContext, ItemStatus, OutputItem } from './output-item.ts';

/** The same renderer, whose streams end with `[DONE]` ("Streaming HTTP Responses"). A stream without its end has none. */
export const withDone = (renderer: Renderer): Renderer => ({
  begin: () => renderer.begin(),
  open: (block) => renderer.open(block),
  piece: (text, block) => renderer.piece(text, block),
  close: (block) => renderer.close(block),
  end() {
    const last = renderer.end();
    return last.length === 0 ? [] : [...last, { data: '[DONE]' }];
  },
});

/** A thought is a part of the content of its item ("Items are streamable", 2; `ResponseReasoningDeltaStreamingEvent`). */
export function openReasoningItem(
  block: Block & { kind: 'thinking' },
  { index, id }: ItemContext,
): OutputItem {
  const itemId = id('rs_');
  const at = { item_id: itemId, output_index: index, content_index: 0 };
  const part = (text: string): JsonObject => ({ type: 'reasoning_text', text });
  const item = (text: string, status: ItemStatus): JsonObject => ({
    id: itemId,
    type: 'reasoning',
    status,
    summary: [],
    content: [part(text)],
    // The signature may come after the text: it is read when the item closes.
    ...(block.signature === undefined ? {} : { encrypted_content: block.signature }),
  });
  return {
    item,
    begin: () => [
      added(index, { id: itemId, type: 'reasoning', status: 'in_progress', summary: [], content: [] }),
      { type: 'response.content_part.added', ...at, part: part('') },
    ],
    piece: (delta) => ({ type: 'response.reasoning.delta', ...at, delta }),
    end: (text, status) => [
      { type: 'response.reasoning.done', ...at, text },
      { type: 'response.content_part.done', ...at, part: part(text) },
      done(index, item(text, status)),
    ],
  };
}
