/** Agents that violate FOLD-A38 and A39 when they count tokens. */
import type { TokenUsage } from '../../../../src/fold/index.ts';
import { onResponse } from './mutant.ts';
import type { AgentFault, AgentFaults } from './mutant.ts';

/** Edits the counts of a model call. `before`: the counts sent last in the same request. */
const counts =
  (edit: (usage: TokenUsage, before: TokenUsage | undefined) => TokenUsage | undefined) => (): AgentFault => {
    const sent = new Map<string, TokenUsage>();
    return onResponse((r) => {
      const { request_id = '' } = r;
      if (r.usage === undefined) return;
      const usage = edit(r.usage, sent.get(request_id));
      if (usage === undefined) return [];
      sent.set(request_id, usage);
      return [{ request_id, usage }];
    });
  };

const secondTwice = (): AgentFault => {
  const seen = new Set<string>();
  return onResponse((r) => {
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

export const usageFaults: AgentFaults = {
  'usage-once': counts((usage, before) => (before === undefined ? usage : undefined)),
  'usage-twice': secondTwice,
  'running-totals': counts(add),
  'negative-counts': counts((usage) => ({ ...usage, cache_read_tokens: -(usage.cache_read_tokens ?? 0) })),
};
