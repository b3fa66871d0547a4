/** Clients whose requests a provider refuses with 400: spec/llm/REFUSALS.md. Each body is that of the reference, with one fault. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { changeExchange, mutant } from './mutant.ts';

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

/** A mutant of Anthropic's requests: changes the blocks of messages with results. */
const withResults = (id: string, title: string, edit: (blocks: readonly Json[]) => readonly Json[]): Mutant =>
  mutant(
    'LLM-C08',
    id,
    title,
    changeExchange({
      body: (body) =>
        each(body, 'messages', (message) => {
          const blocks = listOf(message['content']);
          return blocks.some(isOf('tool_result')) ? [{ ...message, content: edit(blocks) }] : [message];
        }),
    }),
  );

/** A mutant of the input items of Responses. */
const withItems = (id: string, title: string, edit: (item: JsonObject) => readonly JsonObject[]): Mutant =>
  mutant('LLM-C08', id, title, changeExchange({ body: (body) => each(body, 'input', edit) }));

/** A mutant of the tools of requests, in the dialects that this field tells apart. */
const withTools = (
  id: string,
  title: string,
  edit: (tool: JsonObject) => readonly JsonObject[],
  applies: (body: JsonObject) => boolean,
): Mutant =>
  mutant(
    'LLM-C08',
    id,
    title,
    changeExchange({ body: (body) => (applies(body) ? each(body, 'tools', edit) : body) }),
  );

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
export const refusedMutants: readonly Mutant[] = [
  withResults('text-before-results', 'puts a text before the results of calls', (blocks) => [
    { type: 'text', text: 'Here are the results.' },
    ...blocks,
  ]),
  withResults('empty-error-results', 'marks results as errors, without content', (blocks) =>
    blocks.map((block) =>
      isObject(block) && block['type'] === 'tool_result' ? { ...block, content: '', is_error: true } : block,
    ),
  ),
  withResults('white-space-text', 'puts a text of white space alone behind the results', (blocks) => [
    ...blocks,
    { type: 'text', text: ' \n' },
  ]),
  mutant(
    'LLM-C08',
    'half-surrogates',
    'cuts a result in the middle of a character, and sends half a surrogate pair',
    changeExchange({
      body: (body) =>
        each(
          each(body, 'messages', (one) => [cutResult(one)]),
          'input',
          (one) => [cutResult(one)],
        ),
    }),
  ),
  withTools(
    'illegal-tool-names',
    'offers a tool whose name the provider does not accept',
    (tool) => [tool, { ...tool, name: 'files.read file' }],
    isAnthropic,
  ),
  withTools(
    'illegal-function-names',
    'offers a function whose name the provider does not accept (Chat)',
    (tool) => [tool, { ...tool, function: { ...(tool['function'] as JsonObject), name: 'files.read file' } }],
    isChat,
  ),
  withTools('doubled-tool-names', 'offers two tools of one name', (tool) => [tool, tool], isAnthropic),
  withTools(
    'schema-without-type',
    'offers a tool whose schema has no type',
    (tool) => [{ ...tool, input_schema: { properties: {} } }],
    isAnthropic,
  ),
  mutant(
    'LLM-C08',
    'empty-tools',
    'sends an empty list of tools with the results (Chat)',
    changeExchange({
      body: (body) =>
        isChat(body) && listOf(body['messages']).some((one) => isObject(one) && one['role'] === 'tool')
          ? { ...body, tools: [] }
          : body,
    }),
  ),
  mutant(
    'LLM-C08',
    'long-call-ids',
    'gives calls and their results ids that are too long (Chat)',
    changeExchange({
      body: (body) => (isChat(body) ? each(body, 'messages', (one) => [withLongIds(one)]) : body),
    }),
  ),
  withItems('wrong-item-ids', 'sends the id of a call as the id of its item (Responses)', (item) => [
    item['type'] === 'function_call' ? { ...item, id: item['call_id'] ?? '' } : item,
  ]),
  withItems(
    'lonely-reasoning',
    'keeps the thought before a call, and drops both behind it (Responses)',
    (item) =>
      item['type'] === 'function_call_output'
        ? [item, { type: 'reasoning', id: 'rs_1', summary: [] }]
        : [item],
  ),
  withItems('chat-parts', 'writes the parts of Chat into the items of Responses', (item) => [
    item['role'] === 'user' ? { ...item, content: [{ type: 'text', text: 'Go on.' }] } : item,
  ]),
];
