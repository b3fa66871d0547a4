/** Lawful clients that keep the provider's blocks in a form of their own, or drop what may be dropped. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { ClientTurn } from '../../../../src/llm/index.ts';
import type { Decoded, TurnResult } from '../../../../src/llm/index.ts';
import { inAnswers, inItems } from '../mutants/kept.ts';
import { changeExchange } from '../mutants/mutant.ts';
import type { ClientFaults } from '../mutants/mutant.ts';

/** Types that are beta, and a type that nobody has. */
const beta: ReadonlySet<unknown> = new Set([
  'compaction',
  'fallback',
  'mcp_tool_use',
  'mcp_tool_result',
  'wireproof_news',
]);

const withoutNulls = (block: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null));

/** Marks the result of a search for the cache, which has few marks, and leaves out members that say nothing. */
const marked = (block: JsonObject): JsonObject => {
  const { caller: _, ...rest } = withoutNulls(block);
  return rest['type'] === 'web_search_tool_result' ? { ...rest, cache_control: { type: 'ephemeral' } } : rest;
};

/** The items from the last compaction on. */
const sinceCompaction = (items: readonly Json[]): readonly Json[] => {
  const at = items.findLastIndex((item) => isObject(item) && item['type'] === 'compaction');
  return at < 0 ? items : items.slice(at);
};

export const lawfulKept: ClientFaults = {
  'drops-beta-blocks': inAnswers('messages', (block) => (beta.has(block['type']) ? undefined : block)),
  'marks-blocks-for-the-cache': inAnswers('messages', marked),
  'refers-to-its-items': inItems((item) => {
    const { id, type } = item;
    const isKept = typeof id === 'string' && type !== 'message' && type !== 'function_call';
    return isKept ? { type: 'item_reference', id } : item;
  }),
  'drops-what-was-compacted': changeExchange({
    body: (body) => (isArray(body['input']) ? { ...body, input: sinceCompaction(body['input']) } : body),
  }),
  'stops-at-a-pause': {
    turn: (options) =>
      new (class extends ClientTurn {
        override took(decoded: Decoded): TurnResult | undefined {
          const result = super.took(decoded);
          if (result !== undefined || decoded.response.metadata.stopReason !== 'pause_turn') return result;
          const { content, toolCalls, metadata, warnings } = decoded.response;
          const { usage = { inputTokens: 0, outputTokens: 0 }, stopReason } = metadata;
          return { text: content, toolCalls, executed: [], stopReason, usage, warnings };
        }
      })(options),
  },
};
