/** Rules about the events of effects: SEP-129 and SEP-132. */
import { mismatch, shown } from '../../../../src/kit/testee/index.ts';
import { textIn } from '../events.ts';
import type { KnownAction, Moment } from '../model/known-action.ts';
import { actionOf, attemptsAsked } from '../model/take-event.ts';
import { forgotten } from './rule.ts';
import type { RunRule, RunRules } from './rule.ts';

/** A rollback shows its order from the second one on. */
const undoneInReverse: RunRule = (facts, event) => {
  if (event['type'] !== 'rollback' || event['status'] !== 'started') return undefined;
  const id = textIn(event, 'id');
  const { undone, isUndone } = facts.effects;
  if (undone === undefined) return undefined;
  if (!isUndone) return mismatch(`the end of the rollback of ${undone}`, `rollback ${id} started`);
  const ended = completionOf(facts.actions.get(id));
  const endedBehind = completionOf(facts.actions.get(undone));
  if (ended === undefined || endedBehind === undefined) return facts.hasForgotten ? forgotten : undefined;
  return ended.n < endedBehind.n
    ? 'exercised'
    : mismatch(
        `the rollback of ${id}, which ended last, before that of ${undone}`,
        `rollback ${undone} before rollback ${id}`,
      );
};

/** When an action completed; undefined: it did not, and another row says that it is not undone. */
const completionOf = (action: KnownAction | undefined): Moment | undefined =>
  action?.outcome === 'completed' ? action.ended : undefined;

/** A part comes in an attempt of its action, with the next number of the attempt. */
const partsInOrder: RunRule = (facts, event) => {
  if (event['type'] !== 'partial') return undefined;
  const action = actionOf(facts, event);
  if (action === undefined || action.mode === 'fire_and_forget') return undefined;
  const { id, started, outcome } = action;
  if (started === undefined) return mismatch(`started ${id} before its first part`, `partial ${id}`);
  if (outcome !== undefined) return mismatch(`no part of ${id} after ${outcome} ${id}`, `partial ${id}`);
  const last = facts.effects.parts.get(id);
  if (last === undefined && facts.effects.hasForgotten) return forgotten;
  const next = last === undefined ? 0 : last + 1;
  const n = event['n'];
  const isNewAttempt = n === 0 && (attemptsAsked(action) ?? 1) > 1;
  return n === next || isNewAttempt ? 'exercised' : mismatch(`n ${next} of the next part of ${id}`, shown(n));
};

/** The rules of effects, by requirement. */
export const effectRules: RunRules = { 'SEP-129': undoneInReverse, 'SEP-132': partsInOrder };
