/** The citations of a text as Anthropic writes them: of web search results, or of documents in the request. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Citation, GeneratedBlock } from '../../messages.ts';

/** The citations of a block; undefined for a block that cites nothing. */
export function citationsOf(block: GeneratedBlock): readonly JsonObject[] | undefined {
  if (block.kind !== 'text' || block.citations === undefined) return undefined;
  return block.citations.map((citation) => written(citation, block.text.length));
}

function written({ url, title, text = '', document, start = 0, end }: Citation, length: number): JsonObject {
  const common = { cited_text: text };
  if (url !== undefined)
    return {
      type: 'web_search_result_location',
      ...common,
      url,
      title: title ?? null,
      encrypted_index: `wireproof:${url}`,
    };
  return {
    type: 'char_location',
    ...common,
    document_index: document ?? 0,
    document_title: title ?? null,
    start_char_index: start,
    end_char_index: end ?? (text.length || length),
    file_id: null,
  };
}
