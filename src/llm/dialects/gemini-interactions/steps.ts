/** The steps of a conversation, both ways: what the user said, what the model thought, said and called, and the results. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, Thinking } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { isArray, textIn } from '../shared/body-reader.ts';
import type { BodyReader } from '../shared/body-reader.ts';

/** The types of contents. An input may be a list of them instead of steps. */
const contentTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'document', 'video']);

/** The steps of the user. Those of other types are the model's, or of the provider's tools. */
const userTypes: ReadonlySet<unknown> = new Set(['user_input', 'function_result']);

/** The contents of a message's steps. */
interface Parts {
  readonly role: 'user' | 'assistant';
  readonly texts: string[];
  readonly thinking: Thinking[];
  readonly toolCalls: ToolCall[];
  readonly toolResults: ToolOutcome[];
  /** Whether there are other steps or contents, such as images. */
  others: boolean;
}

/** The steps of an input, which may be a text, a content, or a list of contents. */
export function stepsOf(input: Json | undefined): readonly Json[] {
  if (typeof input === 'string') return [textStep('user_input', input)];
  const list = isArray(input) ? input : input === undefined || input === null ? [] : [input];
  const isContents = list.length > 0 && list.every((one) => isObject(one) && contentTypes.has(one['type']));
  return isContents ? [{ type: 'user_input', content: list }] : list;
}

/** Reads steps. Those of one side in a row are one message. */
export function readSteps(reader: BodyReader, steps: readonly Json[]): LlmMessage[] {
  const messages: Parts[] = [];
  for (const [i, value] of steps.entries()) {
    const path = `input[${i}]`;
    const step = reader.object(value, path);
    const role = userTypes.has(step['type']) ? 'user' : 'assistant';
    let parts = messages.at(-1);
    if (parts?.role !== role) {
      parts = { role, texts: [], thinking: [], toolCalls: [], toolResults: [], others: false };
      messages.push(parts);
    }
    readStep(reader, step, parts, path);
  }
  return messages.map(messageOf);
}

const messageOf = ({ role, texts, thinking, toolCalls, toolResults, others }: Parts): LlmMessage => ({
  role,
  content: texts.join(''),
  ...(toolCalls.length > 0 && { toolCalls }),
  ...(toolResults.length > 0 && { toolResults }),
  ...(thinking.length > 0 && { thinking }),
  ...(others && { otherParts: true as const }),
});

/** The refusal of the turns that the API took before it took steps. */
const turnList = 'When using the steps-based API version, use step_list input format instead of turn_list.';

function readStep(reader: BodyReader, step: JsonObject, parts: Parts, path: string): void {
  switch (step['type']) {
    case 'user_input':
    case 'model_output':
      return readContents(step['content'], parts);
    case 'thought':
      return void parts.thinking.push(thoughtOf(step));
    case 'function_call':
      return void parts.toolCalls.push(readCall(reader, step, path));
    case 'function_result':
      return void parts.toolResults.push(readResult(reader, step, path));
    default:
      if (step['type'] === undefined && step['role'] !== undefined)
        reader.refuse(`${path}.role`, '', { message: turnList });
      reader.string(step['type'], `${path}.type`);
      parts.others = true;
  }
}

/** The texts of contents, joined. */
const textsIn = (value: Json | undefined): string =>
  (isArray(value) ? value : []).map((one) => (isObject(one) ? textIn(one['text']) : '')).join('');

function readContents(content: Json | undefined, parts: Parts): void {
  const list = isArray(content) ? content : [];
  if (list.some((one) => !isObject(one) || one['type'] !== 'text')) parts.others = true;
  parts.texts.push(textsIn(list));
}

function thoughtOf({ summary, signature }: JsonObject): Thinking {
  return { text: textsIn(summary), ...(typeof signature === 'string' && { signature }) };
}

function readCall(reader: BodyReader, step: JsonObject, path: string): ToolCall {
  refuseParameter(reader, step, 'call_id', path);
  return {
    id: reader.string(step['id'], `${path}.id`),
    name: reader.string(step['name'], `${path}.name`),
    input: reader.object(step['arguments'], `${path}.arguments`),
  };
}

/** A call has an `id` and no `call_id`, a result the other way round (spec/llm/refusals.yaml). */
function refuseParameter(reader: BodyReader, step: JsonObject, name: string, path: string): void {
  if (step[name] === undefined) return;
  reader.refuse(`${path}.${name}`, '', { message: `Unknown parameter '${name}' at '${path}'.` });
}

/** The typings do not ask for the name of a result, the API does (spec/llm/refusals.yaml). A number is no result. */
function readResult(reader: BodyReader, step: JsonObject, path: string): ToolOutcome {
  const { call_id: id, name, result, is_error: isError } = step;
  refuseParameter(reader, step, 'id', path);
  if (textIn(id) === '')
    reader.refuse(`${path}.call_id`, '', { message: 'Missing call_id in content of type function_result' });
  if (textIn(name) === '')
    reader.refuse(`${path}.name`, '', { message: 'Missing name in content of type function_result' });
  if (typeof result !== 'string' && !isObject(result) && !isArray(result))
    reader.refuse(`${path}.result`, '', { message: notResult });
  return { id: textIn(id), content: resultText(result), isError: isError === true };
}

const notResult = "'result' must be a Struct, FunctionResultSubcontent[], or string";

/** A result is a text, a list of contents, or an object. */
function resultText(result: Json | undefined): string {
  if (isArray(result)) return textsIn(result);
  return typeof result === 'string' ? result : JSON.stringify(result ?? null);
}

/** The step of a text. */
export const textStep = (type: 'user_input' | 'model_output', text: string): JsonObject => ({
  type,
  content: [{ type: 'text', text }],
});

/** The step of a thought, as it came. */
export const thoughtStep = ({ text, signature }: Thinking): JsonObject => ({
  type: 'thought',
  ...(signature !== undefined && { signature }),
  ...(text !== '' && { summary: [{ type: 'text', text }] }),
});

/** The step of a call. */
export const callStep = ({ id, name, input }: ToolCall): JsonObject => ({
  type: 'function_call',
  id,
  name,
  arguments: isJsonObject(input) ? input : {},
});

/** Writes a message. Thoughts come before text, results before everything. */
export function writeSteps(messages: readonly LlmMessage[]): readonly JsonObject[] {
  const names = new Map<string, string>();
  return messages.flatMap((message): readonly JsonObject[] => {
    const { role, content, toolCalls = [], toolResults = [], thinking = [], blocks } = message;
    for (const { id, name } of toolCalls) names.set(id, name);
    if (blocks !== undefined) return blocks;
    return [
      ...toolResults.map((result) => resultStep(result, names.get(result.id))),
      ...thinking.map(thoughtStep),
      ...(content === '' ? [] : [textStep(role === 'assistant' ? 'model_output' : 'user_input', content)]),
      ...toolCalls.map(callStep),
    ];
  });
}

const resultStep = ({ id, content, isError }: ToolOutcome, name: string | undefined): JsonObject => ({
  type: 'function_result',
  ...(name !== undefined && { name }),
  call_id: id,
  result: [{ type: 'text', text: content }],
  ...(isError && { is_error: true }),
});
