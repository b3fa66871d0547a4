/** The room of a model request in the window. */
import { budgetConfig, estimateText } from '../tokens/index.ts';
import type { BudgetConfig } from '../tokens/index.ts';
import type { WholeAgentOptions } from './options.ts';

/** The window, less the usual reserve, the system text and the tools, which each request has. */
export function budgetOf({ window, system = '', tools = [] }: WholeAgentOptions): BudgetConfig {
  const config = budgetConfig({}, window);
  const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const fixed = estimateText(system) + (tools.length === 0 ? 0 : estimateText(JSON.stringify(offered)));
  return { ...config, reserveTokens: config.reserveTokens + fixed };
}
