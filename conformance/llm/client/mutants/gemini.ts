/** Clients with faults about Gemini: arguments that come by path, signatures of calls, several calls in a chunk. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject, StopReason, ToolCall } from '../../../../src/kit/base/index.ts';
import type { ClientParts, LlmMessage } from '../../../../src/llm/index.ts';
import { callFrom, changeDecoded, changeExchange, withToolCalls } from './mutant.ts';
import type { ClientFaults } from './mutant.ts';
import { editUnits } from './shapes.ts';

/** Runs a call whose arguments were coming, with those that had come, where the response stops so. */
const runsOpenCall = (stop: StopReason): ClientParts =>
  changeDecoded((decoded, { request }) => {
    const { toolCalls, metadata, open } = decoded.response;
    if (request.dialect !== 'gemini' || open === undefined || metadata.stopReason !== stop) return decoded;
    const run = callFrom(open, (text) => JSON.parse(`${text}}`));
    return withToolCalls(decoded, [...toolCalls, ...run]);
  });

const unsigned = (signed: ToolCall): ToolCall => {
  const { signature: _, ...call } = signed;
  return call;
};

const withoutSignatures = ({ toolCalls, ...message }: LlmMessage): LlmMessage =>
  toolCalls === undefined ? message : { ...message, toolCalls: toolCalls.map(unsigned) };

/** Changes the parts of each chunk. */
const editParts = (
  edit: (parts: readonly JsonObject[], isLast: boolean) => readonly JsonObject[],
): ClientParts =>
  editUnits((unit) => {
    const [candidate] = isArray(unit['candidates']) ? unit['candidates'] : [];
    const content = isObject(candidate) ? candidate['content'] : undefined;
    if (!isObject(candidate) || !isObject(content) || !isArray(content['parts'])) return unit;
    const parts = content['parts'].filter((part) => isObject(part));
    const edited = { ...content, parts: edit(parts, candidate['finishReason'] !== undefined) };
    return { ...unit, candidates: [{ ...candidate, content: edited }] };
  });

export const geminiFaults: ClientFaults = {
  'runs-call-cut-by-paths': runsOpenCall('max_tokens'),
  'runs-open-call-by-paths': runsOpenCall('tool_use'),
  'drops-call-signatures': changeExchange({
    request: (request) => ({ ...request, messages: request.messages.map(withoutSignatures) }),
  }),
  'ignores-parts-of-the-last-chunk': editParts((parts, isLast) => (isLast ? [] : parts)),
  'reads-one-call-of-a-chunk': editParts((parts) => {
    const first = parts.find((part) => 'functionCall' in part);
    return parts.filter((part) => part === first || !('functionCall' in part));
  }),
};
