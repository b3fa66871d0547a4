/** Rules about the values of feeds, and about internal actions: SEP-67, 69, 71, 72 and 109. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { mismatch } from '../../../../src/kit/testee/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import { textIn } from '../events.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { standsFor } from '../facts/feeds.ts';
import { feedOf } from '../model/feeds.ts';
import type { InternalCall, KnownValue } from '../model/feeds.ts';
import type { KnownAction } from '../model/known-action.ts';
import { ofStart } from './rule.ts';
import type { RunRule, RunRules } from './rule.ts';

/** A parameter that is a reference to a feed, and what came in its place. */
interface FeedReference {
  readonly id: string;
  readonly value: KnownValue;
  readonly came: Json;
}

/** The parameters that are references to feeds with a certain value. */
function referencesOf(facts: RunFacts, action: KnownAction, event: JsonObject): readonly FeedReference[] {
  const { actions, keys, feeds, hasForgotten } = facts;
  const { parameters: came } = event;
  if (hasForgotten || feeds.calls.size > 0 || typeof came !== 'object' || came === null) return [];
  return Object.entries(action.parameters ?? {}).flatMap(([key, written]) => {
    const id = typeof written === 'string' ? /^\$([A-Za-z_]\w*)$/.exec(written)?.[1] : undefined;
    const value = id === undefined || keys.has(id) || actions.has(id) ? undefined : feeds.values.get(id);
    const there = (came as JsonObject)[key];
    return id === undefined || value === undefined || there === undefined ? [] : [{ id, value, came: there }];
  });
}

/** A rule about each parameter that is a reference to a feed. */
const ofReferences = (judge: (reference: FeedReference, action: KnownAction) => Judgement): RunRule =>
  ofStart((facts, action, event) => {
    const judged = referencesOf(facts, action, event).map((one) => judge(one, action));
    return judged.find((one) => typeof one === 'object') ?? judged.find((one) => one !== undefined);
  });

const hasValue = ofReferences(({ id, value, came }, action) => {
  const stays = came === `$${id}`;
  if (standsFor(value.text, came)) return stays ? undefined : 'exercised';
  return stays ? mismatch(`the value of the feed ${id} in the parameters of ${action.id}`, came) : undefined;
});

const isOfRuntime = ofReferences(({ id, value: { text, written }, came }) => {
  if (written === undefined) return undefined;
  const [isFetched, isWritten] = [standsFor(text, came), standsFor(written, came)];
  if (isFetched) return isWritten ? undefined : 'exercised';
  return isWritten
    ? mismatch(`the value of the feed ${id} that was fetched`, 'the one that the model wrote')
    : undefined;
});

/** A removed feed has no new value. A fetch that was under way may still be told. */
const staysRemoved: RunRule = ({ feeds: { calls, changes } }, event) => {
  if (calls.size > 0) return undefined;
  if (event['type'] === 'iteration')
    return [...changes.values()].some(({ is, values }) => is === 'removed' && values === 0)
      ? 'exercised'
      : undefined;
  const id = textIn(event, 'id');
  const last = event['type'] === 'context_feed' && event['runtime'] === true ? changes.get(id) : undefined;
  return last?.is === 'removed' && last.values > 0 && last.last !== textIn(event, 'text')
    ? mismatch(`no value of the feed ${id}, which was removed`, 'another value')
    : undefined;
};

/** A rule about the outcome of an internal action that must fail: `why` tells the reason. */
const mustFail =
  (why: (call: InternalCall, facts: RunFacts) => string | undefined): RunRule =>
  (facts, event) => {
    const { type } = event;
    const call = facts.feeds.calls.get(textIn(event, 'id'));
    const reason =
      call !== undefined && (type === 'completed' || type === 'failed') ? why(call, facts) : undefined;
    if (reason === undefined) return undefined;
    return type === 'failed'
      ? 'exercised'
      : mismatch(`${textIn(event, 'id')} to fail: ${reason}`, 'completed');
  };

const knowsIds = mustFail((call, { feeds: { changes, values } }) => {
  const id = feedOf(call);
  // Of several at once, none is certainly the last.
  if (id === undefined || !call.isAlone) return undefined;
  const last = changes.get(id)?.is;
  if (call.name === 'add_context_feed')
    return last === 'added' || last === 'updated' || (last === undefined && values.has(id))
      ? `there is a feed ${id}`
      : undefined;
  const isKnown = call.name === 'remove_context_feed' || call.name === 'update_context_feed';
  return isKnown && last === 'removed' ? `the feed ${id} was removed` : undefined;
});

const checksFeeds = mustFail(({ name, parameters }) => {
  if (name !== 'add_context_feed') return undefined;
  const lacking = ['id', 'type', 'source'].find(
    (key) => parameters[key] === undefined || parameters[key] === null,
  );
  if (lacking !== undefined) return `its feed has no ${lacking}`;
  const { type, interval = 0 } = parameters;
  return type === 'periodic' && (interval === null || (typeof interval === 'number' && interval <= 0))
    ? 'its feed is periodic, and has no interval above 0'
    : undefined;
});

/** The rules of this file. */
export const feedRules: RunRules = {
  'SEP-67': hasValue,
  'SEP-69': isOfRuntime,
  'SEP-71': staysRemoved,
  'SEP-72': knowsIds,
  'SEP-109': checksFeeds,
};
