/** Collects the blocks, items and parts of the provider's own, for the rules that they are sent back as they came. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { parsedJson } from './exchange.ts';
import type { OwnBlock } from './exchange.ts';
import { most, takeDetails, takeReasoning, takeWholeReasoning } from './own-thoughts.ts';

/** Takes a unit of a response, or its whole body. */
export function takeOwnBlock(blocks: OwnBlock[], unit: JsonObject): void {
  const { type, content, content_block: started, item, output, candidates, choices } = unit;
  if (type === 'content_block_start') add(blocks, started, anthropicTypes, unit['index']);
  else if (type === 'content_block_delta') grow(blocks, unit);
  else if (type === 'message') for (const one of listOf(content)) add(blocks, one, anthropicTypes);
  else if (type === 'response.output_item.done') add(blocks, item, responsesTypes);
  else if (unit['object'] === 'response') for (const one of listOf(output)) add(blocks, one, responsesTypes);
  else if (choices !== undefined) takeDetails(blocks, choices);
  else if (unit['contentBlockIndex'] !== undefined) takeReasoning(blocks, unit);
  else if (isObject(output)) takeWholeReasoning(blocks, output);
  else for (const candidate of listOf(candidates)) takeParts(blocks, candidate);
}

const listOf = (value: Json | undefined): readonly Json[] => (isArray(value) ? value : []);

/**
 * The blocks of Anthropic's that its stable typings have, and a compaction, which only a request that turned it on owes. Others
 * are of tomorrow, or beta: no row fails on them.
 */
const anthropicTypes: ReadonlySet<unknown> = new Set([
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'container_upload',
  'compaction',
]);

/** The items of Responses that its stable typings have, which the provider itself has made or run. */
const responsesTypes: ReadonlySet<unknown> = new Set([
  'reasoning',
  'compaction',
  'program',
  'program_output',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'tool_search_call',
  'tool_search_output',
]);

function add(blocks: OwnBlock[], form: Json | undefined, types: ReadonlySet<unknown>, index?: Json): void {
  if (!isObject(form) || !types.has(form['type']) || blocks.length >= most.blocks) return;
  if (JSON.stringify(form).length <= most.length) blocks.push({ form, pieces: '', index });
}

/** A delta of a block: more of its input or its thought, or members with their final values. */
function grow(blocks: OwnBlock[], { index, delta }: JsonObject): void {
  const block = blocks.findLast((one) => one.index === index);
  if (block === undefined || !isObject(delta)) return;
  const { type: _, partial_json: piece, thinking, ...values } = delta;
  const more = piece ?? thinking;
  if (typeof more !== 'string') block.form = { ...block.form, ...values };
  else if (block.pieces.length < most.length) block.pieces += more;
}

/** The whole block. */
export function wholeForm({ form, pieces }: OwnBlock): JsonObject {
  if (pieces === '') return form;
  if (form['type'] === 'thinking') return { ...form, thinking: pieces };
  const input = parsedJson(pieces);
  return isObject(input) ? { ...form, input } : form;
}

/** The parts of Gemini's that "the client is expected to echo": calls of its tools, and code with its result. */
const partNames = ['toolCall', 'toolResponse', 'executableCode', 'codeExecutionResult'] as const;

/** The name of such a part. */
export const ownPart = (part: JsonObject): string | undefined => partNames.find((name) => name in part);

function takeParts(blocks: OwnBlock[], candidate: Json): void {
  const content = isObject(candidate) ? candidate['content'] : undefined;
  for (const part of listOf(isObject(content) ? content['parts'] : undefined))
    if (isObject(part) && ownPart(part) !== undefined && blocks.length < most.blocks)
      blocks.push({ form: part, pieces: '', index: undefined });
}
