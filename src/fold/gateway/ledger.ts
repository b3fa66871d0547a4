/**
 * The ledger of usage: append-only, one entry a usage event; sums are the store's. The gateway's role only says
 * what is to be written or summed (a {@link LedgerEffect}); who runs the role keeps the ledger.
 */
import type { TokenUsage } from '../messages.ts';
import type { RequestUsage, UsageStats } from '../operator.ts';

/** One usage event: the counts of one model call, never running totals. */
export interface UsageEntry {
  /** Unix milliseconds. */
  readonly at: number;
  readonly request_id: string;
  readonly agent_id: string;
  readonly thread_id: string;
  readonly usage: TokenUsage;
}

/** What the gateway asks of its ledger: `append` has no answer, `thread` the usage of its requests, `stats` the sums. */
export type LedgerEffect =
  | { readonly ledger: 'append'; readonly entry: UsageEntry }
  | { readonly ledger: 'thread'; readonly thread_id: string }
  | { readonly ledger: 'stats' };

/** A store of usage. */
export interface Ledger {
  /** Keeps one entry; when it returns, the entry is kept as safely as the store keeps anything. */
  append(entry: UsageEntry): void;
  /** The summed usage of a thread's requests, in the order in which they were first heard of. */
  thread(id: string): readonly RequestUsage[];
  /** Sums over everything that was appended. */
  stats(): UsageStats;
  /** Gives everything back; nothing is asked of it afterwards. */
  close(): void;
}

/** The five counts, in the schema's order. */
export const tokenCounts = [
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'thinking_tokens',
] as const;

/** Usage with every count there. */
export type TokenCounts = { -readonly [K in (typeof tokenCounts)[number]]: number };

/** Usage with every count there: absent is 0, as in protobuf. */
export const countsOf = (usage: TokenUsage): TokenCounts => ({
  input_tokens: usage.input_tokens ?? 0,
  output_tokens: usage.output_tokens ?? 0,
  cache_read_tokens: usage.cache_read_tokens ?? 0,
  cache_write_tokens: usage.cache_write_tokens ?? 0,
  thinking_tokens: usage.thinking_tokens ?? 0,
});

/** All five counts together: what budgets and `total_tokens` go by. */
export const totalOf = (usage: TokenUsage): number =>
  tokenCounts.reduce((sum, name) => sum + (usage[name] ?? 0), 0);

/** Does what an effect says to a ledger. @returns its answer; nothing for `append` */
export function runLedger(
  ledger: Ledger,
  effect: LedgerEffect,
): readonly RequestUsage[] | UsageStats | undefined {
  switch (effect.ledger) {
    case 'append':
      ledger.append(effect.entry);
      return undefined;
    case 'thread':
      return ledger.thread(effect.thread_id);
    case 'stats':
      return ledger.stats();
    default:
      return effect satisfies never;
  }
}

/** Sums of requests that a memory ledger keeps; `stats` forgets nothing. */
const rowsKept = 100_000;

type Sums = TokenCounts & { readonly request_id: string; readonly agent_id: string };

/**
 * A ledger in memory: keeps sums, not entries. Above `rows` requests the oldest thread forgets its oldest.
 *
 * @example
 * const ledger = memoryLedger();
 * ledger.append({ at: 0, request_id: 'r1', agent_id: 'a', thread_id: 't', usage: { input_tokens: 3 } });
 * ledger.thread('t')[0]?.input_tokens; // 3
 */
export function memoryLedger(rows: number = rowsKept): Ledger {
  const threads = new Map<string, Map<string, Sums>>();
  const all = countsOf({});
  let kept = 0;
  let requests = 0;
  const begin = ({ thread_id, request_id, agent_id }: UsageEntry): Sums => {
    const thread = threads.get(thread_id) ?? new Map<string, Sums>();
    threads.set(thread_id, thread);
    const sums = { request_id, agent_id, ...countsOf({}) };
    thread.set(request_id, sums);
    requests++;
    if (++kept > rows && forgetOldest(threads)) kept--;
    return sums;
  };
  return {
    append(entry) {
      const sums = threads.get(entry.thread_id)?.get(entry.request_id) ?? begin(entry);
      for (const name of tokenCounts) {
        const count = entry.usage[name] ?? 0;
        sums[name] += count;
        all[name] += count;
      }
    },
    thread: (id) => [...(threads.get(id)?.values() ?? [])].map((sums) => ({ ...sums })),
    stats: () => ({
      total_input: all.input_tokens,
      total_output: all.output_tokens,
      total_cache_read: all.cache_read_tokens,
      total_cache_write: all.cache_write_tokens,
      total_thinking: all.thinking_tokens,
      total_tokens: totalOf(all),
      request_count: requests,
    }),
    close: () => threads.clear(),
  };
}

/** Forgets the first request of the first thread. */
function forgetOldest(threads: Map<string, Map<string, Sums>>): boolean {
  for (const [id, thread] of threads)
    for (const request of thread.keys()) {
      thread.delete(request);
      if (thread.size === 0) threads.delete(id);
      return true;
    }
  return false;
}
