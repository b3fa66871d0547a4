/** Tokens of a response, in the plan's words and in the published ones, and from each provider's own (TOK-17, 41, 42). */
import { isObject } from '../../kit/base/index.ts';
import type { Json, Usage } from '../../kit/base/index.ts';

/** A usage as it may arrive: the plan's names, or those published later. */
export interface AnyUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

const clamped = (tokens: number | undefined): number =>
  tokens !== undefined && Number.isFinite(tokens) ? Math.max(0, tokens) : 0;

/** A usage in the plan's names; negatives are 0. */
export const normalUsage = (usage: AnyUsage): Usage => ({
  inputTokens: clamped(usage.inputTokens ?? usage.promptTokens),
  outputTokens: clamped(usage.outputTokens ?? usage.completionTokens),
  ...(usage.cacheReadTokens === undefined ? {} : { cacheReadTokens: clamped(usage.cacheReadTokens) }),
  ...(usage.cacheWriteTokens === undefined ? {} : { cacheWriteTokens: clamped(usage.cacheWriteTokens) }),
});

/** The tokens of the whole prompt: what a cache held is a part of it (llm.md, Usage). */
export const promptOf = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

/**
 * The tokens of one usage: its total, or when that is absent or zero what went in and came out; negatives are 0
 * (TOK-17).
 *
 * @example
 * totalOf({ promptTokens: 10, completionTokens: 5, totalTokens: 0 }); // 15
 * totalOf({ inputTokens: 10, outputTokens: -5 }); // 10
 */
export function totalOf(usage: AnyUsage): number {
  const normal = normalUsage(usage);
  return clamped(usage.totalTokens) || promptOf(normal) + normal.outputTokens;
}

const count = (from: Json | undefined, name: string): number => {
  const value = isObject(from) && Object.hasOwn(from, name) ? from[name] : undefined;
  return typeof value === 'number' ? clamped(value) : 0;
};

const has = (from: Json | undefined, ...names: readonly string[]): boolean =>
  isObject(from) && names.some((name) => typeof from[name] === 'number');

/**
 * Anthropic's usage, in which `input_tokens` leaves out what was written to the cache or read from it.
 *
 * @returns undefined when there are no counts
 */
export function anthropicUsage(usage: Json | undefined): Usage | undefined {
  if (!has(usage, 'input_tokens', 'output_tokens')) return undefined;
  const [read, write] = [
    count(usage, 'cache_read_input_tokens'),
    count(usage, 'cache_creation_input_tokens'),
  ];
  return {
    inputTokens: count(usage, 'input_tokens'),
    outputTokens: count(usage, 'output_tokens'),
    ...(read > 0 ? { cacheReadTokens: read } : {}),
    ...(write > 0 ? { cacheWriteTokens: write } : {}),
  };
}

/**
 * Ollama's usage, of the last line of its answer; a count of zero is left out there (TOK-41).
 *
 * @returns undefined when there are no counts
 * @example
 * ollamaUsage({ done: true, prompt_eval_count: 26 }); // { inputTokens: 26, outputTokens: 0 }
 */
export const ollamaUsage = (last: Json | undefined): Usage | undefined =>
  has(last, 'prompt_eval_count', 'eval_count')
    ? { inputTokens: count(last, 'prompt_eval_count'), outputTokens: count(last, 'eval_count') }
    : undefined;

/**
 * LM Studio's usage, of its `stats` (TOK-42).
 *
 * @returns undefined when there are no counts: then take the estimate
 */
export const lmstudioUsage = (stats: Json | undefined): Usage | undefined =>
  has(stats, 'promptTokensCount', 'predictedTokensCount')
    ? { inputTokens: count(stats, 'promptTokensCount'), outputTokens: count(stats, 'predictedTokensCount') }
    : undefined;
