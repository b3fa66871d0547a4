/** Gateways that violate FOLD-G28 to G33 for usage, tool states and decisions. */
import { allFaults, member, onOutput } from '../../../../src/kit/suite/index.ts';
import type { LedgerEffect, OperatorReply, UsageEntry } from '../../../../src/fold/index.ts';
import { toOperators } from './faults.ts';
import type { MessageEdit, GatewayFault } from './faults.ts';
import type { GatewayFaults } from './mutant.ts';

const shows = (edit: MessageEdit<OperatorReply>) => (): GatewayFault => toOperators(edit);

/** Edits the ledger's entries for a usage event. */
const records = (edit: (entry: UsageEntry, n: number) => readonly UsageEntry[]) => (): GatewayFault => {
  let n = 0;
  return onOutput('effect', (output) => {
    const effect = output.effect as LedgerEffect;
    if (effect.ledger !== 'append') return;
    return edit(effect.entry, n++).map((entry) => ({ ...output, effect: { ledger: 'append', entry } }));
  });
};

/** Reports usage event by event, without sums. */
const notSummed = (): GatewayFault => {
  const entries: UsageEntry[] = [];
  const kept = records((entry) => {
    entries.push(entry);
    return [entry];
  })();
  const told = toOperators(
    member('thread_usage', ({ thread_id, usage }) => {
      const rows = entries.flatMap((entry) => {
        const sum = usage.find(({ request_id }) => request_id === entry.request_id);
        return sum === undefined ? [] : [{ ...sum, ...zero, ...entry.usage }];
      });
      return [{ thread_id, usage: rows }];
    }),
  );
  return allFaults(kept, told);
};

const zero = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  thinking_tokens: 0,
};

/** Shows each usage as the sum so far. */
const cumulative = (): GatewayFault => {
  const sums = new Map<string, number>();
  return toOperators(
    member('usage', (usage, _, peer) => {
      const input_tokens = (sums.get(peer) ?? 0) + (usage.input_tokens ?? 0);
      sums.set(peer, input_tokens);
      return [{ ...usage, input_tokens }];
    }),
  );
};

const isKnown = (state: string): boolean => !/^\d+$/.test(state);

/** Renames tool states. */
const named = (name: (state: string) => string): (() => GatewayFault) =>
  shows(member('tool_state', (data) => [{ ...data, state: name(data.state) }]));

/** Hides an event of tools with a shown state. */
const hiddenByStates = (name: 'tool_use' | 'tool_result') => (): GatewayFault => {
  const stated = new Set<string>();
  return allFaults(
    toOperators(member('tool_state', ({ id }, _, peer) => void stated.add(`${peer} ${id}`))),
    toOperators(member(name, ({ id }, _, peer) => (stated.has(`${peer} ${id}`) ? [] : undefined))),
  );
};

/** Holds a tool_use back until the first state, and then shows only the state. */
const statesForUses = (): GatewayFault => {
  const held = new Map<string, OperatorReply>();
  return toOperators((m, _, peer) => {
    const before = held.get(peer);
    held.delete(peer);
    const first = before === undefined || m.tool_state !== undefined ? [] : [before];
    if (m.tool_use === undefined) return [...first, m];
    held.set(peer, m);
    return first;
  });
};

export const toolFaults: GatewayFaults = {
  'counts-the-last': records((e, n) => (n % 2 === 0 ? [] : [e])),
  'counts-twice': records((e) => [e, e]),
  'cache-not-counted': records((e) => [
    { ...e, usage: { ...e.usage, cache_read_tokens: 0, cache_write_tokens: 0 } },
  ]),
  'counts-nothing': records(() => []),
  'not-summed': notSummed,
  'usage-not-shown': shows(member('usage', () => [])),
  'usage-cumulative': cumulative,
  'usage-without-cache': shows(
    member('usage', (usage) => [{ ...usage, cache_read_tokens: 0, cache_write_tokens: 0 }]),
  ),
  'unknown-state-lost': shows(member('tool_state', ({ state }) => (isKnown(state) ? undefined : []))),
  'unknown-state-unspecified': named((state) => (isKnown(state) ? state : 'unspecified')),
  'states-lost': shows(member('tool_state', () => [])),
  'cancelled-state-as-failed': named((state) => (state === 'canceled' ? 'failed' : state)),
  'detail-lost': shows(member('tool_state', ({ id, state }) => [{ id, state }])),
  'unknown-state-as-running': named((state) => (isKnown(state) ? state : 'running')),
  'result-hidden-by-state': hiddenByStates('tool_result'),
  'states-for-uses': statesForUses,
  'results-only-as-states': shows(member('tool_result', () => [])),
};
