/** Agents that violate FOLD-A38 and A39 when they count tokens. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { TokenUsage } from '../../../../src/fold/index.ts';
import { editResponses, mutant } from './mutant.ts';
import type { AgentFault } from './mutant.ts';

/** Edits the counts of a model call. `before`: the counts sent last in the same request. */
const counts =
  (edit: (usage: TokenUsage, before: TokenUsage | undefined) => TokenUsage | undefined) => (): AgentFault => {
    const sent = new Map<string, TokenUsage>();
    return editResponses((r) => {
      const { request_id = '' } = r;
      if (r.usage === undefined) return [r];
      const usage = edit(r.usage, sent.get(request_id));
      if (usage === undefined) return [];
      sent.set(request_id, usage);
      return [{ request_id, usage }];
    });
  };

const secondTwice = (): AgentFault => {
  const seen = new Set<string>();
  return editResponses((r) => {
    const { request_id = '', usage } = r;
    const second = usage !== undefined && seen.has(request_id);
    if (usage !== undefined) seen.add(request_id);
    return second ? [r, r] : [r];
  });
};

const add = (a: TokenUsage, b: TokenUsage = {}): TokenUsage => ({
  input_tokens: (a.input_tokens ?? 0) + (b.input_tokens ?? 0),
  output_tokens: (a.output_tokens ?? 0) + (b.output_tokens ?? 0),
  cache_read_tokens: (a.cache_read_tokens ?? 0) + (b.cache_read_tokens ?? 0),
  cache_write_tokens: (a.cache_write_tokens ?? 0) + (b.cache_write_tokens ?? 0),
  thinking_tokens: (a.thinking_tokens ?? 0) + (b.thinking_tokens ?? 0),
});

/** Mutants of this theme. */
export const usageMutants: readonly Mutant[] = [
  mutant(
    'FOLD-A38',
    'usage-once',
    'It sends usage for the first model call of a request only.',
    counts((usage, before) => (before === undefined ? usage : undefined)),
  ),
  mutant(
    'FOLD-A38',
    'usage-twice',
    'It sends the usage of the second model call of a request twice.',
    secondTwice,
  ),
  mutant('FOLD-A39', 'running-totals', 'It sends the totals of the request so far.', counts(add)),
  mutant(
    'FOLD-A39',
    'negative-counts',
    'It sends the tokens from the cache as a negative count.',
    counts((usage) => ({ ...usage, cache_read_tokens: -(usage.cache_read_tokens ?? 0) })),
  ),
];
