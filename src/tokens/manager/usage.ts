/** The tokens of a response: in the plan's names, in the published names, and in each provider's own (TOK-17, 41, 42). */
import { isObject } from '../../kit/base/index.ts';
import type { Json, Usage } from '../../kit/base/index.ts';

/** A usage in the plan's names, or in those published later. */
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

/** A usage in the plan's names; a negative number counts as 0. */
export const normalUsage = (usage: AnyUsage): Usage => ({
  inputTokens: clamped(usage.inputTokens ?? usage.promptTokens),
  outputTokens: clamped(usage.outputTokens ?? usage.completionTokens),
  ...(usage.cacheReadTokens === undefined ? {} : { cacheReadTokens: clamped(usage.cacheReadTokens) }),
  ...(usage.cacheWriteTokens === undefined ? {} : { cacheWriteTokens: clamped(usage.cacheWriteTokens) }),
});

/** The tokens of the whole prompt, those in a cache included (spec/llm/README.md, "Usage"). */
export const promptOf = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

/**
 * The tokens of one usage: its total, or prompt and output when the total is absent or 0; a negative number counts as 0
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

function countIn(usage: Json | undefined, name: string): number | undefined {
  const value = isObject(usage) && Object.hasOwn(usage, name) ? usage[name] : undefined;
  return typeof value === 'number' ? clamped(value) : undefined;
}

/** The usage in two fields; undefined when both are absent. */
function readUsage(usage: Json | undefined, input: string, output: string): Usage | undefined {
  const [inputTokens, outputTokens] = [countIn(usage, input), countIn(usage, output)];
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
}

/**
 * Anthropic's usage. Its `input_tokens` do not include the tokens that were written to the cache or read from it.
 *
 * @returns undefined when there are no counts
 */
export function anthropicUsage(usage: Json | undefined): Usage | undefined {
  const counts = readUsage(usage, 'input_tokens', 'output_tokens');
  const cacheReadTokens = countIn(usage, 'cache_read_input_tokens') ?? 0;
  const cacheWriteTokens = countIn(usage, 'cache_creation_input_tokens') ?? 0;
  return (
    counts && {
      ...counts,
      ...(cacheReadTokens > 0 ? { cacheReadTokens } : {}),
      ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
    }
  );
}

/**
 * Ollama's usage, in the last line of its answer. Ollama leaves out a count of zero (TOK-41).
 *
 * @returns undefined when there are no counts
 * @example
 * ollamaUsage({ done: true, prompt_eval_count: 26 }); // { inputTokens: 26, outputTokens: 0 }
 */
export const ollamaUsage = (last: Json | undefined): Usage | undefined =>
  readUsage(last, 'prompt_eval_count', 'eval_count');

/**
 * LM Studio's usage, in its `stats` (TOK-42).
 *
 * @returns undefined when there are no counts; then the tokens must be estimated
 */
export const lmstudioUsage = (stats: Json | undefined): Usage | undefined =>
  readUsage(stats, 'promptTokensCount', 'predictedTokensCount');
