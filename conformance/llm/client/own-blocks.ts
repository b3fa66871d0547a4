/** Collects the blocks, items and parts of the provider's own, for the rules that they are sent back as they came. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { parsedJson } from './exchange.ts';
import type { OwnBlock } from './exchange.ts';

/** The most blocks of one response that are kept, and the most characters of one. Of a larger one nothing is judged. */
const most = { blocks: 32, length: 1 << 20 };

/** Takes a unit of a response, or its whole body. */
export function takeOwnBlock(blocks: OwnBlock[], unit: JsonObject): void {
  const { type, content, content_block: started, item, output, candidates, choices } = unit;
  if (type === 'content_block_start') add(blocks, started, anthropicTypes, unit['index']);
  else if (type === 'content_block_delta') grow(blocks, unit);
  else if (type === 'message') for (const one of listOf(content)) add(blocks, one, anthropicTypes);
  else if (type === 'response.output_item.done') add(blocks, item, responsesTypes);
  else if (unit['object'] === 'response') for (const one of listOf(output)) add(blocks, one, responsesTypes);
  else if (choices !== undefined) takeDetails(blocks, choices);
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

/**
 * The thoughts of OpenRouter, in pieces or whole. The signature comes behind the pieces of its text: "@openrouter/sdk 1.3,
 * ReasoningDetailText".
 */
function takeDetails(blocks: OwnBlock[], choices: Json): void {
  const [choice] = listOf(choices);
  const { delta, message }: JsonObject = isObject(choice) ? choice : {};
  const said = delta ?? message;
  for (const detail of listOf(isObject(said) ? said['reasoning_details'] : undefined)) {
    if (!isObject(detail) || JSON.stringify(detail).length > most.length) continue;
    const last = blocks.at(-1);
    if (last !== undefined && isMore(last.form, detail)) last.form = joinedDetail(last.form, detail);
    else if (blocks.length < most.blocks) blocks.push({ form: detail, pieces: '', index: undefined });
  }
}

/** Whether a piece of a thought goes on with the one before it. */
const isMore = (before: JsonObject, { type, index, text }: JsonObject): boolean =>
  type === 'reasoning.text' &&
  before['type'] === type &&
  before['index'] === index &&
  (before['signature'] ?? null) === null &&
  lengthOf(before['text']) + lengthOf(text) <= most.length;

const lengthOf = (text: Json = null): number => (typeof text === 'string' ? text.length : 0);

const joinedDetail = (before: JsonObject, next: JsonObject): JsonObject => ({
  ...before,
  ...next,
  text: [before['text'], next['text']].map((text) => (typeof text === 'string' ? text : '')).join(''),
});

/** The thoughts of a message, each in one piece. */
export function wholeDetails(details: readonly JsonObject[]): readonly JsonObject[] {
  const blocks: OwnBlock[] = [];
  takeDetails(blocks, [{ message: { reasoning_details: details } }]);
  return blocks.map(({ form }) => form);
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
