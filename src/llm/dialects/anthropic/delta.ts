/** Deltas by a template of their JSON ("LLM simulator, events per CPU second" of `npm run bench`). */
import type { GeneratedBlock, Unit } from '../../messages.ts';
import { UnitTemplate } from '../shared/unit-template.ts';

/** More text of a block, as a `content_block_delta`. By far most of the events of a stream. */
export const piece = (text: string, { kind, index }: GeneratedBlock): Unit =>
  templates[kind].unit(index, text);

/** The same, as the text of SSE. */
export const pieceText = (text: string, { kind, index }: GeneratedBlock): string =>
  templates[kind].sse(index, text);

/** The deltas of a kind of block: they differ in the index and the text only. */
function deltas(type: string, key: string): UnitTemplate {
  const event = 'content_block_delta';
  return new UnitTemplate(
    event,
    (index = 0, text = '') => ({ type: event, index, delta: { type, [key]: text } }),
    2,
  );
}

const templates: { readonly [K in GeneratedBlock['kind']]: UnitTemplate } = {
  thinking: deltas('thinking_delta', 'thinking'),
  text: deltas('text_delta', 'text'),
  tool_call: deltas('input_json_delta', 'partial_json'),
  server_tool: deltas('input_json_delta', 'partial_json'),
  // They have no text.
  server_result: deltas('text_delta', 'text'),
  provider_block: deltas('text_delta', 'text'),
};
