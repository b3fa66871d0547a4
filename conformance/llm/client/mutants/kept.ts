/** Clients that lose or change what the provider wants back as it came: LLM-C55 to C59. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { ClientParts } from '../../../../src/llm/index.ts';
import { changeExchange } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';

type Edit = (one: JsonObject) => JsonObject | undefined;

/** Edits the objects of a list; undefined takes one away. */
const edited = (list: Json | undefined, edit: Edit): readonly Json[] =>
  isArray(list)
    ? list.map((one) => (isObject(one) ? edit(one) : one)).filter((one) => one !== undefined)
    : [];

/** Edits the blocks of the assistant's messages of Anthropic's, or the parts of the model's contents of Gemini's. */
export const inAnswers = (
  field: 'messages' | 'contents',
  edit: Edit,
  applies: (body: JsonObject) => boolean = () => true,
): ClientParts =>
  changeExchange({
    body: (body) => {
      const [role, inside] = field === 'messages' ? ['assistant', 'content'] : ['model', 'parts'];
      if (!isArray(body[field]) || !applies(body)) return body;
      const inMessage: Edit = (message) =>
        message['role'] === role && isArray(message[inside])
          ? { ...message, [inside]: edited(message[inside], edit) }
          : message;
      return { ...body, [field]: edited(body[field], inMessage) };
    },
  });

/** Whether a request of Anthropic's ends with an answer that goes on. */
const isPaused = ({ messages }: JsonObject): boolean => {
  const last = isArray(messages) ? messages.at(-1) : undefined;
  return isObject(last) && last['role'] === 'assistant';
};

/** Whether a list of input is one of Gemini's Interactions, whose conversations begin with such a step. */
const hasSteps = (input: readonly Json[]): boolean =>
  input.some((step) => isObject(step) && step['type'] === 'user_input');

/** Edits the items of a request of Responses. */
export const inItems = (edit: Edit): ClientParts =>
  changeExchange({
    body: (body) => {
      const { input } = body;
      return isArray(input) && !hasSteps(input) ? { ...body, input: edited(input, edit) } : body;
    },
  });

const words: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);

const ours: ReadonlySet<unknown> = new Set(['message', 'reasoning', 'function_call', 'function_call_output']);

/** Keeps the blocks that every client knows. Those of Bedrock's have no type. */
const known: Edit = (block) => (words.has(block['type']) || block['type'] === undefined ? block : undefined);

const isResult = ({ type }: JsonObject): boolean => typeof type === 'string' && type.endsWith('_tool_result');

export const keptFaults: ClientFaults = {
  'goes-on-without-the-blocks': inAnswers('messages', known, isPaused),
  'goes-on-with-an-empty-input': inAnswers(
    'messages',
    (block) => (block['type'] === 'server_tool_use' ? { ...block, input: {} } : block),
    isPaused,
  ),
  'drops-blocks-of-the-provider': inAnswers('messages', known, (body) => !isPaused(body)),
  'empties-results-of-the-provider': inAnswers(
    'messages',
    (block) => (isResult(block) ? { ...block, content: [] } : block),
    (body) => !isPaused(body),
  ),
  'drops-calls-of-the-provider': inAnswers('messages', (block) =>
    block['type'] === 'server_tool_use' ? undefined : block,
  ),
  'drops-reasoning': inItems((item) => (item['type'] === 'reasoning' ? undefined : item)),
  'drops-items-of-the-provider': inItems((item) => {
    const { type = 'message' } = item;
    return ours.has(type) ? item : undefined;
  }),
  'forgets-fingerprints': inItems((item) => {
    const { fingerprint: _, ...rest } = item;
    return rest;
  }),
  'drops-parts-of-the-provider': inAnswers('contents', (part) =>
    'text' in part || 'functionCall' in part ? part : undefined,
  ),
};
