/** What the events of a run have told of feeds: their values, and the internal actions that add and remove them. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { forgetOldest } from '../../../../src/kit/judge/index.ts';
import { isFetched, textIn } from '../events.ts';

/** A value of a feed. */
export interface KnownValue {
  readonly text: string;
  /** What the model has written into a tag with the id of the feed since; undefined: nothing. */
  readonly written: string | undefined;
}

/** An internal action without an outcome. */
export interface InternalCall {
  readonly name: string;
  /** Its parameters as they were written. */
  readonly parameters: JsonObject;
  hasStarted: boolean;
  /** Whether no other internal action ran beside it. */
  isAlone: boolean;
}

/** What became of a feed last. */
export interface FeedChange {
  readonly is: 'added' | 'removed' | 'updated';
  /** Whether a fetch of before may still be told: the feed was there before it was added, removed or updated. */
  readonly mayBeLate: boolean;
  /** The number of values that came since. One that is told again in the same iteration is the same. */
  values: number;
  last: string | undefined;
}

/** The facts of feeds. */
export interface FeedMemory {
  /** The certain values of feeds by id. */
  readonly values: Map<string, KnownValue>;
  /** While an action has no outcome, what it changes is not certain. One that is fire_and_forget never has one. */
  readonly calls: Map<string, InternalCall>;
  readonly changes: Map<string, FeedChange>;
  /** Whether an action has changed feeds whose ids are not known: all of them, or one that a reference names. */
  isUnclear: boolean;
}

/** The facts before the first event. */
export const noFeeds = (): FeedMemory => ({
  values: new Map(),
  calls: new Map(),
  changes: new Map(),
  isUnclear: false,
});

/** The most feeds and actions that are remembered, and the longest text of a value (characters). */
const most = 512;
const mostText = 1 << 14;

/** Takes the next event of the run. @returns whether an internal action may have changed a variable or a feed */
export function takeFeedEvent(memory: FeedMemory, event: JsonObject): boolean {
  const { type, action } = event;
  if (type === 'context_feed') takeValue(memory, event);
  if (type === 'iteration') for (const one of memory.changes.values()) one.last = undefined;
  if (type === 'action' && isObject(action) && action['type'] === 'internal') declare(memory, action);
  const id = textIn(event, 'id');
  const call = memory.calls.get(id);
  if (call === undefined) return false;
  if (type === 'started') start(memory, call);
  if (type !== 'completed' && type !== 'failed' && type !== 'skipped') return false;
  memory.calls.delete(id);
  if (type === 'completed') change(memory, call);
  return type === 'completed';
}

/** The id of actions that are not remembered: they have no outcome, so that nothing is certain from then on. */
const tooMany = '';

function declare({ calls }: FeedMemory, action: JsonObject): void {
  const { parameters } = action;
  calls.set(calls.size < most ? textIn(action, 'id') : tooMany, {
    name: textIn(action, 'name'),
    parameters: isObject(parameters) ? parameters : {},
    hasStarted: false,
    isAlone: true,
  });
}

function start({ calls }: FeedMemory, call: InternalCall): void {
  for (const other of calls.values())
    if (other !== call && other.hasStarted) {
      other.isAlone = false;
      call.isAlone = false;
    }
  call.hasStarted = true;
}

function takeValue({ values, changes, isUnclear }: FeedMemory, event: JsonObject): void {
  const [id, text] = [textIn(event, 'id'), textIn(event, 'text')];
  if (!isFetched(event)) {
    const known = values.get(id);
    if (known !== undefined)
      values.set(id, { ...known, written: ((known.written ?? '') + text).slice(0, mostText) });
    return;
  }
  const change = changes.get(id);
  if (change !== undefined && change.last !== text) {
    change.values++;
    change.last = text;
  }
  // A value whose fetch was under way when its feed was changed may be told, and does not count.
  const isCertain = change === undefined ? !isUnclear : !change.mayBeLate;
  if (text.length > mostText || !isCertain) values.delete(id);
  else values.set(id, { text, written: undefined });
  forgetOldest(values, most);
}

/** The id of the feed that an internal action is about; undefined: a reference may stand in it. */
export function feedOf({ parameters: { id } }: InternalCall): string | undefined {
  return typeof id === 'string' && !id.includes('$') ? id : undefined;
}

function change(memory: FeedMemory, call: InternalCall): void {
  const { values, changes } = memory;
  const id = feedOf(call);
  const is = changeBy[call.name];
  if (is === undefined && id !== undefined) return;
  if (is === undefined || id === undefined) {
    values.clear();
    changes.clear();
    memory.isUnclear = true;
    return;
  }
  const mayBeLate = memory.isUnclear || is !== 'added' || changes.has(id) || values.has(id);
  values.delete(id);
  changes.delete(id);
  // Of several actions at once, none is certainly the last.
  if (call.isAlone) changes.set(id, { is, mayBeLate, values: 0, last: undefined });
  else memory.isUnclear = true;
  forgetOldest(changes, most);
}

/** What internal actions do with the feed that they name. */
const changeBy: { readonly [name: string]: FeedChange['is'] } = {
  add_context_feed: 'added',
  remove_context_feed: 'removed',
  update_context_feed: 'updated',
};
