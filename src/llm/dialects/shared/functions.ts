/** The tools of a request that a dialect without custom tools can offer. */
import type { ToolSpec } from '../../messages.ts';

/** The functions among tools. Only OpenAI's dialects have custom tools; the others leave them out. */
export const functionsOf = (tools: readonly ToolSpec[]): readonly ToolSpec[] =>
  tools.filter(({ custom }) => custom !== true);
