/** The citations of a text as OpenAI writes them: annotations with their places in the answer. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Block, Citation } from '../../messages.ts';

/** The annotations of Chat Completions: web pages only. */
export const chatAnnotations = (block: Block, length: number): readonly JsonObject[] =>
  citationsOf(block).flatMap((citation) =>
    citation.url === undefined ? [] : [{ type: 'url_citation', url_citation: place(citation, length) }],
  );

/** The annotations of Responses: web pages and files. */
export const responsesAnnotations = (block: Block, length: number): readonly JsonObject[] =>
  citationsOf(block).map((citation) =>
    citation.url === undefined
      ? {
          type: 'file_citation',
          file_id: `file-${citation.document ?? 0}`,
          filename: citation.title ?? `document ${citation.document ?? 0}`,
          index: citation.end ?? length,
        }
      : { type: 'url_citation', ...place(citation, length) },
  );

const citationsOf = (block: Block): readonly Citation[] =>
  block.kind === 'text' ? (block.citations ?? []) : [];

const place = ({ url = '', title = '', start = 0, end }: Citation, length: number): JsonObject => ({
  start_index: start,
  end_index: end ?? length,
  url,
  title,
});
