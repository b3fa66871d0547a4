/** The room of a model request in the window. */
import { UNKNOWN_WINDOW, budgetConfig, estimateText, estimateTokens } from '../tokens/index.ts';
import type { BudgetConfig, ModelChoice } from '../tokens/index.ts';
import type { WholeAgentOptions } from './options.ts';
import type { AgentRequest } from './state.ts';

/** The window, less the usual reserve, the system text and the tools, which each request has. */
export function budgetOf(
  options: WholeAgentOptions,
  window: number | undefined = options.window,
): BudgetConfig {
  const config = budgetConfig({}, window);
  return { ...config, reserveTokens: config.reserveTokens + fixedTokens(options) };
}

/** The tokens of the system text and of the tools, as estimated. */
export function fixedTokens({ system = '', tools = [] }: WholeAgentOptions): number {
  const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return estimateText(system) + (tools.length === 0 ? 0 : estimateText(JSON.stringify(offered)));
}

/** The model of a request, and its window. */
export const modelOf = (
  { llm, window = UNKNOWN_WINDOW }: WholeAgentOptions,
  { model }: Pick<AgentRequest, 'model'>,
): ModelChoice => model ?? { name: llm.model, window };

/** The tokens of a request's conversation, as the machine of its turn measures them. */
export const sizeOf = ({ messages, pending, scale }: AgentRequest['turn']): number =>
  Math.ceil(estimateTokens(pending === undefined ? messages : [...messages, pending]) * scale);

/** The most tokens of the next response: the output limit, or what the window leaves. */
export const outputLimit = (whole: WholeAgentOptions, request: AgentRequest): number =>
  Math.min(
    whole.maxTokens ?? Infinity,
    Math.max(0, modelOf(whole, request).window - fixedTokens(whole) - sizeOf(request.turn)),
  );
