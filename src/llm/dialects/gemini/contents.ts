/**
 * The contents of a conversation, both ways. A call may have no id: then it gets one from its place, and results belong to
 * the calls before them by name and order.
 */
import { isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, ToolCall, ToolOutcome } from '../../../kit/base/index.ts';
import type { LlmMessage, Thinking } from '../../messages.ts';
import { isJsonObject } from '../shared/arguments.ts';
import { memberOf, nameIn, objectIn, partsOf } from './members.ts';

/** The text of parts, without thoughts. */
export const textOf = (parts: readonly JsonObject[]): string =>
  parts.map(({ text, thought }) => (typeof text === 'string' && thought !== true ? text : '')).join('');

/** A call without a result. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/** Reads contents, each as a message. */
export function readContents(contents: readonly Json[]): readonly LlmMessage[] {
  let open: OpenCall[] = [];
  return contents.map((content, i): LlmMessage => {
    const parts = partsOf(content);
    const { role = 'user' } = objectIn(content);
    const others = parts.some(isOther) && { otherParts: true as const };
    if (role !== 'model') {
      const results = parts.flatMap((part) => resultOf(part, open));
      return {
        role: 'user',
        content: textOf(parts),
        ...(results.length > 0 && { toolResults: results }),
        ...others,
      };
    }
    const calls = parts.flatMap((part, n) => callOf(part, `call_${i}_${n}`));
    const thinking = parts.flatMap(thoughtOf);
    open = calls.map(({ id, name }) => ({ id, name }));
    return {
      role: 'assistant',
      content: textOf(parts),
      ...(calls.length > 0 && { toolCalls: calls }),
      ...(thinking.length > 0 && { thinking }),
      ...others,
    };
  });
}

const signatureIn = (part: JsonObject): { readonly signature?: string } => {
  const signature = memberOf(part, 'thoughtSignature');
  return typeof signature === 'string' ? { signature } : {};
};

/** Parts of other kinds, such as images. */
const isOther = (part: JsonObject): boolean =>
  !('text' in part) &&
  memberOf(part, 'functionCall') === undefined &&
  memberOf(part, 'functionResponse') === undefined &&
  memberOf(part, 'thoughtSignature') === undefined;

const thoughtOf = (part: JsonObject): readonly Thinking[] =>
  part['thought'] === true && typeof part['text'] === 'string'
    ? [{ text: part['text'], ...signatureIn(part) }]
    : [];

function callOf(part: JsonObject, placed: string): readonly ToolCall[] {
  const call = memberOf(part, 'functionCall');
  if (!isObject(call)) return [];
  const { id, name, args = {} } = call;
  return [
    {
      id: typeof id === 'string' && id !== '' ? id : placed,
      name: nameIn(name),
      input: isJsonObject(args) ? args : {},
      ...signatureIn(part),
    },
  ];
}

/** A result belongs to the call of its id, else to the first open one of its name. */
function resultOf(part: JsonObject, open: OpenCall[]): readonly ToolOutcome[] {
  const result = memberOf(part, 'functionResponse');
  if (!isObject(result)) return [];
  const { id, name } = result;
  const at = open.findIndex((call) => (typeof id === 'string' ? call.id === id : call.name === name));
  const [call] = at < 0 ? [] : open.splice(at, 1);
  return [{ id: call?.id ?? nameIn(id), ...outcomeOf(objectIn(result['response'])) }];
}

/** `Use "output" key to specify function output and "error" key to specify error details`. */
function outcomeOf(response: JsonObject): Pick<ToolOutcome, 'content' | 'isError'> {
  const isError = 'error' in response;
  const said = response[isError ? 'error' : 'output'];
  const isAlone = Object.keys(response).length === 1;
  return { content: isAlone && typeof said === 'string' ? said : JSON.stringify(response), isError };
}

/** Writes messages, each as a content. */
export function writeContents(messages: readonly LlmMessage[]): readonly JsonObject[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    const { role, content, toolCalls = [], toolResults = [], thinking = [], blocks } = message;
    for (const { id, name } of toolCalls) names.set(id, name);
    if (blocks !== undefined) return { role: 'model', parts: blocks };
    const parts = [
      ...toolResults.map((result) => writeResult(result, names.get(result.id))),
      ...thinking.map(writeThought),
      ...(content === '' ? [] : [{ text: content }]),
      ...toolCalls.map(writeCall),
    ];
    return { role: role === 'assistant' ? 'model' : 'user', parts };
  });
}

const writeSignature = ({ signature }: { readonly signature?: string }): JsonObject =>
  signature === undefined ? {} : { thoughtSignature: signature };

const writeThought = (thought: Thinking): JsonObject => ({
  text: thought.text,
  thought: true,
  ...writeSignature(thought),
});

/** The part of a call. */
export const writeCall = (call: ToolCall): JsonObject => ({
  functionCall: { id: call.id, name: call.name, args: isJsonObject(call.input) ? call.input : {} },
  ...writeSignature(call),
});

const writeResult = ({ id, content, isError }: ToolOutcome, name = ''): JsonObject => ({
  functionResponse: { id, name, response: { [isError ? 'error' : 'output']: content } },
});
