/** The levels of effort in the words of the dialects. The order is the same everywhere: more is never written as less (LLM-G66). */
import type { Effort, EffortLevel } from './request.ts';

/** Tokens from which a budget counts as a level. Our own choice: the gateways of spec/llm do not agree on one. */
const budgets: readonly (readonly [number, EffortLevel])[] = [
  [65_536, 'max'],
  [32_768, 'xhigh'],
  [16_384, 'high'],
  [8192, 'medium'],
  [2048, 'low'],
];

/** The least budget that Anthropic takes. It must be below the limit of the answer, too. */
export const leastBudget = 1024;

/** What OpenAI's models do where nothing is said. */
const unsaid: EffortLevel = 'medium';

/** An effort as a level. */
export function levelOf(effort: Effort): EffortLevel {
  if (typeof effort === 'string') return effort === 'adaptive' ? unsaid : effort;
  return budgets.find(([floor]) => effort.budget >= floor)?.[1] ?? 'minimal';
}

/** Anthropic's `output_config.effort`; `off` is a member of its own (@anthropic-ai/sdk 1.14.0, OutputConfig). */
export const anthropicEfforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** A level as Anthropic's: its least one is low. */
export const anthropicEffort = (level: Exclude<EffortLevel, 'off'>): (typeof anthropicEfforts)[number] =>
  level === 'minimal' ? 'low' : level;

/** OpenAI's words (openai 7.59.0, ReasoningEffort). */
export const openaiEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Ollama's `think` (ollama 0.6.4, ChatRequest): the level that each one stands for, and how each level is written. */
export const ollamaThink: { readonly [L in EffortLevel]: false | 'low' | 'medium' | 'high' } = {
  off: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};
