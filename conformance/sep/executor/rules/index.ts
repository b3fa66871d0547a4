/** The rules about the events of a run. They judge a live run, and the list of an answer as such a run. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import { noFacts, takeEvent } from '../model/take-event.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { dependencyRules } from './dependencies.ts';
import { effectRules } from './effects.ts';
import { feedRules } from './feeds.ts';
import { orderRules } from './order.ts';
import { outcomeRules } from './outcomes.ts';
import { responseRules } from './responses.ts';
import type { RunRules } from './rule.ts';
import { valueRules } from './values.ts';

/** All rules, by requirement. */
export const runRules: RunRules = {
  ...orderRules,
  ...dependencyRules,
  ...outcomeRules,
  ...valueRules,
  ...responseRules,
  ...feedRules,
  ...effectRules,
};

/** Judges the next event of a run for a requirement. */
export const judgeEvent = (row: string, facts: RunFacts, event: JsonObject): Judgement =>
  Object.hasOwn(runRules, row) ? runRules[row]?.(facts, event) : undefined;

/**
 * Judges the events of an answer for a requirement: the first bad judgement. Undefined: there is none.
 *
 * @example
 * const came = (id: string, ...depends_on: string[]) => ({ type: 'action', action: { id, depends_on } });
 * judgeEvents('SEP-31', { events: [came('b', 'a'), { type: 'started', id: 'b' }, came('a')] });
 * // { violated: 'expected b to wait for a; came started b before a came' }
 */
export const judgeEvents = (row: string, ok: JsonObject): Judgement =>
  Object.hasOwn(runRules, row) ? faultsOfRows([row], ok).get(row) : undefined;

/** Judges the events of an answer for all requirements: the first bad judgement of each. */
export const runFaults = (ok: JsonObject): ReadonlyMap<string, Judgement> =>
  faultsOfRows(Object.keys(runRules), ok);

function faultsOfRows(rows: readonly string[], { events }: JsonObject): ReadonlyMap<string, Judgement> {
  const facts = noFacts();
  const found = new Map<string, Judgement>();
  for (const event of isArray(events) ? events : []) {
    if (!isObject(event)) continue;
    for (const row of rows) {
      const judged = judgeEvent(row, facts, event);
      if (typeof judged === 'object') found.set(row, found.get(row) ?? judged);
    }
    takeEvent(facts, event);
  }
  return found;
}
