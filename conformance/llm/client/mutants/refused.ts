/** Clients whose requests a provider refuses with 400: spec/llm/REFUSALS.md. Each body is that of the reference, with one fault. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { ClientParts } from '../../../../src/llm/index.ts';
import { changeExchange } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

const listOf = (value: Json | undefined): readonly Json[] => (isArray(value) ? value : []);

/** Changes each object in a list of the body, if there is such a list. */
function each(body: JsonObject, field: string, edit: (one: JsonObject) => readonly JsonObject[]): JsonObject {
  const list = body[field];
  if (!isArray(list)) return body;
  const edited: readonly Json[] = listOf(list).flatMap((one): readonly Json[] =>
    isObject(one) ? edit(one) : [one],
  );
  return { ...body, [field]: edited };
}

const isOf = (type: string) => (block: Json) => isObject(block) && block['type'] === type;

/** A fault in Anthropic's requests: changes the blocks of messages with results. */
const withResults = (edit: (blocks: readonly Json[]) => readonly Json[]): ClientParts =>
  changeExchange({
    body: (body) =>
      each(body, 'messages', (message) => {
        const blocks = listOf(message['content']);
        return blocks.some(isOf('tool_result')) ? [{ ...message, content: edit(blocks) }] : [message];
      }),
  });

/** A fault in the input items of Responses. */
const withItems = (edit: (item: JsonObject) => readonly JsonObject[]): ClientParts =>
  changeExchange({ body: (body) => each(body, 'input', edit) });

/** A fault in the tools of requests, in the dialects that this field tells apart. */
const withTools = (
  edit: (tool: JsonObject) => readonly JsonObject[],
  applies: (body: JsonObject) => boolean,
): ClientParts => changeExchange({ body: (body) => (applies(body) ? each(body, 'tools', edit) : body) });

const isAnthropic = (body: JsonObject): boolean => 'max_tokens' in body;
const isChat = (body: JsonObject): boolean =>
  !isAnthropic(body) && 'messages' in body && !('options' in body);

const half = 'cut here \ud83d';

/** A message or an item with a result, cut in the middle of a character. */
function cutResult(one: JsonObject): JsonObject {
  if (one['role'] === 'tool') return { ...one, content: half };
  if (one['type'] === 'function_call_output') return { ...one, output: half };
  const blocks = listOf(one['content']);
  return blocks.some(isOf('tool_result'))
    ? { ...one, content: blocks.map((block) => (isObject(block) ? { ...block, content: half } : block)) }
    : one;
}

const longId = (id: Json | undefined): string => `${typeof id === 'string' ? id : ''}-${'x'.repeat(40)}`;

/** A message of Chat's with longer ids of calls. */
const withLongIds = (message: JsonObject): JsonObject => ({
  ...message,
  ...('tool_call_id' in message && { tool_call_id: longId(message['tool_call_id']) }),
  ...('tool_calls' in message && {
    tool_calls: listOf(message['tool_calls']).map((call) =>
      isObject(call) ? { ...call, id: longId(call['id']) } : call,
    ),
  }),
});

/** The mutants whose requests are refused. */
export const refusedFaults: ClientFaults = {
  'text-before-results': withResults((blocks) => [
    { type: 'text', text: 'Here are the results.' },
    ...blocks,
  ]),
  'empty-error-results': withResults((blocks) =>
    blocks.map((block) =>
      isObject(block) && block['type'] === 'tool_result' ? { ...block, content: '', is_error: true } : block,
    ),
  ),
  'white-space-text': withResults((blocks) => [...blocks, { type: 'text', text: ' \n' }]),
  'half-surrogates': changeExchange({
    body: (body) =>
      each(
        each(body, 'messages', (one) => [cutResult(one)]),
        'input',
        (one) => [cutResult(one)],
      ),
  }),
  'illegal-tool-names': withTools((tool) => [tool, { ...tool, name: 'files.read file' }], isAnthropic),
  'illegal-function-names': withTools(
    (tool) => [tool, { ...tool, function: { ...(tool['function'] as JsonObject), name: 'files.read file' } }],
    isChat,
  ),
  'doubled-tool-names': withTools((tool) => [tool, tool], isAnthropic),
  'schema-without-type': withTools((tool) => [{ ...tool, input_schema: { properties: {} } }], isAnthropic),
  'empty-tools': changeExchange({
    body: (body) =>
      isChat(body) && listOf(body['messages']).some((one) => isObject(one) && one['role'] === 'tool')
        ? { ...body, tools: [] }
        : body,
  }),
  'long-call-ids': changeExchange({
    body: (body) => (isChat(body) ? each(body, 'messages', (one) => [withLongIds(one)]) : body),
  }),
  'wrong-item-ids': withItems((item) => [
    item['type'] === 'function_call' ? { ...item, id: item['call_id'] ?? '' } : item,
  ]),
  'lonely-reasoning': withItems((item) =>
    item['type'] === 'function_call_output' ? [item, { type: 'reasoning', id: 'rs_1', summary: [] }] : [item],
  ),
  'chat-parts': withItems((item) => [
    item['role'] === 'user' ? { ...item, content: [{ type: 'text', text: 'Go on.' }] } : item,
  ]),
};
