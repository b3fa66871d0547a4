/** The ledger in memory: sums per request, thread and over all (row G28; "Ledger"). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usageCounts } from '../messages.ts';
import { memoryLedger, runLedger, totalOf } from './ledger.ts';
import type { UsageEntry } from './ledger.ts';

const entry = (request_id: string, thread_id: string, usage: UsageEntry['usage']): UsageEntry => ({
  at: 0,
  request_id,
  agent_id: 'a',
  thread_id,
  usage,
});

const count = fc.nat(1000);
const entries = fc.array(
  fc
    .tuple(
      fc.constantFrom('r1', 'r2', 'r3', '__proto__'),
      fc.constantFrom('t1', 't2', '__proto__'),
      fc.record(
        {
          input_tokens: count,
          output_tokens: count,
          cache_read_tokens: count,
          cache_write_tokens: count,
          thinking_tokens: count,
        },
        { requiredKeys: [] },
      ),
    )
    .map(([request, thread, usage]) => entry(request, thread, usage)),
);

describe('a ledger in memory', () => {
  it("sums each request's usage in its thread, and all of it in stats", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const ledger = memoryLedger();
        for (const one of all) ledger.append(one);
        for (const thread of ['t1', 't2', '__proto__', 'nobody'])
          for (const row of ledger.thread(thread))
            for (const name of usageCounts) {
              const mine = all.filter((e) => e.thread_id === thread && e.request_id === row.request_id);
              expect(row[name]).toBe(mine.reduce((sum, e) => sum + (e.usage[name] ?? 0), 0));
            }
        const stats = ledger.stats();
        expect(stats.total_tokens).toBe(all.reduce((sum, e) => sum + totalOf(e.usage), 0));
        expect(stats.request_count).toBe(new Set(all.map((e) => `${e.thread_id} ${e.request_id}`)).size);
      }),
      { seed: 7 },
    );
  });

  it('shows a thread that nobody used as empty, and requests in the order they came', () => {
    const ledger = memoryLedger();
    for (const id of ['r2', 'r1', 'r2']) ledger.append(entry(id, 't', { input_tokens: 1 }));
    expect(ledger.thread('nobody')).toEqual([]);
    expect(ledger.thread('t').map((row) => [row.request_id, row.input_tokens])).toEqual([
      ['r2', 2],
      ['r1', 1],
    ]);
  });

  it('gives sums that do not change afterwards', () => {
    const ledger = memoryLedger();
    ledger.append(entry('r', 't', { input_tokens: 1 }));
    const before = ledger.thread('t');
    ledger.append(entry('r', 't', { input_tokens: 1 }));
    expect(before[0]?.input_tokens).toBe(1);
  });

  it('forgets the oldest requests above its size, and nothing of the stats', () => {
    const ledger = memoryLedger(2);
    for (const id of ['r1', 'r2', 'r3']) ledger.append(entry(id, `t-${id}`, { output_tokens: 1 }));
    expect(ledger.thread('t-r1')).toEqual([]);
    expect(ledger.thread('t-r3')).toHaveLength(1);
    expect(ledger.stats()).toMatchObject({ total_output: 3, request_count: 3 });
  });
});

describe('a ledger effect', () => {
  it('is done to a ledger, and answered where it asks', () => {
    const ledger = memoryLedger();
    const append = { ledger: 'append', entry: entry('r', 't', { input_tokens: 4 }) } as const;
    expect(runLedger(ledger, append)).toBeUndefined();
    expect(runLedger(ledger, { ledger: 'thread', thread_id: 't' })).toMatchObject([{ input_tokens: 4 }]);
    expect(runLedger(ledger, { ledger: 'stats' })).toMatchObject({ total_input: 4, request_count: 1 });
  });
});
