/**
 * Output items of a Responses stream: the events of their beginning, pieces and end. The renderer adds
 * `sequence_number`.
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Block, Variants } from '../../messages.ts';

/** An event before it has its number. */
export interface OutputEvent extends JsonObject {
  readonly type: string;
}

/** One item as it is streamed. */
export interface OutputItem {
  begin(): readonly OutputEvent[];
  piece(delta: string): OutputEvent;
  /** The closing events, the last of which carries the whole item. */
  end(text: string, status: ItemStatus): readonly OutputEvent[];
  /** The whole item. */
  item(text: string, status: ItemStatus): JsonObject;
}

/** The status of an item. A cut item is never `completed`, unless the server lies. */
export type ItemStatus = 'completed' | 'incomplete' | 'in_progress';

/** The context of an item. */
export interface ItemContext {
  /** `output_index`. */
  readonly index: number;
  readonly id: (prefix: string) => string;
  /** Whether text is a refusal. */
  readonly refusal: boolean;
  readonly variants: Variants;
}

/** The item of a block. */
export function outputItem(block: Block, context: ItemContext): OutputItem {
  switch (block.kind) {
    case 'text':
      return messageItem(context);
    case 'thinking':
      return reasoningItem(block, context);
    case 'tool_call':
      return callItem(block, context);
  }
}

function messageItem({ index, id, refusal }: ItemContext): OutputItem {
  const itemId = id('msg_');
  const at = { item_id: itemId, output_index: index, content_index: 0 };
  const message = (content: readonly JsonObject[], status: ItemStatus): JsonObject => ({
    id: itemId,
    type: 'message',
    status,
    role: 'assistant',
    content,
  });
  const part = (text: string): JsonObject =>
    refusal
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', annotations: [], logprobs: [], text };
  const name = refusal ? 'response.refusal' : 'response.output_text';
  const logprobs = refusal ? {} : { logprobs: [] };
  const item = (text: string, status: ItemStatus): JsonObject => message([part(text)], status);
  return {
    item,
    begin: () => [
      added(index, message([], 'in_progress')),
      { type: 'response.content_part.added', ...at, part: part('') },
    ],
    piece: (delta) => ({ type: `${name}.delta`, ...at, delta, ...logprobs }),
    end: (text, status) => [
      { type: `${name}.done`, ...at, [refusal ? 'refusal' : 'text']: text, ...logprobs },
      { type: 'response.content_part.done', ...at, part: part(text) },
      done(index, item(text, status)),
    ],
  };
}

function reasoningItem({ signature }: Block & { kind: 'thinking' }, { index, id }: ItemContext): OutputItem {
  const itemId = id('rs_');
  const at = { item_id: itemId, output_index: index, summary_index: 0 };
  const part = (text: string): JsonObject => ({ type: 'summary_text', text });
  const item = (text: string, status: ItemStatus): JsonObject => ({
    id: itemId,
    type: 'reasoning',
    summary: [part(text)],
    ...(signature === undefined ? {} : { encrypted_content: signature }),
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

function callItem(
  { id: callId, name }: Block & { kind: 'tool_call' },
  { index, id, variants }: ItemContext,
): OutputItem {
  const itemId = id('fc_');
  const at = { item_id: itemId, output_index: index };
  const item = (text: string, status: ItemStatus): JsonObject => ({
    id: itemId,
    type: 'function_call',
    status,
    arguments: text,
    call_id: callId,
    name,
  });
  return {
    item,
    begin: () => [added(index, item('', 'in_progress'))],
    piece: (delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta }),
    end: (text, status) => [
      ...(status === 'completed' || variants.argumentsDone === true
        ? [{ type: 'response.function_call_arguments.done', ...at, name, arguments: text }]
        : []),
      done(index, item(text, status)),
    ],
  };
}

const added = (index: number, item: JsonObject): OutputEvent => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});

const done = (index: number, item: JsonObject): OutputEvent => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
});
