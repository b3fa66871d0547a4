/** A rule about the events of a run. It needs no knowledge of a test: it judges a live run as well as an answer. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import type { KnownAction } from '../model/known-action.ts';
import { actionOf } from '../model/take-event.ts';
import type { RunFacts } from '../model/run-facts.ts';

/** Judges an event by the facts before it. Undefined: the event shows nothing about the requirement. */
export type RunRule = (facts: RunFacts, event: JsonObject) => Judgement;

/** Rules by requirement. */
export type RunRules = { readonly [row: string]: RunRule };

/** A rule about the first start of a known action. */
export const ofStart =
  (judge: (facts: RunFacts, action: KnownAction, event: JsonObject) => Judgement): RunRule =>
  (facts, event) => {
    const action = event['type'] === 'started' ? actionOf(facts, event) : undefined;
    return action === undefined || action.starts > 0 ? undefined : judge(facts, action, event);
  };

/** A rule about the first outcome of a known action. */
export const ofOutcome =
  (judge: (action: KnownAction, event: JsonObject, facts: RunFacts) => Judgement): RunRule =>
  (facts, event) => {
    const { type } = event;
    if (type !== 'completed' && type !== 'failed' && type !== 'skipped') return undefined;
    const action = actionOf(facts, event);
    return action === undefined || action.outcome !== undefined ? undefined : judge(action, event, facts);
  };

/** The reasons of a run that came to its end by itself. */
const ownEnds: readonly unknown[] = ['final', 'max_iterations'];

/** A rule about the end of a run that nothing cut short. */
export const ofEnd =
  (judge: (facts: RunFacts) => Judgement): RunRule =>
  (facts, event) =>
    event['type'] === 'finished' && ownEnds.includes(event['reason']) ? judge(facts) : undefined;

/** A rule about the actions of a run that nothing cut short: each is right, wrong, or shows nothing. */
export const ofEndOfEach = (judge: (facts: RunFacts, action: KnownAction) => Judgement): RunRule =>
  ofEnd((facts) => {
    let found: Judgement;
    for (const action of facts.actions.values()) {
      const judged = judge(facts, action);
      if (judged === undefined) continue;
      if (facts.hasForgotten) return forgotten;
      if (judged !== 'exercised') return judged;
      found = judged;
    }
    return found;
  });

/** Judges an event by several rules: the first judgement counts. */
export const firstOf =
  (...rules: readonly RunRule[]): RunRule =>
  (facts, event) => {
    for (const rule of rules) {
      const judged = rule(facts, event);
      if (judged !== undefined) return judged;
    }
    return undefined;
  };

/** The reason why a rule cannot judge. */
export const forgotten: Judgement = { unknowable: 'the run has too many actions to remember all' };
