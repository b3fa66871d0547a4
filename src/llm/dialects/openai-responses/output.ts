/**
 * Output items of a Responses stream: the events of their beginning, pieces and end. The renderer adds
 * `sequence_number`.
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Block } from '../../messages.ts';
import { messageItem } from './message-item.ts';
import { callWords } from './call-words.ts';
import { openReasoningItem } from './open-responses.ts';
import { added, done } from './output-item.ts';
import type { ItemContext, ItemStatus, OutputEvent, OutputItem } from './output-item.ts';
import { serverToolItem } from './server-tool-item.ts';

/** The item of a block; undefined for a block without one. */
export function outputItem(block: Block, context: ItemContext): OutputItem | undefined {
  switch (block.kind) {
    case 'text':
      return messageItem(block, context);
    case 'thinking':
      if (block.redacted !== undefined) return hiddenItem(block.redacted, context);
      return context.variants.profile === undefined
        ? reasoningItem(block, context)
        : openReasoningItem(block, context);
    case 'tool_call':
      return callItem(block, context);
    case 'server_tool':
      return serverToolItem(block, context);
    case 'server_result':
      return undefined;
    case 'provider_block':
      return providerItem(block.form, context);
  }
}

/** The signature of a thought may come after its text: it is read when the item closes. */
function reasoningItem(block: Block & { kind: 'thinking' }, { index, id }: ItemContext): OutputItem {
  const itemId = id('rs_');
  const at = { item_id: itemId, output_index: index, summary_index: 0 };
  const part = (text: string): JsonObject => ({ type: 'summary_text', text });
  const item = (text: string, status: ItemStatus): JsonObject => ({
    id: itemId,
    type: 'reasoning',
    summary: [part(text)],
    ...(block.signature === undefined ? {} : { encrypted_content: block.signature }),
    ...(status === 'completed' ? {} : { status }),
  });
  return {
    item,
    begin: () => [
      added(index, { id: itemId, type: 'reasoning', summary: [] }),
      { type: 'response.reasoning_summary_part.added', ...at, part: part('') },
    ],
    piece: (delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta }),
    end: (text, status) => [
      { type: 'response.reasoning_summary_text.done', ...at, text },
      { type: 'response.reasoning_summary_part.done', ...at, part: part(text) },
      done(index, item(text, status)),
    ],
  };
}

/** A thought that is not shown: only its encrypted text. */
function hiddenItem(encrypted: string, { index, id }: ItemContext): OutputItem {
  const itemId = id('rs_');
  const item = (): JsonObject => ({
    id: itemId,
    type: 'reasoning',
    summary: [],
    encrypted_content: encrypted,
  });
  return { item, begin: () => [added(index, item())], end: () => [done(index, item())] };
}

/** An item of the provider's own. A compaction says that it goes on; no item of these has deltas. */
function providerItem(form: JsonObject, { index }: ItemContext): OutputItem {
  const at = { output_index: index, item_id: form['id'] ?? null };
  const grows = form['type'] === 'compaction' ? [{ type: 'response.compaction.compacting', ...at }] : [];
  return {
    item: () => form,
    begin: () => [added(index, form), ...grows],
    end: () => [done(index, form)],
  };
}

function callItem(
  { id: callId, name, custom, namespace }: Block & { kind: 'tool_call' },
  { index, id, variants }: ItemContext,
): OutputItem {
  const { prefix, type, event, field } = callWords[custom === true ? 'custom' : 'function'];
  const itemId = id(prefix);
  const at = { item_id: itemId, output_index: index };
  const item = (text: string, status: ItemStatus): JsonObject => ({
    id: itemId,
    type,
    status,
    [field]: text,
    call_id: callId,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  });
  const whole = (text: string): OutputEvent => ({
    type: `${event}.done`,
    ...at,
    ...(custom === true ? {} : { name }),
    [field]: text,
  });
  return {
    item,
    begin: () => [added(index, item('', 'in_progress'))],
    piece: (delta) => ({ type: `${event}.delta`, ...at, delta }),
    end: (text, status) => [
      ...(status === 'completed' || variants.argumentsDone === true ? [whole(text)] : []),
      done(index, item(text, status)),
    ],
  };
}
