/**
 * The ledger of usage: append-only, with one entry for each usage event; the store computes the sums. The gateway's
 * role only asks for writes and sums ({@link LedgerEffect}); the role's host keeps the ledger.
 */
import { isObject } from '../../kit/base/index.ts';
import { countsOf, usageCounts } from '../messages.ts';
import type { TokenCounts, TokenUsage } from '../messages.ts';
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

/** The gateway's calls of its ledger: `append` has no result, `thread` the usage of its requests, `stats` the sums. */
export type LedgerEffect =
  | { readonly ledger: 'append'; readonly entry: UsageEntry }
  | { readonly ledger: 'thread'; readonly thread_id: string }
  | { readonly ledger: 'stats' };

/** A store of usage. */
export interface Ledger {
  /** Adds an entry. When this returns, the entry is as durable as the store can make it. */
  append(entry: UsageEntry): void;
  /** The summed usage of a thread's requests, in the order of their first entries. */
  thread(id: string): readonly RequestUsage[];
  /** The sums of all entries. */
  stats(): UsageStats;
  /** Releases the store. No call may follow. */
  close(): void;
}

/** The sum of the five counts, for budgets and `total_tokens`. */
export const totalOf = (usage: TokenUsage): number =>
  usageCounts.reduce((sum, name) => sum + (usage[name] ?? 0), 0);

/** The statistics of all requests, by the sums of their counts. */
export const statsOf = (sums: TokenCounts, requests: number): UsageStats => ({
  total_input: sums.input_tokens,
  total_output: sums.output_tokens,
  total_cache_read: sums.cache_read_tokens,
  total_cache_write: sums.cache_write_tokens,
  total_thinking: sums.thinking_tokens,
  total_tokens: totalOf(sums),
  request_count: requests,
});

/** Runs an effect on a ledger. @returns its result; undefined for `append` */
export function runLedger(ledger: Ledger, effect: LedgerEffect): unknown {
  if (effect.ledger === 'append') return ledger.append(effect.entry);
  return effect.ledger === 'thread' ? ledger.thread(effect.thread_id) : ledger.stats();
}

const isLedgerEffect = (effect: unknown): effect is LedgerEffect => isObject(effect) && 'ledger' in effect;

/**
 * Runs the gateway's effects on a ledger, for the gateway's host. An effect that throws gives `{error}`.
 *
 * @example
 * const run = ledgerEffects(memoryLedger());
 * run({ ledger: 'thread', thread_id: 't' }); // []
 */
export const ledgerEffects =
  (ledger: Ledger): ((effect: unknown) => unknown) =>
  (effect) => {
    if (!isLedgerEffect(effect)) return undefined;
    try {
      return runLedger(ledger, effect);
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };

/** The most requests of which a memory ledger keeps sums. `stats` includes all requests. */
const maxRows = 100_000;

type Sums = TokenCounts & { readonly request_id: string; readonly agent_id: string };

/**
 * A ledger in memory: keeps sums, not entries. Above `rows` requests it forgets the oldest of the oldest thread.
 *
 * @example
 * const ledger = memoryLedger();
 * ledger.append({ at: 0, request_id: 'r1', agent_id: 'a', thread_id: 't', usage: { input_tokens: 3 } });
 * ledger.thread('t')[0]?.input_tokens; // 3
 */
export function memoryLedger(rows: number = maxRows): Ledger {
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
      for (const name of usageCounts) {
        const count = entry.usage[name] ?? 0;
        sums[name] += count;
        all[name] += count;
      }
    },
    thread: (id) => [...(threads.get(id)?.values() ?? [])].map((sums) => ({ ...sums })),
    stats: () => statsOf(all, requests),
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
