/** Decides which requests a turn answers. */
import type { LlmMessage, LlmRequest } from '../messages.ts';
import type { Match } from '../script/script.ts';
import { clip } from '../../kit/base/index.ts';

/** The first condition that the request does not fit, to follow "wants"; undefined: it fits. */
export function misfit(match: Match, request: LlmRequest): string | undefined {
  const last = request.messages.findLast((message) => message.role === 'user');
  const { dialect, model, contains, toolResult, stream } = match;
  const { pattern, turnIndex, offersTools, system, predicate } = match;
  if (dialect !== undefined && dialect !== request.dialect) return `dialect ${dialect}`;
  if (model !== undefined && model !== request.model) return `model "${clip(model, 40)}"`;
  if (stream !== undefined && stream !== request.stream) return `stream ${stream}`;
  if (contains !== undefined && !says(last, contains))
    return `"${clip(contains, 40)}" in the last user message`;
  if (toolResult !== undefined && !brings(last, toolResult, request.messages))
    return `a result of ${clip(toolResult, 40)}`;
  if (pattern !== undefined && !fits(last, pattern))
    return `${clip(String(pattern), 40)} in the last user message`;
  if (turnIndex !== undefined && turnIndex !== answersIn(request)) return `turn_index ${turnIndex}`;
  if (system !== undefined && !systemText(request).includes(system))
    return `"${clip(system, 40)}" in the system text`;
  if (offersTools !== undefined && offersTools !== request.tools.length > 0)
    return offersTools ? 'a request that offers tools' : 'a request that offers no tools';
  const missing = missingTool(match, request);
  if (missing !== undefined) return missing;
  return predicate === undefined ? undefined : unaccepted(predicate, request);
}

function missingTool({ tools, customTools }: Match, request: LlmRequest): string | undefined {
  const missing = tools?.find((name) => !request.tools.some((tool) => tool.name === name));
  if (missing !== undefined) return `the tool ${clip(missing, 40)}`;
  const custom = request.tools.filter((tool) => tool.custom === true);
  const other = customTools?.find((name) => !custom.some((tool) => tool.name === name));
  return other && `the custom tool ${clip(other, 40)}`;
}

function unaccepted(predicate: (request: LlmRequest) => boolean, request: LlmRequest): string | undefined {
  try {
    return predicate(request) ? undefined : 'a request that its predicate accepts';
  } catch (error) {
    return `a predicate that does not fail (${error instanceof Error ? clip(error.message, 100) : 'it threw'})`;
  }
}

/** The model's answers in the history of a request. Messages of the assistant in a row are one answer. */
const answersIn = ({ messages }: LlmRequest): number =>
  messages.filter(({ role }, i) => role === 'assistant' && messages[i - 1]?.role !== 'assistant').length;

const systemText = ({ system = '', messages }: LlmRequest): string =>
  [system, ...messages.filter(({ role }) => role === 'system').map(({ content }) => content)].join('\n');

const fits = (message: LlmMessage | undefined, pattern: RegExp): boolean =>
  message !== undefined &&
  (pattern.test(message.content) || (message.toolResults ?? []).some(({ content }) => pattern.test(content)));

const says = (message: LlmMessage | undefined, text: string): boolean =>
  message !== undefined &&
  (message.content.includes(text) ||
    (message.toolResults ?? []).some(({ content }) => content.includes(text)));

/** Whether the message has the result of the call with this id, or of a call of the tool with this name. */
function brings(message: LlmMessage | undefined, name: string, all: readonly LlmMessage[]): boolean {
  const ids = new Set((message?.toolResults ?? []).map(({ id }) => id));
  if (ids.has(name)) return true;
  return (
    ids.size > 0 &&
    all.some(({ toolCalls }) => toolCalls?.some((call) => call.name === name && ids.has(call.id)) === true)
  );
}
