/**
 * The blocks of Anthropic's that are no text, thought or call of the client: calls of tools that the provider or an MCP
 * server executes, their results, and what a script gives whole, such as a fallback.
 */
import { entryOf } from '../../../kit/base/index.ts';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Block } from '../../messages.ts';

/** A call that the provider executes, itself or at an MCP server. */
export const calledBlock = (
  { id, name, server }: Extract<Block, { kind: 'server_tool' }>,
  input: JsonObject,
): JsonObject =>
  server === undefined
    ? { type: 'server_tool_use', id, name, input }
    : { type: 'mcp_tool_use', id, name, server_name: server, input };

/** The result of such a call. Its type has the name of the tool; both searches of tools have one type. */
export function resultBlock({
  id,
  name,
  server,
  result,
}: Extract<Block, { kind: 'server_result' }>): JsonObject {
  if (server !== undefined)
    return { type: 'mcp_tool_result', tool_use_id: id, is_error: false, content: result };
  const type = name.startsWith(toolSearch) ? 'tool_search_tool_result' : `${name}_tool_result`;
  return { type, tool_use_id: id, content: result };
}

/** How the names of the two searches begin: `_regex` and `_bm25` follow. */
const toolSearch = 'tool_search_tool_';

/**
 * How the blocks that a script gives whole begin. `whole`: with all of their members, and without deltas ("it arrives via the
 * standard pair and carries no deltas", @anthropic-ai/sdk, BetaFallbackBlock). `empty`: the one delta has the text.
 */
const beginnings: { readonly [type: string]: 'whole' | 'empty' } = {
  compaction: 'empty',
  container_upload: 'whole',
  fallback: 'whole',
  mcp_tool_listing: 'whole',
};

const beginsEmpty = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && entryOf(beginnings, type) === 'empty';

/** The block of a `content_block_start`. A type of tomorrow begins whole. */
export const startOf = (form: JsonObject): JsonObject =>
  beginsEmpty(form) ? { ...form, content: null, encrypted_content: null } : form;

/** The one delta of a compaction: "The delta carries the block's final value" (@anthropic-ai/sdk, BetaMessageStream). */
export function growthOf(form: JsonObject): JsonObject | undefined {
  if (!beginsEmpty(form)) return undefined;
  const { content = null, encrypted_content: encrypted = null } = form;
  return { type: 'compaction_delta', content, encrypted_content: encrypted };
}
