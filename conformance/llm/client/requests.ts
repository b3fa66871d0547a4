/**
 * Whether a request is valid in its dialect: each call has one result, no call is invented, no message is empty. What
 * providers answered with 200 is valid (spec/llm/FACTS.md).
 */
import { clip, isArray, isObject, ok, refuse } from '../../../src/kit/base/index.ts';
import type { Json, Result } from '../../../src/kit/base/index.ts';
import { dialectOf, dialects } from '../../../src/llm/index.ts';
import type { LlmMessage, LlmRequest } from '../../../src/llm/index.ts';

/** The neutral form of a request, or the reason why the dialect refuses it. */
export function requestOf(dialect: string, body: Json): Result<LlmRequest, string> {
  const name = dialects.find((one) => one === dialect);
  if (name === undefined) return refuse(`there is no dialect ${dialect}`);
  // In LM Studio, the request is the creation parameter of a channel.
  const said = isObject(body) && isObject(body['creationParameter']) ? body['creationParameter'] : body;
  const read = dialectOf[name].readRequest(said, {});
  if (read.ok) return ok(read.value);
  const { path, error } = read.error;
  return refuse(`${error.message}; came ${path}: ${quoted(said, path)}`);
}

/** The most characters of a quoted part. */
const mostQuoted = 200;

/**
 * The part of a body at a place such as `messages[2].content[0]`, as JSON that is cut when it is long. Providers name types
 * in their places (`tools[0].custom.name`): a step that the value does not have is left out.
 */
export function quoted(body: Json, place: string): string {
  let part = body;
  for (const [step] of place.matchAll(/[^.[\]]+/g)) {
    if (isArray(part)) part = part[Number(step)] ?? part;
    else if (isObject(part)) part = part[step] ?? part;
  }
  return clip(JSON.stringify(part), mostQuoted);
}

/** Whether the body of a request offers tools. It may be a request that the dialect refuses. */
export const offersTools = (body: Json | undefined): boolean =>
  isObject(body) && Array.isArray(body['tools']) && body['tools'].length > 0;

/** Whether a request contains one of these answers of the model: one of its calls, or its text. */
export function continuesAnswer(
  dialect: string,
  body: Json,
  answers: readonly { readonly text: string; readonly calls: readonly ProviderCall[] }[],
): boolean {
  const ids = answers.flatMap(({ calls }) => calls.map(({ id }) => id)).filter((id) => id !== '');
  const request = requestOf(dialect, body);
  if (!request.ok) return ids.some((id) => JSON.stringify(body).includes(JSON.stringify(id)));
  const texts = answers.map(({ text }) => text).filter((text) => text !== '');
  return request.value.messages.some(
    ({ role, content, toolCalls = [] }) =>
      role === 'assistant' &&
      (texts.some((text) => content.includes(text)) || toolCalls.some(({ id }) => ids.includes(id))),
  );
}

/** A call that the provider sent. */
export interface ProviderCall {
  readonly id: string;
  readonly name: string;
}

/** The fault in the conversation of a request. Undefined when it is valid. */
export function conversationFault(request: LlmRequest, known: readonly ProviderCall[]): string | undefined {
  const { messages, dialect } = request;
  for (const [i, message] of messages.entries()) {
    const fault =
      emptyMessageFault(request, i) ??
      inventedCallFault(message, known, dialect) ??
      answersFault(messages, i) ??
      orphanResultFault(request, i, known);
    if (fault !== undefined) return `messages[${i}]: ${fault}`;
  }
  return undefined;
}

/** A message of the assistant without text is answered, but by Anthropic only as the last one. */
function emptyMessageFault({ messages, dialect }: LlmRequest, i: number): string | undefined {
  const {
    role,
    content,
    toolCalls = [],
    toolResults = [],
    thinking = [],
    otherParts,
  } = messages[i] ?? noMessage;
  const empty = content === '' && toolCalls.length + toolResults.length + thinking.length === 0;
  if (role === 'assistant' && (dialect !== 'anthropic' || i === messages.length - 1)) return undefined;
  return empty && otherParts !== true
    ? `expected content in the ${role} message ${i}; it is empty`
    : undefined;
}

