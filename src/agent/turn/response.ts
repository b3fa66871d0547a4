/** A response as the machine of the turn gets it. */
import { isArray } from '../../kit/base/index.ts';
import type { OpenCall, ProviderResponse } from '../../kit/base/index.ts';
import type { LlmResponse } from '../../llm/index.ts';
import type { AgentTool } from '../options.ts';

/**
 * The response without its usage: the window bounds each request, and not their sum, and the machine would add usages
 * up. A last call whose arguments came as no text, though its tool requires some, counts as cut, whatever the stop
 * reason says (LLM-C05).
 */
export function responseFor(response: LlmResponse, tools: readonly AgentTool[]): ProviderResponse {
  const { content, toolCalls, metadata } = response;
  const open = response.open ?? emptyCall(response, tools);
  const { stopReason } = metadata;
  return { content, toolCalls, metadata: { stopReason }, ...(open === undefined ? {} : { open }) };
}

function emptyCall(
  { toolCalls, emptyCalls = [] }: LlmResponse,
  tools: readonly AgentTool[],
): OpenCall | undefined {
  const last = toolCalls.at(-1);
  if (last === undefined || !emptyCalls.includes(last.id)) return undefined;
  const { required } = tools.find(({ name }) => name === last.name)?.inputSchema ?? {};
  if (!isArray(required) || required.length === 0) return undefined;
  return { id: last.id, name: last.name, partial: '' };
}
