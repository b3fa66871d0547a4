/** Decides which requests a turn answers. */
import type { LlmMessage, LlmRequest } from '../messages.ts';
import type { Match } from '../script/script.ts';
import { clip } from '../../kit/base/index.ts';

/** The first condition that the request does not fit, to stand behind "wants"; undefined: it fits. */
export function misfit(match: Match, request: LlmRequest): string | undefined {
  const last = request.messages.findLast((message) => message.role === 'user');
  const { dialect, model, contains, toolResult, stream, tools, offersTools } = match;
  if (dialect !== undefined && dialect !== request.dialect) return `dialect ${dialect}`;
  if (model !== undefined && model !== request.model) return `model "${clip(model, 40)}"`;
  if (stream !== undefined && stream !== request.stream) return `stream ${stream}`;
  if (contains !== undefined && !says(last, contains))
    return `"${clip(contains, 40)}" in the last user message`;
  if (toolResult !== undefined && !brings(last, toolResult, request.messages))
    return `a result of ${clip(toolResult, 40)}`;
  if (offersTools !== undefined && offersTools !== request.tools.length > 0)
    return offersTools ? 'tools' : 'no tools';
  const missing = tools?.find((name) => !request.tools.some((tool) => tool.name === name));
  return missing === undefined ? undefined : `the tool ${clip(missing, 40)}`;
}

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