const noMessage: LlmMessage = { role: 'user', content: '' };

/**
 * A program may give a call another name, such as that of its own tool for calls that it cannot run; its id says whose it
 * is. The calls of Ollama and Gemini may have no id. Then calls are matched by name.
 */
function inventedCallFault(
  { toolCalls = [] }: LlmMessage,
  known: readonly ProviderCall[],
  dialect: string,
): string | undefined {
  const stranger = toolCalls.find(
    ({ id, name }) =>
      !known.some((one) => one.id === id || (withoutIds.includes(dialect) && one.name === name)),
  );
  return (
    stranger && `expected only calls that the model made; it did not make ${stranger.name} (${stranger.id})`
  );
}

/** The dialects whose calls may have no id. */
const withoutIds: readonly string[] = ['ollama', 'gemini'];

/** The results between an assistant's message and its next message. */
function resultsAfter(messages: readonly LlmMessage[], i: number): readonly string[] {
  const next = messages.findIndex(({ role }, at) => at > i && role === 'assistant');
  const between = messages.slice(i + 1, next < 0 ? undefined : next);
  return between.flatMap(({ toolResults = [] }) => toolResults.map(({ id }) => id));
}

function answersFault(messages: readonly LlmMessage[], i: number): string | undefined {
  const { toolCalls = [] } = messages[i] ?? {};
  if (toolCalls.length === 0) return undefined;
  const results = resultsAfter(messages, i);
  const wrong = toolCalls.find(({ id }) => results.filter((one) => one === id).length !== 1);
  if (wrong === undefined) return undefined;
  const count = results.filter((one) => one === wrong.id).length;
  return `expected one result of the call ${wrong.name} (${wrong.id}); came ${count}`;
}

/** When the server has the earlier messages, the calls that the provider sent may be among them. */
function orphanResultFault(
  { messages, continued }: LlmRequest,
  i: number,
  known: readonly ProviderCall[],
): string | undefined {
  const { toolResults = [] } = messages[i] ?? {};
  const before = messages.slice(0, i).findLast(({ role }) => role === 'assistant');
  const atServer = continued === true && before === undefined;
  const calls = atServer ? known : (before?.toolCalls ?? []);
  const stray = toolResults.find(({ id }) => !calls.some((call) => call.id === id));
  if (stray !== undefined) return `expected results of earlier calls only; came a result of ${stray.id}`;
  const again = atServer
    ? toolResults.find(({ id }, at) => toolResults.findIndex((one) => one.id === id) < at)
    : undefined;
  return again && `expected one result of the call ${again.id}; came another`;
}

/**
 * The fault of a result without content. A testee sends the outputs that it was given.
 *
 * @param outputs - the outputs of the tools; with an empty one, a result may be empty
 */
export function emptyResultFault({ messages }: LlmRequest, outputs: readonly Json[]): string | undefined {
  if (outputs.length === 0 || outputs.some((output) => output === '')) return undefined;
  for (const [i, { toolResults = [] }] of messages.entries()) {
    const empty = toolResults.find(({ content }) => content.trim() === '');
    if (empty !== undefined)
      return `messages[${i}]: expected the output of its tool in the result of ${empty.id}; it is empty`;
  }
  return undefined;
}

const blocksOf = ({ content }: Record<string, unknown>, type: string): number =>
  Array.isArray(content) ? content.filter((block) => isObject(block) && block['type'] === type).length : 0;

/**
 * Whether the results of one answer are in several of Anthropic's messages. Undefined when no answer has several calls
 * with results.
 */
export function splitResults(messages: readonly Record<string, unknown>[]): boolean | undefined {
  const parallel = messages.flatMap((message, i) => (blocksOf(message, 'tool_use') > 1 ? [i] : []));
  const answered = parallel.flatMap((i) => {
    const next = messages.findIndex(({ role }, at) => at > i && role === 'assistant');
    const between = messages.slice(i + 1, next < 0 ? undefined : next);
    const holders = between.filter((message) => blocksOf(message, 'tool_result') > 0).length;
    return holders === 0 ? [] : [holders];
  });
  return answered.length === 0 ? undefined : answered.some((holders) => holders > 1);
}
